"""Tasks are planned one after the other, each at the earliest timestep at which it fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from cookmas.kitchen.components import Component
from cookmas.worlds.restaurant.scheduling import serial
from cookmas.worlds.restaurant.scheduling.packing import Packing
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.reuse import find_remaining
from cookmas.worlds.restaurant.scheduling.search import Search
from cookmas.worlds.restaurant.scheduling.serial import SerialGeneration
from cookmas.worlds.restaurant.scheduling.starts import Starts
from cookmas.worlds.restaurant.scheduling.states import HOPELESS, PartialSchedule


def busy(floor: Any, seed: int) -> tuple[Any, Problem]:
    """Return a small kitchen with something in progress, and the problem of its open lines."""
    shift = floor.busy(seed, workers=3, begun=6)
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    return shift, Problem(shift.kitchen, shift.seen(), work)


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
    state = generation.plan(generation.clear(opening(problem)), lines, HOPELESS)
    assert state
    assert not state.todo & problem.needed
    again = SerialGeneration(problem, Random(seed))
    sooner = again.plan(again.clear(opening(problem)), lines, state.last)
    assert sooner is None or sooner.last < state.last
    once_more = SerialGeneration(problem, Random(seed))
    same = once_more.plan(once_more.clear(opening(problem)), lines, state.last + 1)
    assert same
    assert same.last <= state.last
    assert once_more.plan(opening(problem), lines, 20) is None


def test_a_worker_begins_where_it_stands(floor: Any) -> None:
    shift = floor.shift("small", workers=1, effort=60)
    shift.order(["Buttered Toast"])
    shift.tick({"worker_1": "navigate(pantry)"})
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    problem = Problem(shift.kitchen, shift.seen(), work)
    generation = SerialGeneration(problem, Random(1))
    state = generation.plan(opening(problem), list(generation.lines), HOPELESS)
    assert state
    (first,) = [placed for placed in state.placements() if placed.start == 0]
    assert [op.verb for op in first.mode.ops if op.time == 0] == ["pick"]
    assert first.blocks[0] == -1


def test_useless_things_are_sometimes_removed_before_they_are_in_the_way(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=6, effort=60)
    shift.state = floor.with_things(shift.state, pot_1=["carrot"])
    shift.order(["Shepherd's Pie"])
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    problem = Problem(shift.kitchen, shift.seen(), work)
    assert work.clears
    assert not problem.is_in_the_way(opening(problem), problem.entries[-1].task)
    for often, placed in ((0, 0), (1, len(work.clears))):
        monkeypatch.setattr(serial, "CLEARED", often)
        cleared = SerialGeneration(problem, Random(1)).clear(opening(problem))
        assert len(cleared.placements()) == placed


def sum_of_best(floor: Any) -> int:
    """Return the sum of the lengths of the best of a few random schedules for each of some
    kitchens; 999 for a kitchen for which none is found.
    """
    lengths = 0
    for seed in range(1, 9):
        _, problem = busy(floor, seed)
        start = opening(problem)
        found = []
        for chance in range(12):
            generation = SerialGeneration(problem, Random(chance))
            state = generation.plan(generation.clear(start), list(generation.lines), HOPELESS)
            found += [state.last] if state else []
        lengths += min(found, default=999)
    return lengths


@pytest.mark.parametrize(
    ("name", "value"), [("MARGINS", (0,)), ("TOGETHER", (1,)), ("BLURS", (0.0,))]
)
def test_schedules_are_longer_or_missing_with_less_variety(
    floor: Any, monkeypatch: pytest.MonkeyPatch, name: str, value: tuple[float, ...]
) -> None:
    whole = sum_of_best(floor)
    monkeypatch.setattr(serial, name, value)
    assert sum_of_best(floor) > whole


ROAST = (
    "chicken > bake 20-22",
    "chicken > bake 20-22",
    "potato > peel 1 > chop 2 > boil 6-7 > bake 12-14",
)
"""Foods for one oven: if the potato, which takes longest, comes first, the chicken is late."""

LAMB = (
    "(butter + butter + milk + potato > peel 1 > chop 2 > boil 12-14) > mix 2",
    "(honey + mint > chop 2 + vinegar) > mix 1",
    "lamb chop > grill medium",
)
"""Foods for one mixer: it is free for the mint while the potato boils."""


@pytest.mark.parametrize(("foods", "name"), [(ROAST, "WIDER_BLURS"), (LAMB, "STAGE_BLURS")])
def test_the_tasks_of_a_few_lines_are_planned_in_very_different_orders(
    floor: Any,
    component: Callable[[str], Component],
    monkeypatch: pytest.MonkeyPatch,
    foods: Sequence[str],
    name: str,
) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(["Classic Burger"])
    shift.wanted = {"o1.1": tuple(map(component, foods))}
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    problem = Problem(shift.kitchen, shift.seen(), work)

    def shortest() -> float:
        generation = SerialGeneration(problem, Random(1))
        states = [generation.plan(opening(problem), ["o1.1"], HOPELESS) for _ in range(100)]
        return min((state.last for state in states if state), default=HOPELESS)

    monkeypatch.setattr(serial, "STAGE_BLURS" if name == "WIDER_BLURS" else "WIDER_BLURS", (0.0,))
    varied = shortest()
    monkeypatch.setattr(serial, name, serial.BLURS)
    assert varied < shortest()
    monkeypatch.setattr(serial, "VARIED_LINES", 0)
    assert varied < shortest()


def test_a_worker_goes_on_where_it_stands(floor: Any) -> None:
    _, problem = busy(floor, 1)
    generation = SerialGeneration(problem, Random(1))
    state = generation.plan(opening(problem), list(generation.lines), HOPELESS)
    assert state
    own = [p for p in state.placements() if p.mode.task in problem.bits]
    first = [min(placed.mode.ops, key=lambda op: op.time).verb for placed in own]
    assert "work" in first
