"""Answers are read wherever the JSON stands, and what is wrong with them is a value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.episodes.conversation import Usage
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.replies import Unusable, read_answer
from cookmas.orchestrator.models.message import ModelAnswer

GOOD = '{"schedule": [{"worker_1": "wait"}]}'


def _read(text: str, **more: Any) -> ScheduleAnswer | Unusable:
    usage = Usage(prompt=0, completion=0)
    answer = ModelAnswer(text=text, model="m", usage=usage, **more)
    read = read_answer(answer, ScheduleAnswer)
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
        ('{"a":' * 50_000, {}, "unreadable"),
        ("<think>" * 300_000, {}, "unreadable"),
        ("```\n" * 300_000, {}, "unreadable"),
        ('{"a": [' * 900 + "1, " * 300_000, {}, "unreadable"),
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
    assert isinstance(_read(GOOD + " and then", finish_reason="length"), ScheduleAnswer)


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
