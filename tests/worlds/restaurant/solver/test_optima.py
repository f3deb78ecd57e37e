"""Both models of the solver agree with a search that tries everything in the simulator."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cookmas.kitchen.components import parse_component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.stages import Workload, unfold_dish
from cookmas.kitchen.world import Restaurant
from cookmas.worlds.restaurant.scheduling.planning import Planning
from cookmas.worlds.restaurant.scheduling.schedule import EFFORT, serves
from cookmas.worlds.restaurant.solver.cpsat import BOUNDING, SolverAnswer, run
from cookmas.worlds.restaurant.solver.improving import improve
from cookmas.worlds.restaurant.solver.rules import RulesModel
from tests.worlds.restaurant.solver.brute import Wanted, fewest, open_lines, tiny

UNITS = 2.0
LARDER = {"bread": "pantry", "beef": "fridge", "oil": "pantry"}

CASES: Mapping[str, tuple[int, Mapping[str, int], tuple[tuple[str, ...], ...]]] = {
    "a slice by one": (1, {"board": 1}, (("bread > slice 1",),)),
    "a toast by one": (1, {"grill": 2}, (("bread > grill 3",),)),
    "two raw foods by two": (2, {}, (("bread", "beef"),)),
}


def dishes(case: str) -> tuple[Kitchen, Wanted]:
    """Return the kitchen and the dishes of a case."""
    workers, slots, wanted = CASES[case]
    return tiny(LARDER, workers, **slots), {
        f"o1.{n}": tuple(parse_component(text, {}) for text in parts)
        for n, parts in enumerate(wanted, start=1)
    }


def bound(kitchen: Kitchen, wanted: Wanted, horizon: int) -> SolverAnswer:
    """Return the answer of the solver about the rules, for schedules of at most a length."""
    work = Workload()
    for line, components in wanted.items():
        unfold_dish(work, line, components, kitchen.larder)
    return run(RulesModel(kitchen, work, {}, horizon).model, UNITS, BOUNDING)


@pytest.mark.parametrize("case", CASES)
def test_both_models_agree_with_trying_everything(case: str) -> None:
    kitchen, wanted = dishes(case)
    begin = open_lines(kitchen, Restaurant(kitchen).start(), wanted)
    found = Planning(kitchen, begin, wanted, wanted, EFFORT).best()
    assert found is not None
    improved = improve(kitchen, begin, found, UNITS)
    assert improved.rows is not None
    assert serves(kitchen, begin, improved.rows, wanted)
    best = len(improved.rows)
    assert improved.bound == fewest(kitchen, begin, wanted, best) == best
    assert bound(kitchen, wanted, best).value == best
    shorter = bound(kitchen, wanted, best - 1)
    assert (shorter.value, shorter.proven) == (None, True)
