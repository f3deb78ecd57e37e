"""What is under way is shown in rows, and an answer may keep it, change it, or go on from it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.episodes.conversation import Usage
from cookmas.episodes.world import Command
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer, write_out
from cookmas.orchestrator.dialogue.replies import Unusable, read_answer
from cookmas.orchestrator.dialogue.schedules import columns_of, rows_of
from cookmas.orchestrator.models.message import ModelAnswer

WORKERS = ("a", "b")
UNDERWAY = [[Command("a", "x"), Command("b", "y")], [Command("a", "z")], [Command("b", "x")]]
"""At timesteps 5, 6 and 7."""


class World:
    idle = "rest"


def _written(*rows: dict[str, Any], keep: int | None = None, underway: Any = UNDERWAY) -> Any:
    answer = ScheduleAnswer.model_validate({"keep_until": keep, "schedule": rows})
    return write_out(answer, underway, 5)


def test_all_of_it_can_be_kept() -> None:
    assert _written(keep=8) == ([dict(entry) for entry in UNDERWAY], [])


def test_nothing_is_kept_that_is_not_asked_for() -> None:
    assert _written({"a": "x"}) == ([{"a": "x"}], [])
    assert _written({"t": 5, "a": "x"}, keep=5) == ([{"a": "x"}], [])
    assert _written({"t": 5, "a": "x"}, keep=0) == ([{"a": "x"}], [])


def test_a_part_is_kept_and_the_rows_go_on_from_there() -> None:
    schedule, problems = _written({"t": 6, "b": "w"}, {"a": "v"}, keep=6)
    assert not problems
    assert schedule == [{"a": "x", "b": "y"}, {"b": "w"}, {"a": "v"}]


def test_an_earlier_row_changes_what_it_names_and_leaves_the_rest() -> None:
    schedule, problems = _written({"t": 5, "b": "w"}, {"t": 7, "a": "v", "b": None}, keep=8)
    assert not problems
    assert schedule == [{"a": "x", "b": "w"}, {"a": "z"}, {"b": "x", "a": "v"}]


@pytest.mark.parametrize(
    ("rows", "keep", "told"),
    [
        ([{"t": 4, "a": "x"}], 6, ["t 4: it is timestep 5 already."]),
        ([{"t": 7}, {"t": 7}], 7, ["t 7: there are two rows of this timestep."]),
        (
            [{"t": 10**12, "a": "x"}],
            5,
            ["t 1000000000000: a schedule has 10000 timesteps at most."],
        ),
    ],
)
def test_a_wrong_timestep_is_told(rows: list[Any], keep: int | None, told: list[str]) -> None:
    assert _written(*rows, keep=keep)[1] == told


def test_everybody_idles_at_a_timestep_that_is_left_out() -> None:
    later = {"t": 8, "a": "v"}
    assert _written(later) == ([{}, {}, {}, {"a": "v"}], [])
    assert _written(later, keep=6) == ([dict(UNDERWAY[0]), {}, {}, {"a": "v"}], [])
    assert _written({"t": 10, "a": "v"}, {"a": "w"}, keep=8) == (
        [*(dict(entry) for entry in UNDERWAY), {}, {}, {"a": "v"}, {"a": "w"}],
        [],
    )


def test_no_more_is_kept_than_there_is() -> None:
    assert _written(keep=99) == _written(keep=8)
    assert _written({"a": "v"}, keep=99, underway=[]) == ([{"a": "v"}], [])


def _columns(keep: int | None = None, **columns: Any) -> Any:
    answer = ScheduleAnswer.model_validate({"keep_until": keep, "schedule": columns})
    return write_out(answer, UNDERWAY, 5)


def test_columns_mean_what_their_rows_mean() -> None:
    same = _written({"t": 5, "b": "w"}, {"t": 8, "a": "v"}, {"t": 9, "a": "v", "b": "u"}, keep=7)
    assert _columns(a=[[8, "v", "v"]], b=[[5, "w"], [9, "u"]], keep=7) == same
    assert _columns(a=[8, "v", "v"], b=[[5, "w", 9, "u"]], keep=7) == same
    assert _columns(a=[], b=None, keep=8) == _written(keep=8)


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ([["v"]], "a: expected parts such as [4, action, action]"),
        ([[5, "v", "v"], [6, "w"]], "a has two actions at timestep 6"),
        ([[5, 2.5]], "schedule.0.actions.a"),
        ([[5, ["v"]]], "schedule.0.actions.a"),
    ],
)
def test_a_wrong_column_is_told(column: Any, told: str) -> None:
    usage = Usage(prompt=0, completion=0)
    text = json.dumps({"schedule": {"a": column}})
    read = read_answer(ModelAnswer(text=text, model="m", usage=usage), ScheduleAnswer)
    assert isinstance(read, Unusable)
    assert told in read.why
    assert "Value error" not in read.why


actions = st.dictionaries(st.sampled_from(WORKERS), st.sampled_from("xyz"), max_size=2)
schedules = st.lists(actions, max_size=6)


@given(underway=schedules, new=schedules, keep=st.integers(0, 20), named=st.booleans())
def test_what_is_kept_and_what_is_added_make_the_schedule(
    underway: list[dict[str, str]], new: list[dict[str, str]], keep: int, named: bool
) -> None:
    left = [[Command(*pair) for pair in entry.items()] for entry in underway]
    begin = max(5, min(keep, 5 + len(underway)))
    rows = [{**({"t": t} if named else {}), **row} for t, row in enumerate(new, start=begin)]
    schedule, problems = _written(*rows, keep=min(keep, 5 + len(underway)), underway=left)
    assert not problems
    assert schedule == [*underway[: begin - 5], *new]


@given(underway=schedules)
def test_what_is_shown_is_what_an_answer_would_say(underway: list[dict[str, str]]) -> None:
    left = [[Command(*pair) for pair in (*entry.items(), ("c", "rest"))] for entry in underway]
    shown = rows_of(left, 5, World())  # type: ignore[arg-type]
    assert _written(*shown, underway=[]) == (underway, [])
    columns = {"keep_until": 5, "schedule": columns_of(shown, WORKERS)}
    meant, problems = write_out(ScheduleAnswer.model_validate(columns), (), 5)
    assert not problems
    assert meant == underway[: len(meant)]
    assert not any(underway[len(meant) :])
