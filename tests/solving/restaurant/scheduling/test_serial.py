"""Tasks are planned one after the other, each at the earliest timestep at which it fits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.reinserting import Packing
from cookmas.solving.restaurant.scheduling.search import Search
from cookmas.solving.restaurant.scheduling.serial import SerialGeneration, Starts
from cookmas.solving.restaurant.scheduling.states import HOPELESS, PartialSchedule


def busy(floor: Any, seed: int) -> tuple[Any, Problem]:
    """Return a small kitchen with something in progress, and the problem of its open lines."""
    shift = floor.busy(seed, workers=3, begun=6)
    return shift, shift.problem()


def opening(problem: Problem) -> PartialSchedule:
    """Return a state in which only the work that cannot wait is planned."""
    state = Search(problem).open_states(1)[0].copy()
    state.forget_ends()
    return state


@pytest.mark.parametrize("seed", [1, 3, 6, 8])
def test_no_mode_fits_where_its_start_is_blocked(floor: Any, seed: int) -> None:
    _, problem = busy(floor, seed)
    found = Search(problem).best(1)
    assert found
    packing = Packing(problem, found)
    problem.resources.fills_gaps = True
    starts = Starts(problem.resources)
    blocked_starts = 0
    for line in packing.plans:
        state = packing.take_out([line])
        if state is None:
            continue
        starts.look_at(state.levels)
        for entry in problem.entries:
            if entry.task.kind == "clear" or problem.tasks.line(entry.task) != line:
                continue
            for mode in entry.modes:
                if any(stage not in state.open_at for stage, _ in mode.leaves):
                    continue
                blocked = starts.find_blocked(mode, state.open_at, 0)
                for at in range(found.length + 5):
                    if blocked >> at & 1:
                        blocked_starts += 1
                        took = problem.resources.place(state.levels, mode, at, state.open_at)
                        assert took is None
    assert blocked_starts > 100


@pytest.mark.parametrize("seed", [1, 3, 5, 7, 9])
def test_lines_are_served_before_a_timestep_or_not_planned(floor: Any, seed: int) -> None:
    _, problem = busy(floor, seed)
    generation = SerialGeneration(problem, Random(seed))
    lines = list(generation.lines)
    state = generation.plan(opening(problem), lines, HOPELESS)
    assert state
    assert not state.todo & problem.needed
    again = SerialGeneration(problem, Random(seed))
    sooner = again.plan(opening(problem), lines, state.last)
    assert sooner is None or sooner.last < state.last
    once_more = SerialGeneration(problem, Random(seed))
    same = once_more.plan(opening(problem), lines, state.last + 1)
    assert same
    assert same.last <= state.last
    assert once_more.plan(opening(problem), lines, 20) is None


def test_a_worker_begins_where_it_stands(floor: Any) -> None:
    shift = floor.shift("small", workers=1, effort=60)
    shift.order(["Buttered Toast"])
    shift.tick({"worker_1": "navigate(pantry)"})
    problem = shift.problem()
    generation = SerialGeneration(problem, Random(1))
    state = generation.plan(opening(problem), list(generation.lines), HOPELESS)
    assert state
    (first,) = [placed for placed in state.placements() if placed.start == 0]
    assert [op.verb for op in first.mode.ops if op.time == 0] == ["pick"]
    assert first.blocks[0] == -1


def test_a_worker_goes_on_where_it_stands(floor: Any) -> None:
    _, problem = busy(floor, 1)
    generation = SerialGeneration(problem, Random(1))
    state = generation.plan(opening(problem), list(generation.lines), HOPELESS)
    assert state
    own = [p for p in state.placements() if p.mode.task in problem.bits]
    first = [min(placed.mode.ops, key=lambda op: op.time).verb for placed in own]
    assert "work" in first
