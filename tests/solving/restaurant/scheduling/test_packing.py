"""A schedule is split into the plans of its lines; they are taken out and put in again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cookmas.solving.restaurant.scheduling.decode import decode
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.reinserting import Packing, Reinserting
from cookmas.solving.restaurant.scheduling.reuse import Remaining, find_remaining
from cookmas.solving.restaurant.scheduling.schedule import serves
from cookmas.solving.restaurant.scheduling.search import Search
from cookmas.solving.restaurant.scheduling.serial import SerialGeneration
from cookmas.solving.restaurant.scheduling.states import HOPELESS, Placed, Solution

SEEDS = (1, 3, 6, 8)


def busy(floor: Any, seed: int) -> tuple[Any, Remaining, Problem, Solution]:
    """Return a small kitchen with something in progress, and a schedule of its open lines."""
    shift = floor.busy(seed, workers=4, begun=8)
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    problem = Problem(shift.kitchen, shift.seen(), work)
    found = Search(problem).best(1)
    assert found
    return shift, work, problem, found


def as_rows(found: Solution) -> set[tuple[int, object, object, object]]:
    """Return the placed modes of a schedule in a form that can be compared."""
    return {
        (placed.start, placed.mode.task, tuple(placed.spots.items()), tuple(placed.blocks))
        for placed in found.placed
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_a_schedule_that_is_split_into_lines_stays_the_same(floor: Any, seed: int) -> None:
    *_, problem, found = busy(floor, seed)
    again = Packing(problem, found).solution("split")
    assert as_rows(again) == as_rows(found)
    assert again.length == found.length
    assert again.configuration == "split"


@pytest.mark.parametrize("since", [0, 9])
@pytest.mark.parametrize("seed", SEEDS)
def test_other_lines_stay_as_they_were_and_everything_is_served(
    floor: Any, seed: int, since: int
) -> None:
    shift, work, problem, found = busy(floor, seed)
    packing = Packing(problem, found)
    generation = SerialGeneration(problem, Random(seed))
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
        early = {placed for placed in as_rows(found) if placed[0] < since}
        assert early <= as_rows(solution)
        rows = decode(shift.kitchen, shift.seen(), work.stages, solution)
        assert serves(shift.kitchen, shift.seen(), rows, shift.open())
    assert again


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_can_be_taken_out_again_and_again(floor: Any, seed: int) -> None:
    shift, work, problem, found = busy(floor, seed)
    reinserting = Reinserting(problem, Random(1))
    shorter = reinserting.shorten(found, 1_000_000, 0)
    assert shorter.length <= found.length
    rows = decode(shift.kitchen, shift.seen(), work.stages, shorter)
    assert serves(shift.kitchen, shift.seen(), rows, shift.open())


def test_planning_lines_again_shortens_a_schedule_until_its_cost_is_spent(floor: Any) -> None:
    *_, problem, found = busy(floor, 1)
    reinserting = Reinserting(problem, Random(1))
    shorter = reinserting.shorten(found, 300_000, 0)
    assert shorter.length < found.length
    assert shorter.configuration == "lines inserted again"
    assert 300_000 < reinserting.serial.cost < 320_000
    assert Reinserting(problem, Random(1)).shorten(found, 300_000, found.length) is found


def line_of(problem: Problem, placed: Placed) -> str:
    """Return the line that a placed mode is for; "" if it is for none."""
    return problem.tasks.line(placed.mode.task) if placed.mode.task else ""


@pytest.mark.parametrize("seed", SEEDS)
def test_who_goes_on_where_it_worked_for_a_line_is_taken_out_with_it(floor: Any, seed: int) -> None:
    *_, problem, found = busy(floor, seed)
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


@pytest.mark.parametrize("seed", SEEDS)
def test_work_that_cannot_wait_stays_planned(floor: Any, seed: int) -> None:
    *_, problem, found = busy(floor, seed)
    packing = Packing(problem, found)
    forced = {p for p in as_rows(found) if p[1] not in problem.bits}
    shorter = Reinserting(problem, Random(1)).shorten(found, 1_000_000, 0)
    assert as_rows(shorter) >= forced
    assert packing.length == found.length
