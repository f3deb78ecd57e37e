"""What is under way is shown in rows, and an answer may keep it, change it, or go on from it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.episodes.conversation import Usage
from cookmas.episodes.world import Command
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer, columns_of, rows_of, write_out
from cookmas.orchestrator.dialogue.reading import Unusable, read_reply
from cookmas.orchestrator.models.message import ModelAnswer
from tests.orchestrator.dialogue.layouts import rows_layout

WORKERS = ("a", "b")
UNDERWAY = [[Command("a", "x"), Command("b", "y")], [Command("a", "z")], [Command("b", "x")]]
"""At timesteps 5, 6 and 7."""


class World:
    idle = "rest"


actions = st.dictionaries(st.sampled_from(WORKERS), st.sampled_from("xyz"), max_size=2)
schedules = st.lists(actions, max_size=6)


def _written(*rows: dict[str, Any], keep: Any = None, underway: Any = UNDERWAY) -> Any:
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


def _moved(*shifts: dict[str, Any], keep: Any = 8, rows: Any = (), underway: Any = UNDERWAY) -> Any:
    data = {"keep_until": keep, "shift": list(shifts), "schedule": list(rows)}
    return write_out(ScheduleAnswer.model_validate(data), underway, 5, "rest")


def test_each_worker_keeps_as_much_as_is_said_of_it() -> None:
    assert _written(keep={"a": 6, "b": 8}) == ([{"a": "x", "b": "y"}, {}, {"b": "x"}], [])
    assert _written(keep={"a": 5, "b": 6}) == ([{"b": "y"}], [])
    later = ({"t": 6, "a": "v"}, {"t": 8, "a": "u", "b": "w"})
    assert _written(*later, keep={"a": 6, "b": 8}) == (
        [{"a": "x", "b": "y"}, {"a": "v"}, {"b": "x"}, {"a": "u", "b": "w"}],
        [],
    )


@pytest.mark.parametrize("keep", [{"a": 6}, {"a": 6, "b": None}, {"a": "6"}, {"a": 6.0, "b": 99}])
def test_a_worker_that_is_left_out_loses_nothing_of_its_own(keep: Any) -> None:
    assert _written(keep=keep) == ([{"a": "x", "b": "y"}, {}, {"b": "x"}], [])


def test_a_number_counts_for_all_workers() -> None:
    for number in range(4, 10):
        same = _written(keep={"a": number, "b": number})
        assert _written(keep=number) == same == _written(keep=str(number))
    assert _written(keep={}) == _written(keep=8)


def test_a_row_needs_its_timestep_if_workers_keep_different_parts() -> None:
    _, problems = _written({"a": "v"}, keep={"a": 6, "b": 8})
    assert problems == ["A row needs its timestep t if keep_until differs."]
    assert _written({"t": 8, "a": "v"}, {"a": "w"}, keep={"a": 6, "b": 8})[1] == []


def test_the_rest_of_what_a_worker_does_can_come_later() -> None:
    schedule, problems = _moved({"worker": "a", "from": 5, "until": None, "by": 2})
    assert not problems
    assert schedule == [{"b": "y"}, {}, {"b": "x", "a": "x"}, {"a": "z"}]


def test_a_stretch_can_be_moved_between_what_stays() -> None:
    schedule, problems = _moved(
        {"worker": "a", "from": 6, "until": 7, "by": 3},
        {"worker": "b", "from": 7, "by": -1},
        rows=[{"t": 7, "a": "v"}],
    )
    assert not problems
    assert schedule == [{"a": "x", "b": "y"}, {"b": "x"}, {"a": "v"}, {}, {"a": "z"}]


def test_idling_is_no_obstacle_to_a_move() -> None:
    underway = [[Command("a", "x"), Command("b", "rest")], [Command("a", "rest")]]
    schedule, problems = _moved({"worker": "a", "from": 5, "by": 1}, keep=7, underway=underway)
    assert not problems
    assert [entry.get("a", "rest") for entry in schedule] == ["rest", "x"]


@pytest.mark.parametrize(
    ("shift", "rows", "told"),
    [
        (
            {"worker": "a", "from": 5, "until": 6, "by": 1},
            [],
            "shift: a still has z at timestep 6; move that too.",
        ),
        ({"worker": "a", "from": 5, "by": -1}, [], "t 4: it is timestep 5 already."),
        (
            {"worker": "a", "from": 7, "by": 1},
            [],
            "shift: a keeps no action from 7 on that can be moved.",
        ),
        (
            {"worker": "b", "from": 6, "until": 7, "by": 1},
            [],
            "shift: b keeps no action from 6 to 7 that can be moved.",
        ),
        ({"worker": "a", "from": 5, "by": 10_000}, [], "a schedule has 10000 timesteps at most."),
        (
            {"worker": "b", "from": 7, "by": 1},
            [{"t": 8, "b": "w"}],
            "t 8: b has x there, which shift has moved; write after it.",
        ),
    ],
)
def test_a_move_that_loses_something_is_told(
    shift: dict[str, Any], rows: list[Any], told: str
) -> None:
    _, problems = _moved(shift, rows=rows)
    assert any(told in problem for problem in problems), problems


def test_an_action_is_not_moved_twice() -> None:
    stretches = [
        {"worker": "a", "from": 5, "until": 7, "by": 4},
        {"worker": "a", "from": 6, "by": 9},
    ]
    assert _moved(*stretches)[1] == ["shift: a keeps no action from 6 on that can be moved."]


@pytest.mark.parametrize("underway", [UNDERWAY, [[Command("a", "x")]] * 2])
def test_stretches_that_meet_are_told(underway: Any) -> None:
    stretches = [
        {"worker": "a", "from": 5, "until": 6, "by": 4},
        {"worker": "a", "from": 6, "by": 3},
    ]
    assert _moved(*stretches, underway=underway)[1] == [
        "shift: a still has x at timestep 9; move that too."
    ]


def test_a_single_move_needs_no_list() -> None:
    move = {"worker": "a", "from": 5, "by": 1}
    alone = ScheduleAnswer.model_validate({"keep_until": 8, "shift": move, "schedule": []})
    assert write_out(alone, UNDERWAY, 5, "rest") == _moved(move)


@pytest.mark.parametrize("nothing", [None, [], "left out"])
def test_a_move_may_be_left_out(nothing: Any) -> None:
    data = {"keep_until": 8, "schedule": []} | ({} if nothing == "left out" else {"shift": nothing})
    answer = ScheduleAnswer.model_validate(data)
    assert write_out(answer, UNDERWAY, 5, "rest") == _written(keep=8)


@given(
    underway=schedules,
    ends=st.dictionaries(st.sampled_from(WORKERS), st.integers(0, 20)),
    by=st.integers(0, 5),
)
def test_each_worker_has_what_it_keeps_and_nothing_is_lost_by_a_move(
    underway: list[dict[str, str]], ends: dict[str, int], by: int
) -> None:
    left = [[Command(*pair) for pair in entry.items()] for entry in underway]
    shift = {"worker": "a", "from": 5, "until": None, "by": by}
    schedule, problems = _moved(shift, keep=ends, underway=left)
    for worker, later in (("a", by), ("b", 0)):
        kept = {
            now + later: entry[worker]
            for now, entry in enumerate(underway, start=5)
            if worker in entry and now < ends.get(worker, 99)
        }
        found = {now: e[worker] for now, e in enumerate(schedule, start=5) if worker in e}
        assert found == kept
        assert worker == "b" or bool(problems) == (not kept)


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
    read = read_reply(ModelAnswer(text=text, model="m", usage=usage), rows_layout())
    assert isinstance(read, Unusable)
    assert told in read.why
    assert "Value error" not in read.why


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
