"""Some lines of a schedule are planned anew, and all others stay."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from worlds.restaurant.scheduling import reworking
from worlds.restaurant.scheduling.filling_gaps import FillingGaps
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.reuse import find_remaining
from worlds.restaurant.scheduling.reworking import Reworking
from worlds.restaurant.scheduling.search import PLACING, Search


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
    searches = Reworking(Problem(kitchen, state, work))
    shorter = searches.shorten(found, 400_000, 0)
    assert shorter.length < found.length
    assert searches.search.cost < 440_000


@pytest.mark.parametrize("seed", [1, 3, 6])
def test_all_but_the_lines_planned_anew_stays_as_it_was(floor: Any, seed: int) -> None:
    shift, work = busy(floor, seed)
    kitchen, state = shift.kitchen, shift.seen()
    found = Search(Problem(kitchen, state, work)).best(1)
    assert found
    searches = Reworking(Problem(kitchen, state, work))
    freed = next(iter(searches.tasks.deliveries)).line
    left = searches.plan_without(found, [freed])
    assert left
    stays = {(p.start, tuple(p.spots.values())) for p in left.placements()}
    asked = [p for p in found.placed if searches.line_of(p) != freed]
    assert stays >= {(p.start, tuple(p.spots.values())) for p in asked}
    assert left.todo


@pytest.mark.parametrize("seed", [1, 3, 6])
def test_who_goes_on_on_the_spot_was_there_before(floor: Any, seed: int) -> None:
    shift, work = busy(floor, seed)
    kitchen, state = shift.kitchen, shift.seen()
    found = Search(Problem(kitchen, state, work)).best(1)
    assert found
    searches = Reworking(Problem(kitchen, state, work))
    for freed in {delivery.line for delivery in searches.tasks.deliveries}:
        left = searches.plan_without(found, [freed])
        if left is None:
            continue
        ends = {(0, -worker - 1) for worker in searches.problem.in_service}
        for placed in left.placements():
            walks = min(op for op in placed.mode.ops if op.block == 0).verb == "nav"
            assert walks or placed.mode.hands or (placed.start, placed.blocks[0]) in ends
            blocks = zip(placed.blocks, placed.mode.blocks, strict=True)
            ends |= {(placed.start + end, number) for number, (_, end) in blocks}


def test_no_schedule_is_repeated_in_which_a_stage_is_left_that_was_not_begun(floor: Any) -> None:
    shift, work = busy(floor, 1)
    kitchen, state = shift.kitchen, shift.seen()
    found = Search(Problem(kitchen, state, work)).best(1)
    assert found
    searches = Reworking(Problem(kitchen, state, work))
    root = searches.problem.root()
    leaving = [
        placed
        for placed in found.placed
        if any(stage not in root.open_at for stage, _ in placed.mode.leaves)
    ]
    assert leaving
    for placed in leaving:
        assert searches._repeat(root, [placed], dict.fromkeys(placed.blocks, placed)) is None


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
    searches = Reworking(Problem(kitchen, state, work), ends=1.0)
    searches._choose_lines = lambda found: pytest.fail("only the end is planned anew")  # type: ignore[method-assign]
    assert searches.shorten(found, 400_000, 0).length < found.length


def test_lines_planned_anew_wait_for_as_long_as_a_slack_says(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift, work = busy(floor, 1)
    problem = Problem(shift.kitchen, shift.seen(), work)
    found = Search(Problem(shift.kitchen, shift.seen(), work)).best(1)
    assert found
    monkeypatch.setattr(reworking, "SLACKS", (3,))
    searches = Reworking(problem)
    searches.shorten(found, 60_000, 0)
    assert searches.strategy.slack == 3


def test_a_search_costs_more_the_more_is_placed(floor: Any) -> None:
    shift, work = busy(floor, 1)
    search = Search(Problem(shift.kitchen, shift.seen(), work))
    search.best(1)
    assert 0 < search.placings < search.tried
    before = search.cost
    search.placings += 2
    assert search.cost == before + 2 * PLACING


@pytest.mark.parametrize("slack", [0, 5])
def test_what_may_wait_is_not_begun_before_it_must(floor: Any, slack: int) -> None:
    shift, work = busy(floor, 1)
    problem = Problem(shift.kitchen, shift.seen(), work)
    gaps = FillingGaps(problem, "")
    (state, *_) = Search(problem).open_states(1)
    state.last = 99
    every = gaps.rank(state, Random(0))
    assert {entry.bit for entry in every} == {
        entry.bit for entry in problem.entries if entry.bit & state.todo
    }
    gaps.slack = slack
    ranked = gaps.rank(state, Random(0))
    assert 0 < len(ranked) < len(every)
    for name, line in gaps.lines.items():
        tails = [entry.tail for entry in ranked if problem.tasks.line(entry.task) == name]
        longest = line.find_rest(line.bits & state.todo).at_hand
        assert max(tails) >= longest
        assert all(tail >= longest - slack for tail in tails)
    state.t = state.last
    assert len(gaps.rank(state, Random(0))) == len(every)
