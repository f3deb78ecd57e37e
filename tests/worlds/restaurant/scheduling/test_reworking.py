"""Some lines of a schedule are planned anew, and all others stay."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from worlds.restaurant.scheduling.reuse import remaining
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
    return shift, remaining(shift.kitchen, shift.seen(), shift.open())


@pytest.mark.parametrize("seed", [1, 3, 6])
def test_planning_lines_anew_shortens_a_schedule(floor: Any, seed: int) -> None:
    shift, work = busy(floor, seed)
    kitchen, state = shift.kitchen, shift.seen()
    found = Search(kitchen, state, work).best(1, 0)
    assert found
    reworking = Reworking(kitchen, state, work)
    shorter = reworking.shortened(found, 60_000, 0)
    assert shorter.length < found.length
    assert reworking.cost < 70_000


@pytest.mark.parametrize("seed", [1, 3, 6])
def test_all_but_the_lines_planned_anew_stays_as_it_was(floor: Any, seed: int) -> None:
    shift, work = busy(floor, seed)
    kitchen, state = shift.kitchen, shift.seen()
    found = Search(kitchen, state, work).best(1, 0)
    assert found
    reworking = Reworking(kitchen, state, work)
    freed = next(iter(reworking.tasks.deliveries)).line
    left = reworking.without(found, [freed])
    assert left
    stays = {(p.start, tuple(p.spots.values())) for p in left.placements()}
    asked = [p for p in found.placed if reworking.line_of(p) != freed]
    assert stays >= {(p.start, tuple(p.spots.values())) for p in asked}
    assert left.todo
