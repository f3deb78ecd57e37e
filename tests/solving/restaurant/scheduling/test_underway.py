"""What is left of the last schedule is continued where the search finds none as short."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cookmas.solving.restaurant import asking, planners
from cookmas.solving.restaurant.scheduling import schedule
from cookmas.solving.restaurant.scheduling.decode import Schedule, ScheduleResult
from cookmas.solving.restaurant.scheduling.planning import Planning
from cookmas.solving.restaurant.scheduling.schedule import UNDERWAY, make_schedule
from cookmas.solving.restaurant.scheduling.states import Solution


@pytest.fixture
def later(floor: Any) -> Any:
    """A shift three timesteps on, where a search from there is longer than the rest."""
    shift, _ = floor.random(424, most=5, effort=600)
    for row in shift.plan()[:3]:
        shift.tick(row)
    return shift


def test_the_rest_of_a_shorter_schedule_is_continued(later: Any) -> None:
    result = later.result(underway=later.underway)
    assert len(later.result(underway=[]).schedule) > len(later.underway)
    assert (result.schedule, result.configuration) == (later.underway, UNDERWAY)
    assert result.status == "feasible"


def test_a_shorter_schedule_is_taken_instead(floor: Any) -> None:
    shift = floor.shift()
    shift.order(["Buttered Toast"])
    found = shift.result(underway=[])
    assert shift.result(underway=found.schedule) == found
    idle = dict.fromkeys(shift.kitchen.workers, "wait")
    assert shift.result(underway=[idle, *found.schedule]) == found


@pytest.mark.parametrize(
    "changes", [{"worker_1": "fly(moon)"}, {"worker_1": "serve(o1.1)"}, {"worker_1": "wait"}]
)
def test_what_cannot_be_carried_out_is_not_continued(later: Any, changes: dict[str, str]) -> None:
    wrong = [{**later.underway[0], **changes}, *later.underway[1:]]
    result = later.result(underway=wrong)
    assert result.configuration != UNDERWAY
    later.queue, later.underway = list(result.schedule), list(result.schedule)
    later.finish()


def test_what_serves_no_new_line_is_not_continued(later: Any) -> None:
    later.order(["Buttered Toast"])
    assert later.result(underway=later.underway).configuration != UNDERWAY


def test_what_still_serves_is_continued_where_nothing_is_found(
    later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Planning, "best", lambda *_: None)
    result = later.result(underway=later.underway)
    assert (result.schedule, result.status, result.fallback) == (later.underway, "feasible", None)


@pytest.mark.parametrize("planner", ["embedded", "hybrid"])
def test_a_planner_passes_on_what_is_under_way(
    planner: str, models: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks: list[Schedule] = []

    def remembered(*given: Any, underway: Schedule, **how: Any) -> ScheduleResult:
        asks.append(underway)
        return make_schedule(*given, underway=underway, **how)

    module = planners if planner == "embedded" else asking
    monkeypatch.setattr(module, "make_schedule", remembered)
    made: Any = (
        planners.EmbeddedPlanner()
        if planner == "embedded"
        else asking.HybridPlanner(models.Scripted())
    )
    row = {"worker_1": "navigate(pantry)"}
    asyncio.run(made.plan(models.observe("level1/03", underway=[list(row.items())])))
    assert asks == [[row]]


def test_a_schedule_that_stops_early_is_not_taken_instead(
    later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Solution, "find_visited_missing", lambda _: {"grill_1"})
    monkeypatch.setattr(schedule, "until_missed", lambda _: 1)
    short = later.result(underway=[])
    assert (short.status, len(short.schedule)) == ("partial", 1)
    result = later.result(underway=later.underway)
    assert (result.schedule, result.status) == (later.underway, "feasible")
