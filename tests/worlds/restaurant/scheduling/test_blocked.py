"""What surely cannot start is told before it is placed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.profile import span, take
from cookmas.worlds.restaurant.scheduling.resources import KeptStation
from cookmas.worlds.restaurant.scheduling.reuse import find_remaining
from cookmas.worlds.restaurant.scheduling.search import Search


@pytest.mark.parametrize("seed", range(6))
def test_what_is_blocked_cannot_be_placed(floor: Any, seed: int) -> None:
    shift, rng = floor.random(seed, most=6)
    shift.play(rng.randint(1, 6))
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    search = Search(Problem(shift.kitchen, shift.seen(), work))
    blocked = 0
    for state in search.open_states(1):
        modes = [mode for entry in search.entries for mode in entry.modes if not mode.leaves]
        for _ in range(200):
            levels = [
                level | span(0, rng.randint(0, 3)) << rng.randint(0, 9) for level in state.levels
            ]
            mode, t = rng.choice(modes), rng.randint(0, 5)
            if search.resources.is_blocked(levels, mode, t, state.open_at):
                blocked += 1
                assert search.resources.place(levels, mode, t, state.open_at) is None
    assert blocked


def test_a_taken_board_blocks_what_is_cut(floor: Any) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(Random(1).choices(list(floor.items), k=3))
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    search = Search(Problem(shift.kitchen, shift.seen(), work))
    resources = search.resources
    cut = [
        mode
        for entry in search.entries
        for mode in entry.modes
        if any(op.verb == "work" for op in mode.ops) and not mode.leaves
    ]
    assert cut
    assert not any(resources.is_blocked(resources.levels, mode, 0, {}) for mode in cut)
    taken = [-1] * len(resources.levels)
    assert all(resources.is_blocked(taken, mode, 0, {}) for mode in cut)


def test_no_plating_place_blocks_what_is_put_on_one(floor: Any) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(["Buttered Toast"])
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    resources = Search(problem := Problem(shift.kitchen, shift.seen(), work)).resources
    (stage,) = [n for n, made in enumerate(work.stages) if made.kind == "plating"]
    plates = [
        mode
        for entry in problem.entries
        for mode in entry.modes
        if entry.task.stage == stage and entry.task.kind == "input"
    ]
    levels = resources.levels.copy()
    begun = {stage: KeptStation("plating_1", 0)}
    assert not any(resources.is_blocked(levels, mode, 0, {}) for mode in plates)
    for name in resources.by_kind["plating"]:
        slot, _ = resources._slots[name]
        take(levels, slot, slot, -1)
    assert all(resources.is_blocked(levels, mode, 0, {}) for mode in plates)
    assert not any(resources.is_blocked(levels, mode, 0, begun) for mode in plates)
    stand, _ = resources._stand["plating_1"]
    take(levels, stand, stand, span(0, 40))
    assert all(resources.is_blocked(levels, mode, 0, begun) for mode in plates)
