"""What finds no room is not placed."""

from __future__ import annotations

from random import Random
from typing import Any

from cookmas.solving.restaurant.scheduling.profile import span, take
from cookmas.solving.restaurant.scheduling.resources import KeptStation
from cookmas.solving.restaurant.scheduling.search import Search


def test_a_taken_board_blocks_what_is_cut(floor: Any) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(Random(1).choices(list(floor.items), k=3))
    search = Search(shift.problem())
    resources = search.resources
    cut = [
        mode
        for entry in search.entries
        for mode in entry.modes
        if any(op.verb == "work" for op in mode.ops) and not mode.leaves
    ]
    assert cut
    assert all(resources.place(resources.levels, mode, 0, {}) for mode in cut)
    taken = [-1] * len(resources.levels)
    assert not any(resources.place(taken, mode, 0, {}) for mode in cut)


def test_no_plating_place_blocks_what_is_put_on_one(floor: Any) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(["Buttered Toast"])
    resources = Search(problem := shift.problem()).resources
    (stage,) = [n for n, made in enumerate(problem.tasks.work.stages) if made.kind == "plating"]
    plates = [
        mode
        for entry in problem.entries
        for mode in entry.modes
        if entry.task.stage == stage and entry.task.kind == "input"
    ]
    levels = resources.levels.copy()
    begun = {stage: KeptStation("plating_1", 0)}
    assert all(resources.place(levels, mode, 0, {}) for mode in plates)
    for name in resources.by_kind["plating"]:
        slot, _ = resources.slot_levels[name]
        take(levels, slot, slot, -1)
    assert not any(resources.place(levels, mode, 0, {}) for mode in plates)
    assert all(resources.place(levels, mode, 0, begun) for mode in plates)
    stand, _ = resources.stand_levels["plating_1"]
    take(levels, stand, stand, span(0, 40))
    assert not any(resources.place(levels, mode, 0, begun) for mode in plates)
