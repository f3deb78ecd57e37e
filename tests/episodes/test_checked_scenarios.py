"""Checked scenarios, end to end through the graph: judged, and replayed.

The tests play a fifth of levels 1 and 2. Of level 3, whose runs cost most, they play those in which
all kinds of events come. `make conformance` plays all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import cookmas
from cookmas.api import Run
from cookmas.episodes.trace import (
    EventRecord,
    PlanRecord,
    StepRecord,
    Superstep,
    Trace,
    TriggerRecord,
)
from cookmas.scenarios.scenario import load_scenario, scenario_names
from tests.sampling import CONFORMANCE, covering, sampled


def kinds_of(name: str) -> set[str]:
    """Return the kinds of events of a scenario."""
    return {event["kind"] for _, event in load_scenario(name).events()}


def ordered(name: str) -> int:
    """Return the number of lines that are ordered, with which the cost of a run grows."""
    return sum(len(event.get("lines", ())) for _, event in load_scenario(name).events())


NAMES = [
    *(name for level in (1, 2) for name in sampled(scenario_names(level), 5)),
    *covering(scenario_names(3), kinds_of, ordered),
]
TWICE = NAMES if CONFORMANCE else NAMES[1::4]
"""Those that are played twice."""


def has_fault(name: str) -> bool:
    return "fault" in kinds_of(name)


def fails(trace: Trace) -> list[Any]:
    return [(step.timestep, step.fails) for step in trace.of(StepRecord) if step.fails]


def test_there_are_twenty_a_level() -> None:
    assert [len(scenario_names(level)) for level in (1, 2, 3)] == [20, 20, 20]
    assert any(map(has_fault, NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_is_a_success(played: Any, name: str) -> None:
    run: Run = played(name)
    assert run.trace.end
    assert run.trace.end.termination == "finished"
    assert run.verdict
    assert run.success is True, run.verdict.why
    unscored = [check for check in run.verdict.checks if check.value is None]
    assert {(check.name, check.reason) for check in unscored} <= {("tardiness", "no due time")}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_fails_where_no_fault_happens(played: Any, name: str) -> None:
    found = fails(played(name).trace)
    if has_fault(name):
        assert {fail.fail for _, by in found for fail in by.values()} <= {"out_of_service"}
    else:
        assert found == []


@pytest.mark.parametrize("name", NAMES)
def test_every_timestep_replays_equal(played: Any, name: str) -> None:
    trace: Trace = played(name).trace
    frames = list(cookmas.replay(trace))
    assert [frame.timestep for frame in frames] == [s.timestep for s in trace.of(StepRecord)]
    assert [frame.timestep for frame in frames if not frame.equal] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_planner_is_called_at_triggers_and_at_no_other_time(played: Any, name: str) -> None:
    trace: Trace = played(name).trace
    triggered = {record.timestep for record in trace.of(TriggerRecord)}
    planned = [record.timestep for record in trace.of(PlanRecord)]
    ran = [record.timestep for record in trace.of(Superstep) if record.nodes == ["planner"]]
    assert planned == ran == sorted(triggered)
    assert triggered == expected_calls(trace)


def expected_calls(trace: Trace) -> set[int]:
    """Timesteps that call for the planner, read off what happened rather than off the triggers."""
    assert trace.end
    end = trace.end.timestep
    events = {e.timestep for e in trace.of(EventRecord) if e.refused is None}
    failed = {step.timestep + 1 for step in trace.of(StepRecord) if step.fails}
    calls = sorted(t for t in events | failed if t < end)
    lengths = {plan.timestep: len(plan.schedule) for plan in trace.of(PlanRecord)}
    open_at = open_lines(trace)
    expected: set[int] = set()
    runs_out = 0
    for timestep in range(end):
        if timestep in calls or (timestep >= runs_out and open_at[timestep]):
            expected.add(timestep)
            runs_out = timestep + lengths.get(timestep, 0)
    return expected


def open_lines(trace: Trace) -> Mapping[int, bool]:
    """Whether anything was still to be served, at each timestep once its events had happened."""
    return {f.timestep: bool(f.before.open_lines()) for f in cookmas.replay(trace)}


@pytest.mark.parametrize("name", TWICE)
def test_two_runs_give_the_same_bytes(played: Any, name: str) -> None:
    again = cookmas.play(name).trace
    assert list(again.lines()) == list(played(name).trace.lines())


def test_what_came_of_every_event_is_in_the_trace(played: Any) -> None:
    for name in NAMES:
        given = [(at, event) for at, event in load_scenario(name).events()]
        taken = [(record.timestep, record.event) for record in played(name).trace.of(EventRecord)]
        assert sorted(taken, key=repr) == sorted(given, key=repr), name


def makespan(run: Any) -> int:
    found: int = run.verdict.summary["makespan"]
    return found


def test_the_naive_planner_serves_everything_and_is_slower(played: Any) -> None:
    names = [name for name in NAMES if name.startswith("level1/")]
    slower = 0
    for name in names:
        naive = cookmas.play(name, planner="naive")
        assert naive.success is True, f"{name}: {naive.verdict and naive.verdict.why}"
        assert fails(naive.trace) == []
        makespans = [makespan(naive), makespan(played(name))]
        assert makespans[0] >= makespans[1], name
        slower += makespans[0] > makespans[1]
    assert slower >= 0.9 * len(names)
