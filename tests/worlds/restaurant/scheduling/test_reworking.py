"""Some lines of a schedule are planned anew, and all others stay."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.reuse import find_remaining
from worlds.restaurant.scheduling.reworking import Reworking
from worlds.restaurant.scheduling.search import Search


def busy(floor: Any, seed: int) -> tuple[Any, Any]:
    """Return a small kitchen with something under way, and its work."""
    shift = floor.shift("small", workers=3, effort=60)
    rng = Random(seed)
    shift.order(rng.choices(list(floor.items), k=3), rng)
    shift.play(6)
    shift.queue = []
    shift.order(rng.choices(list(floor.items), k=2), rng)
    return shift, find_remaining(shift.kitchen, shift.seen(), shift.open())


@pytest.mark.parametrize("seed", [1, 3, 6])
def test_planning_lines_anew_shortens_a_schedule(floor: Any, seed: int) -> None:
    shift, work = busy(floor, seed)
    kitchen, state = shift.kitchen, shift.seen()
    found = Search(Problem(kitchen, state, work)).best(1)
    assert found
    reworking = Reworking(Problem(kitchen, state, work))
    shorter = reworking.shorten(found, 60_000, 0)
    assert shorter.length < found.length
    assert reworking.search.cost < 70_000


@pytest.mark.parametrize("seed", [1, 3, 6])
def test_all_but_the_lines_planned_anew_stays_as_it_was(floor: Any, seed: int) -> None:
    shift, work = busy(floor, seed)
    kitchen, state = shift.kitchen, shift.seen()
    found = Search(Problem(kitchen, state, work)).best(1)
    assert found
    reworking = Reworking(Problem(kitchen, state, work))
    freed = next(iter(reworking.tasks.deliveries)).line
    left = reworking.plan_without(found, [freed])
    assert left
    stays = {(p.start, tuple(p.spots.values())) for p in left.placements()}
    asked = [p for p in found.placed if reworking.line_of(p) != freed]
    assert stays >= {(p.start, tuple(p.spots.values())) for p in asked}
    assert left.todo


@pytest.mark.parametrize("seed", [1, 3, 6])
def test_who_goes_on_on_the_spot_was_there_before(floor: Any, seed: int) -> None:
    shift, work = busy(floor, seed)
    kitchen, state = shift.kitchen, shift.seen()
    found = Search(Problem(kitchen, state, work)).best(1)
    assert found
    reworking = Reworking(Problem(kitchen, state, work))
    for freed in {delivery.line for delivery in reworking.tasks.deliveries}:
        left = reworking.plan_without(found, [freed])
        if left is None:
            continue
        ends = {(0, -worker - 1) for worker in reworking.problem.in_service}
        for placed in left.placements():
            walks = min(op for op in placed.mode.ops if op.block == 0).verb == "nav"
            assert walks or placed.mode.hands or (placed.start, placed.blocks[0]) in ends
            blocks = zip(placed.blocks, placed.mode.blocks, strict=True)
            ends |= {(placed.start + end, number) for number, (_, end) in blocks}


@pytest.mark.parametrize("seed", [1, 3, 6])
def test_all_that_begins_before_the_end_stays_as_it_was(floor: Any, seed: int) -> None:
    shift, work = busy(floor, seed)
    kitchen, state = shift.kitchen, shift.seen()
    found = Search(Problem(kitchen, state, work)).best(1)
    assert found
    left = Reworking(Problem(kitchen, state, work)).plan_until(found, 12)
    assert left
    stays = {(p.start, p.mode.task) for p in left.placements()}
    before = {(p.start, p.mode.task) for p in found.placed if p.start < 12}
    assert stays >= before
    assert len(stays) < len(found.placed)


def test_planning_ends_anew_shortens_a_schedule(floor: Any) -> None:
    shift, work = busy(floor, 1)
    kitchen, state = shift.kitchen, shift.seen()
    found = Search(Problem(kitchen, state, work)).best(1)
    assert found
    reworking = Reworking(Problem(kitchen, state, work), ends=1.0)
    reworking._choose_lines = lambda found: pytest.fail("only the end is planned anew")  # type: ignore[method-assign]
    assert reworking.shorten(found, 60_000, 0).length < found.length
