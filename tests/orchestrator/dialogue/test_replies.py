"""Answers are read wherever the JSON stands, and what is wrong with them is a value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.episodes.conversation import Usage
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.reading import (
    CUT_OFF,
    Unusable,
    UsableAnswer,
    read_reply,
    without_thoughts,
)
from cookmas.orchestrator.models.message import ModelAnswer
from tests.orchestrator.dialogue.layouts import rows_layout

GOOD = '{"schedule": [{"worker_1": "wait"}]}'


def _answer(text: str, **more: Any) -> ModelAnswer:
    return ModelAnswer(text=text, model="m", usage=Usage(prompt=0, completion=0), **more)


def _read(text: str, **more: Any) -> ScheduleAnswer | Unusable:
    read = read_reply(_answer(text, **more), rows_layout())
    return read if isinstance(read, Unusable) else read.value


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"Here is my plan:\n```json\n{GOOD}\n```\nI hope it helps {{really}}.",
        f"<think>I could {{do}} this: {{}}</think>{GOOD}",
        f'I think {{"schedule": []}} at first</think>\n{GOOD}',
        f'<think>{{"schedule": [{{"worker_1": "chop"}}]}}</think>\n{GOOD}',
        f'First idea: {{"schedule": [{{"worker_1": "chop"}}]}}. No, better: {GOOD} There.',
        f'{GOOD}\nThe end. {{"note": 1}}',
        f'```json\n{{"schedule": [{{"worker_1": "chop"}}]}}\n```\nNo, better:\n{GOOD}',
        "Let {x " * 5000 + GOOD,
        '{"reasoning": "They wrote </think> to me", "schedule": [{"worker_1": "wait"}]}',
        f"{GOOD}\n<think>Was that right? {{}}",
        f'<think>{{"schedule": []}}, {{"a": "</think>"}}</THINK>{GOOD}',
        '{"reasoning": null, "schedule": [{"worker_1": "wait"}], "extra": 1}',
    ],
)
def test_json_is_found_wherever_it_stands(text: str) -> None:
    read = _read(text)
    assert isinstance(read, ScheduleAnswer)
    assert [row.actions for row in read.rows] == [{"worker_1": "wait"}]


@pytest.mark.parametrize(
    ("text", "more", "fault"),
    [
        ("", {}, "unreadable"),
        ("I will serve it all.", {}, "unreadable"),
        ('{"schedule": [', {}, "unreadable"),
        ("[" * 100_000, {}, "unreadable"),
        ('{"a":' * 300, {}, "unreadable"),
        pytest.param('{"a":' * 1_000, {}, "unreadable", marks=pytest.mark.conformance),
        pytest.param('{"a":' * 50_000, {}, "unreadable", marks=pytest.mark.conformance),
        ("<think>" * 300_000, {}, "unreadable"),
        ("```\n" * 300_000, {}, "unreadable"),
        pytest.param(
            '{"a": [' * 900 + "1, " * 300_000, {}, "unreadable", marks=pytest.mark.conformance
        ),
        ('{"schedule": [', {"finish_reason": "length"}, "truncated"),
        ('{"reasoning": "a", "schedule": [{"t": 0}, {', {"finish_reason": "length"}, "truncated"),
        (f'<think>{GOOD[:-1]}, "lesson": "', {"finish_reason": "length"}, "truncated"),
        ("{" * 300_000, {"finish_reason": "length"}, "truncated"),
        ("<think>" * 300_000, {"finish_reason": "length"}, "truncated"),
        ('{"a' * 100_000, {"finish_reason": "length"}, "truncated"),
        ('{"schedule": [{"t": "soon"}]}', {}, "outside_schema"),
        (GOOD, {"refusal": "I cannot cook."}, "refusal"),
        ("", {"finish_reason": "refusal"}, "refusal"),
        (f"<think>Perhaps {GOOD}?</think>I cannot do it.", {}, "unreadable"),
        (f"<think>Perhaps {GOOD}", {"finish_reason": "length"}, "truncated"),
        ("", {"finish_reason": "context_length"}, "too_long"),
        ("{}", {}, "outside_schema"),
        ('{"schedule": "wait"}', {}, "outside_schema"),
        (GOOD, {"finish_reason": "unreadable_call"}, "unreadable"),
        ('{"schedule": [{"worker_1": 3}]}', {}, "outside_schema"),
        ('{"schedule": [["wait"]]}', {}, "outside_schema"),
        ('{"schedule": [{"worker_1": ' + "9" * 5000 + "}]}", {}, "unreadable"),
        ("__import__('os').system('true')", {}, "unreadable"),
    ],
)
def test_what_is_wrong_is_a_value(text: str, more: dict[str, Any], fault: str) -> None:
    read = _read(text, **more)
    assert isinstance(read, Unusable)
    assert read.fault == fault
    assert read.why.endswith(".")


def test_half_a_character_is_replaced() -> None:
    read = _read('{"reasoning": "a\\ud83d", "schedule": [{"worker_1": "wait\\udc00"}]}')
    assert isinstance(read, ScheduleAnswer)
    assert read.reasoning == "a?"
    assert [row.actions for row in read.rows] == [{"worker_1": "wait?"}]


def test_an_empty_refusal_is_none() -> None:
    assert isinstance(_read(GOOD, refusal=""), ScheduleAnswer)


def test_an_answer_that_is_whole_counts_although_the_length_was_reached() -> None:
    for end in ("", "\n```", "</answer>\n", " <|im_end|>"):
        assert isinstance(_read(GOOD + end, finish_reason="length"), ScheduleAnswer)


def test_a_draft_in_an_answer_that_was_cut_off_is_not_the_answer() -> None:
    for draft in (f"We could answer {GOOD} but", f"{GOOD} and then", f"{GOOD} or {{so"):
        assert _read(draft, finish_reason="length") == CUT_OFF


THOUGHTS = (
    "<think>{}</think>",
    "<THINKING>{}</THINKING>",
    "<thought>{}</thought>",
    "<reasoning>{}</reasoning>",
    "<analysis>{}</analysis>",
    "<scratchpad>{}</scratchpad>",
    "<seed:think>{}</seed:think>",
    '<thinking type="long">{}</thinking>',
    "[THINK]{}[/THINK]",
    "\u25c1think\u25b7{}\u25c1/think\u25b7",
    "<|begin_of_thought|>{}<|end_of_thought|>",
    "<|START_THINKING|>{}<|END_THINKING|>",
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
)


@pytest.mark.parametrize("frame", THOUGHTS)
def test_a_draft_in_thoughts_is_not_the_answer(frame: str) -> None:
    draft = '{"schedule": [{"worker_1": "chop"}]}'
    assert isinstance(_read(frame.format(draft)), Unusable)
    assert isinstance(_read(frame.split("{}")[0] + draft), Unusable)
    read = _read(frame.format(draft) + GOOD)
    assert isinstance(read, ScheduleAnswer)
    assert read.rows[0].actions == {"worker_1": "wait"}
    assert without_thoughts(frame.format("hm") + GOOD) == GOOD


def test_an_answer_in_a_frame_of_an_unknown_name_is_lenient_and_told(caplog: Any) -> None:
    for _ in range(2):
        read = read_reply(_answer(f"<zettel>{GOOD}</zettel>"), rows_layout())
        assert isinstance(read, UsableAnswer)
        assert read.lenient == ("frame",)
    assert len([each for each in caplog.records if "<zettel>" in each.message]) == 1
    plain = read_reply(_answer(GOOD), rows_layout())
    assert isinstance(plain, UsableAnswer)
    assert plain.lenient == ()


@pytest.mark.parametrize("before", ["", "So {this} is it: ", '<think>{"schedule": []}</think>'])
def test_an_answer_that_is_cut_off_counts_if_its_schedule_is_whole(before: str) -> None:
    whole = '{"reasoning": "a", "keep_until": 3, "schedule": [{"t": 3, "worker_1": "wait"}]'
    for cut in ("", ", ", ', "lesson": "Never ag'):
        read = _read(f"{before}{whole}{cut}", finish_reason="length")
        assert isinstance(read, ScheduleAnswer)
        assert (read.keep_until, read.schedule[0].t) == (3, 3)
        assert isinstance(_read(f"{before}{whole}{cut}"), Unusable) is bool(cut)


def test_thoughts_are_collected_and_are_no_timesteps() -> None:
    read = _read(
        '{"reasoning": "a", "schedule": [{"think": "b"}, {"think": "c", "worker_1": "wait"}, '
        '{"think": ""}, {"t": 2, "worker_1": null}]}'
    )
    assert isinstance(read, ScheduleAnswer)
    assert read.thoughts() == "a\nb\nc"
    assert [row.actions for row in read.rows] == [{"worker_1": "wait"}, {}, {}]


def test_all_that_is_wrong_is_told() -> None:
    read = _read('{"keep_until": "x", "schedule": [{"worker_1": 3}, {"worker_2": []}, "wait"]}')
    assert isinstance(read, Unusable)
    places = ("schedule.0", "schedule.1", "schedule.2")
    assert len(read.problems) == 3
    assert all(told.startswith(place) for place, told in zip(places, read.problems, strict=True))


@given(st.text(alphabet='{}[]":,`jsonthik</>\n a1', max_size=80))
def test_any_text_is_read_or_is_unusable(text: str) -> None:
    assert isinstance(_read(text), ScheduleAnswer | Unusable)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '{"schedule": [{"worker_1": "wait", "worker_2": "chop", "worker_1": "chop"}]}',
            ["schedule.0: 'worker_1' stands more than once."],
        ),
        (
            '{"schedule": [], "schedule": [{"t": 0, "t": 1}], "lesson": ""}',
            ["'schedule' stands more than once.", "schedule.0: 't' stands more than once."],
        ),
    ],
)
def test_a_name_that_stands_twice_is_told_and_not_resolved(text: str, told: list[str]) -> None:
    for more in ({}, {"finish_reason": "length"}):
        read = _read(text, **more)
        assert isinstance(read, Unusable)
    read = _read(text)
    assert isinstance(read, Unusable)
    assert (read.fault, list(read.problems)) == ("outside_schema", told)
    assert isinstance(_read(f"{text} No, better: {GOOD}"), ScheduleAnswer)
