"""What scheduling found is a value that says how good it is."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.solving.restaurant.scheduling.planning import Planning
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.search import Search
from cookmas.solving.restaurant.scheduling.states import NoModeError, WorkInProgressError


def test_a_schedule_as_long_as_the_bound_is_optimal(floor: Any) -> None:
    shift = floor.shift()
    shift.order(["Buttered Toast"])
    result = shift.result(effort=6000)
    bound = shift.bound().value
    assert (result.status, result.bound, len(result.schedule)) == ("optimal", bound, bound)
    assert result.configuration == "all lines at once, beam width 120"
    assert result.effort > 0
    assert (result.fallback, result.blocked) == (None, ())


def test_a_longer_schedule_that_serves_everything_is_feasible(floor: Any) -> None:
    shift = floor.shift("small")
    shift.order(list(floor.items)[:5])
    result = shift.result()
    assert result.status == "feasible"
    assert result.bound < len(result.schedule)


def test_many_lines_name_their_window(floor: Any) -> None:
    shift = floor.shift("large", workers=6)
    shift.order([*floor.items][:14])
    assert "rolling window of" in shift.result(effort=1).configuration


def test_with_nobody_in_service_nothing_can_be_done(floor: Any) -> None:
    shift = floor.shift()
    shift.order(["Buttered Toast"])
    for worker in shift.kitchen.workers:
        shift.happen({"kind": "fault", "worker": worker, "timesteps": 9})
    result = shift.result()
    assert (result.status, result.fallback) == ("infeasible", "waiting")
    assert result.blocked == ("no worker is in service",)
    assert (result.bound, result.configuration, result.effort) == (None, None, 0)
    assert {action for row in result.schedule for action in row.values()} == {"wait"}


def test_a_line_for_which_too_little_is_left_is_named(floor: Any) -> None:
    shift = floor.shift()
    shift.order(["Buttered Toast", "Garden Salad"])
    result = shift.stocked(bread=0).result()
    assert (result.status, result.fallback) == ("partial", None)
    assert result.blocked == ("o1.1: too little is in stock",)
    nothing = shift.stocked(bread=0, lettuce=0).result()
    assert (nothing.status, nothing.fallback) == ("infeasible", "waiting")
    assert len(nothing.blocked) == 2


def test_a_schedule_that_stops_before_a_missing_station_is_partial(floor: Any) -> None:
    shift = floor.shift("small")
    shift.order(["Classic Burger", "Buttered Toast"])
    for station in shift.kitchen.of_kind("grill"):
        shift.happen({"kind": "fault", "station": station, "timesteps": 9})
    result = shift.result()
    assert (result.status, result.blocked) == ("partial", ("no grill is in service",))


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (WorkInProgressError("oven_1"), "what is in progress at oven_1 cannot be continued"),
        (NoModeError("o1.1"), "one of its tasks cannot be done in any way"),
        (None, "no schedule was found within the effort"),
    ],
)
def test_what_blocks_a_search_that_finds_nothing_is_told(
    floor: Any, monkeypatch: pytest.MonkeyPatch, error: Exception | None, why: str
) -> None:
    shift = floor.shift()
    shift.order(["Buttered Toast"])

    def first(self: Planning, problem: Problem, bound: int) -> None:
        if error:
            raise error

    monkeypatch.setattr(Planning, "_search", first)
    result = shift.result()
    assert (result.status, result.fallback) == ("unknown", "waiting")
    assert result.blocked == (f"o1.1: {why}",)
    assert result.bound is not None


def test_among_several_lines_the_one_that_cannot_be_made_is_named(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift()
    shift.order(["Buttered Toast", "Garden Salad"])

    def first(self: Planning, problem: Problem, bound: int) -> None:
        raise NoModeError("o1.2")

    monkeypatch.setattr(Planning, "_search", first)
    why = "one of its tasks cannot be done in any way"
    assert shift.result().blocked == (f"o1.1, o1.2: o1.2: {why}",)


def test_a_line_that_is_cooked_apart_in_vain_has_no_schedule_within_the_effort(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift()
    shift.order(["Buttered Toast"])

    def first(self: Planning, problem: Problem, bound: int) -> None:
        if not problem.tasks.work.handling.apart:
            raise NoModeError("o1.1")

    monkeypatch.setattr(Planning, "_search", first)
    assert shift.result().blocked == ("o1.1: no schedule was found within the effort",)


def test_the_record_says_what_the_result_says(floor: Any) -> None:
    shift = floor.shift()
    shift.order(["Buttered Toast"])
    result = shift.result()
    record = result.record()
    assert (record.status, record.bound, record.effort) == (
        result.status,
        result.bound,
        result.effort,
    )
    assert (record.configuration, record.fallback, record.blocked) == (
        result.configuration,
        None,
        None,
    )


def test_lines_are_planned_one_after_the_other_if_the_other_searches_find_nothing(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Search, "best", lambda *_: None)
    shift = floor.busy(3, workers=3, begun=6)
    result = shift.result(effort=600)
    assert (result.status, result.configuration) == ("feasible", "lines inserted again")
    shift.queue = list(result.schedule)
    shift.finish()
