"""A schedule is split into the plans of its lines; they are taken out and put in again."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest

from cookmas.solving.restaurant.scheduling.decode import decode
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.reinserting import Packing, Reinserting
from cookmas.solving.restaurant.scheduling.schedule import serves
from cookmas.solving.restaurant.scheduling.search import Search
from cookmas.solving.restaurant.scheduling.serial import SerialGeneration
from cookmas.solving.restaurant.scheduling.states import HOPELESS, Placed, Solution
from tests.sampling import sampled


class Busy(NamedTuple):
    """A small kitchen with something in progress, a schedule of its open lines, and a shorter one.

    No test changes them.
    """

    seed: int
    shift: Any
    problem: Problem
    found: Solution
    shorter: Solution
    cost: float
    """What it cost to shorten it."""

    def serves(self, solution: Solution) -> bool:
        kitchen, seen = self.shift.kitchen, self.shift.seen()
        rows = decode(kitchen, seen, self.problem.tasks.work.stages, solution)
        return serves(kitchen, seen, rows, self.shift.open())


@pytest.fixture(scope="module", params=sampled([1, 6, 3, 8], 2))
def busy(floor: Any, request: pytest.FixtureRequest) -> Busy:
    shift = floor.busy(request.param, workers=4, begun=8)
    problem = shift.problem()
    found = Search(problem).best(1)
    assert found
    reinserting = Reinserting(problem, Random(1))
    shorter = reinserting.shorten(found, 300_000, 0)
    return Busy(request.param, shift, problem, found, shorter, reinserting.serial.cost)


def as_rows(found: Solution) -> set[tuple[int, object, object, object]]:
    """Return the placed modes of a schedule in a form that can be compared."""
    return {
        (placed.start, placed.mode.task, tuple(placed.spots.items()), tuple(placed.blocks))
        for placed in found.placed
    }


def test_a_schedule_that_is_split_into_lines_stays_the_same(busy: Busy) -> None:
    again = Packing(busy.problem, busy.found).solution("split")
    assert as_rows(again) == as_rows(busy.found)
    assert again.length == busy.found.length
    assert again.configuration == "split"


@pytest.mark.parametrize("since", [0, 9])
def test_other_lines_stay_as_they_were_and_everything_is_served(busy: Busy, since: int) -> None:
    packing = Packing(busy.problem, busy.found)
    generation = SerialGeneration(busy.problem, Random(busy.seed))
    again = 0
    for line in packing.plans:
        freed = packing.find_followers([line])
        state = packing.take_out(freed, since)
        after = state and generation.plan(state, sorted(freed), HOPELESS)
        if not freed or not after:
            continue
        again += 1
        new = packing.put_in(after)
        assert {li: p for li, p in new.plans.items() if li not in freed} == {
            li: p for li, p in packing.plans.items() if li not in freed
        }
        solution = new.solution("again")
        assert solution.length == new.length == after.last
        early = {placed for placed in as_rows(busy.found) if placed[0] < since}
        assert early <= as_rows(solution)
        assert busy.serves(solution)
    assert again


def test_lines_can_be_taken_out_again_and_again(busy: Busy) -> None:
    assert busy.shorter.length <= busy.found.length
    assert busy.serves(busy.shorter)


@pytest.mark.parametrize("busy", [1], indirect=True)
def test_planning_lines_again_shortens_a_schedule_until_its_cost_is_spent(busy: Busy) -> None:
    found = busy.found
    assert busy.shorter.length < found.length
    assert busy.shorter.configuration == "lines inserted again"
    assert 300_000 < busy.cost < 320_000
    assert Reinserting(busy.problem, Random(1)).shorten(found, 300_000, found.length) is found


def line_of(problem: Problem, placed: Placed) -> str:
    """Return the line that a placed mode is for; "" if it is for none."""
    return problem.tasks.line(placed.mode.task) if placed.mode.task else ""


def test_who_goes_on_where_it_worked_for_a_line_is_taken_out_with_it(busy: Busy) -> None:
    problem, found = busy.problem, busy.found
    packing = Packing(problem, found)
    first: dict[int, Placed] = {}
    for placed in sorted(found.placed, key=lambda placed: placed.start):
        for block in placed.blocks:
            first.setdefault(block, placed)
    for line in packing.plans:
        freed = packing.find_followers([line])
        assert not freed or line in freed
        for placed in found.placed:
            owners = {line_of(problem, first[block]) for block in placed.blocks}
            if freed and line_of(problem, placed) not in freed:
                assert not owners & freed


def test_work_that_cannot_wait_stays_planned(busy: Busy) -> None:
    forced = {p for p in as_rows(busy.found) if p[1] not in busy.problem.bits}
    assert as_rows(busy.shorter) >= forced
    assert Packing(busy.problem, busy.found).length == busy.found.length
