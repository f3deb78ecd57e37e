"""Lines are planned one after the other, each in the time that the others leave free."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cookmas.worlds.restaurant.scheduling.inserting import Inserting
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.reuse import find_remaining
from cookmas.worlds.restaurant.scheduling.states import HOPELESS


def many_lines(floor: Any, *, begun: int = 0) -> Inserting:
    """Return the search for eight lines in a small kitchen, `begun` timesteps after the start."""
    shift = floor.shift("small", workers=6, effort=60)
    rng = Random(5)
    shift.order(rng.choices(list(floor.items), k=4), rng)
    shift.play(begun)
    shift.queue = []
    shift.order(rng.choices(list(floor.items), k=4), rng)
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    return Inserting(Problem(shift.kitchen, shift.seen(), work), Random(1))


@pytest.mark.parametrize("begun", [0, 7])
def test_every_line_is_served_once(floor: Any, begun: int) -> None:
    inserting = many_lines(floor, begun=begun)
    found = inserting.best(300_000, 0)
    assert found
    served = [op.word for placed in found.placed for op in placed.mode.ops if op.verb == "serve"]
    assert sorted(served) == sorted(d.line for d in inserting.problem.tasks.deliveries)
    assert found.configuration == "lines one after the other"


def test_more_orders_find_a_shorter_schedule(floor: Any) -> None:
    few = many_lines(floor).best(60_000, 0)
    many = many_lines(floor).best(600_000, 0)
    assert few
    assert many
    assert many.length < few.length


def test_a_search_ends_when_its_cost_is_spent_or_its_schedule_is_good(floor: Any) -> None:
    first, good = many_lines(floor), many_lines(floor)
    assert first.best(300_000, 0)
    assert 300_000 < first.serial.cost < 330_000
    assert good.best(300_000, HOPELESS)
    assert good.serial.cost < 100_000


def test_no_schedule_is_found_that_is_not_shorter_than_the_known_one(floor: Any) -> None:
    best = many_lines(floor).best(200_000, 0)
    assert best
    shorter = many_lines(floor).best(200_000, 0, best.length)
    assert shorter is None or shorter.length < best.length
    assert many_lines(floor).best(200_000, 0, 30) is None
