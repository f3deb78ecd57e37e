"""What is under way is shown in rows, and an answer may keep it, change it, or go on from it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.world import Command
from orchestrator.dialogue.answers import ScheduleAnswer
from orchestrator.dialogue.keeping import rows_of, written_out

WORKERS = ("a", "b")
UNDERWAY = [[Command("a", "x"), Command("b", "y")], [Command("a", "z")], [Command("b", "x")]]
"""At timesteps 5, 6 and 7."""


class World:
    idle = "rest"


def _written(*rows: dict[str, Any], keep: int | None = None, underway: Any = UNDERWAY) -> Any:
    answer = ScheduleAnswer.model_validate({"keep_until": keep, "schedule": rows})
    return written_out(answer, underway, 5)


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
        ([], 9, ["keep_until 9: the schedule under way ends before 8."]),
        ([{"t": 4, "a": "x"}], 6, ["t 4: it is timestep 5 already."]),
        ([{"t": 6}, {"t": 8}, {"t": 9}], 6, ["t 8: the next row should be that of t 7."]),
        ([{"t": 7}, {"t": 7}], 7, ["t 7: the next row should be that of t 8."]),
        ([{"t": 6}, {}, {"t": 9}], None, ["t 6: the next row should be that of t 5."] * 1),
    ],
)
def test_a_wrong_timestep_is_told(rows: list[Any], keep: int | None, told: list[str]) -> None:
    assert _written(*rows, keep=keep)[1][:1] == told


def test_without_a_schedule_there_is_nothing_to_keep() -> None:
    assert _written(keep=6, underway=[])[1] == ["keep_until 6: none is under way."]


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
