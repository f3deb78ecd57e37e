"""JSON as models write it: what is read, what is told, and that nothing is read in silence."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.episodes.conversation import Usage
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.reading import (
    BrokenJsonError,
    Lenient,
    Unusable,
    UsableAnswer,
    read_reply,
    without_thoughts,
)
from cookmas.orchestrator.models.message import ModelAnswer
from tests.orchestrator.dialogue.layouts import rows_layout

GOOD = {"reasoning": "a", "schedule": {"worker_1": [[0, "wait", "chop"]]}}
TEXT = json.dumps(GOOD)


def read(
    text: str, *, strict: bool = False, **more: Any
) -> UsableAnswer[ScheduleAnswer] | Unusable:
    usage = Usage(prompt=0, completion=0)
    answer = ModelAnswer(text=text, model="m", usage=usage, **more)
    return read_reply(answer, rows_layout(), strict=strict)


def timed(text: str) -> str:
    return TEXT.replace('[[0, "wait", "chop"]]', text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (TEXT.replace('"a"', '"a\nb"'), "raw_character"),
        (TEXT[:-1] + ",}", "trailing_comma"),
        ("{ // a plan\n" + TEXT[1:], "comment"),
        ("{ /* a plan */" + TEXT[1:], "comment"),
        (repr({**GOOD, "lesson": None}), "python_literal"),
        (TEXT.replace('"a"', '"the cook\\\'s plan"'), "escape"),
        (TEXT.replace("_", "\\_"), "escape"),
        (TEXT.replace('"a"', '"\\*a\\*"'), "escape"),
        (TEXT[:-1], "missing_bracket"),
        (f"```json\n{TEXT[:-1]}\n```", "missing_bracket"),
        (json.dumps(TEXT), "encoded_twice"),
        (json.dumps({**GOOD, "schedule": json.dumps(GOOD["schedule"])}), "encoded_twice"),
        (json.dumps({"answer": GOOD}), "wrapper"),
        (json.dumps({"answer": TEXT}), "wrapper"),
        (timed('[["0", "wait", "chop"]]'), "number_as_text"),
        (timed('[[0.0, "wait", "chop"]]'), "number_as_text"),
        (timed('{"0": "wait", "1": "chop"}'), "columns_of_timesteps"),
        (json.dumps({**GOOD, "keep_until": "none"}), "ignored_field"),
        (json.dumps({**GOOD, "reasoning": ["a", "b"]}), "text_as_data"),
        (TEXT + "\n</think>", "before_thoughts"),
        (TEXT + "\n(I used the <think> tag, </think>, to reason.)", "before_thoughts"),
    ],
)
def test_an_answer_is_read_where_its_meaning_is_beyond_doubt(text: str, kind: str) -> None:
    found = read(text)
    assert isinstance(found, UsableAnswer)
    assert found.lenient == (kind,)
    assert [row.actions for row in found.value.rows] == [{"worker_1": "wait"}, {"worker_1": "chop"}]
    refused = read(text, strict=True)
    assert isinstance(refused, Unusable)
    assert kind in refused.why


def test_an_answer_as_asked_is_not_lenient() -> None:
    for strict in (False, True):
        found = read(f"Here it is: {TEXT}", strict=strict)
        assert isinstance(found, UsableAnswer)
        assert found.lenient == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TEXT.replace(":", "", 1), "line 1, column 14: a colon is expected"),
        ('{\n"schedule": [1 2]}', "line 2, column 16: a comma or ] is expected"),
        (TEXT.replace('"wait"', "wait"), "column 50: a value is expected"),
        ('{"schedule": {"worker_1": [[0, "wait"', "is expected"),
    ],
)
def test_the_place_of_the_first_mistake_is_told(text: str, told: str) -> None:
    found = read(text)
    assert isinstance(found, Unusable)
    assert told in found.why


def test_what_a_draft_in_thoughts_says_is_not_the_answer() -> None:
    assert isinstance(read(f"<think>{TEXT}</think> I cannot."), Unusable)


def test_thoughts_are_not_sent_back() -> None:
    assert without_thoughts(f"<think>{'hm ' * 9}</think>\n{TEXT}") == TEXT
    assert without_thoughts(f"{TEXT}\n</think>") == f"{TEXT}\n</think>"
    assert without_thoughts("nothing else") == "nothing else"
    assert without_thoughts(f" {TEXT}\n") == f" {TEXT}\n"


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values)
def test_json_is_read_as_the_strict_decoder_reads_it(value: Any) -> None:
    text = json.dumps({"a": value})
    decoder = Lenient(text)
    assert decoder.decode(0) == (json.loads(text), len(text))
    assert decoder.kinds == set()


@given(st.text(alphabet="{}[]\"':,\\\\u0/*#nrtTrueNone \n1", max_size=60))
def test_no_text_breaks_the_decoder(text: str) -> None:
    with suppress(BrokenJsonError):
        _, end = Lenient(text).decode(0)
        assert 0 < end <= len(text)


def test_an_answer_only_in_thoughts_is_told_to_stand_outside() -> None:
    assert read(f"<think>{TEXT}</think>") == Unusable(
        fault="unreadable", problems=("There is no JSON object outside its thoughts.",)
    )
