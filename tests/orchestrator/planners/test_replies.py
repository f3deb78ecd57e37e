"""Answers are read wherever the JSON stands, and what is wrong with them is a value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.conversation import Usage
from orchestrator.models.message import Answer
from orchestrator.planners.answers import ScheduleAnswer
from orchestrator.replies import Read, Unusable, read_answer

GOOD = '{"schedule": [{"worker_1": "wait"}]}'


def _read(text: str, **more: Any) -> Read[ScheduleAnswer] | Unusable:
    usage = Usage(prompt=0, completion=0)
    return read_answer(Answer(text=text, model="m", usage=usage, **more), ScheduleAnswer)


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
        '{"reasoning": null, "schedule": [{"worker_1": "wait"}], "extra": 1}',
    ],
)
def test_json_is_found_wherever_it_stands(text: str) -> None:
    read = _read(text)
    assert isinstance(read, Read)
    assert read.value.entries() == [{"worker_1": "wait"}]


@pytest.mark.parametrize(
    ("text", "more", "fault"),
    [
        ("", {}, "unreadable"),
        ("I will serve it all.", {}, "unreadable"),
        ('{"schedule": [', {}, "unreadable"),
        ("[" * 100_000, {}, "unreadable"),
        ('{"a":' * 50_000, {}, "unreadable"),
        ('{"schedule": [', {"finish_reason": "length"}, "truncated"),
        (GOOD, {"refusal": "I cannot cook."}, "refusal"),
        ("", {"finish_reason": "refusal"}, "refusal"),
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


def test_an_answer_that_is_whole_counts_although_the_length_was_reached() -> None:
    assert isinstance(_read(GOOD + " and then", finish_reason="length"), Read)


def test_thoughts_are_collected_and_are_no_workers() -> None:
    read = _read(
        '{"reasoning": "a", "schedule": [{"think": "b", "worker_1": "wait"}, {"think": ""}]}'
    )
    assert isinstance(read, Read)
    assert read.value.thoughts() == "a\nb"
    assert read.value.entries() == [{"worker_1": "wait"}, {}]


@given(st.text(alphabet='{}[]":,`jsonthik</>\n a1', max_size=80))
def test_any_text_is_read_or_is_unusable(text: str) -> None:
    assert isinstance(_read(text), Read | Unusable)
