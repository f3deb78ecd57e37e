"""Both models of the solver agree with a search that tries everything in the simulator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from cookmas.kitchen.components import parse_component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.stages import Workload, unfold_dish
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.solving.restaurant.scheduling.decode import Rows
from cookmas.solving.restaurant.scheduling.planning import Planning
from cookmas.solving.restaurant.scheduling.schedule import EFFORT, serves
from cookmas.solving.restaurant.solver.cpsat import BOUNDING, SolverAnswer, run
from cookmas.solving.restaurant.solver.improving import improve
from cookmas.solving.restaurant.solver.rules import RulesModel
from tests.solving.restaurant.solver.brute import Wanted, fewest, open_lines, tiny

UNITS = 2.0
LARDER = {"bread": "pantry", "beef": "fridge", "oil": "pantry"}
RAW = (("bread",), ("beef",))


class Case(NamedTuple):
    """A small kitchen, the dishes of its lines, and from when on lines are open."""

    workers: int
    slots: Mapping[str, int]
    dishes: Sequence[Sequence[str]]
    release: Mapping[str, int] = {}

    def kitchen(self) -> Kitchen:
        return tiny(LARDER, self.workers, **self.slots)

    def wanted(self) -> Wanted:
        return {
            f"o1.{n}": tuple(parse_component(text, {}) for text in parts)
            for n, parts in enumerate(self.dishes, start=1)
        }


CASES: Mapping[str, Case] = {
    "a slice by one": Case(1, {"board": 1}, [["bread > slice 1"]]),
    "a toast by one": Case(1, {"grill": 2}, [["bread > grill 3"]]),
    "a raw food by two": Case(2, {}, [["bread"]]),
    "two raw foods by two": Case(2, {}, [["bread", "beef"]]),
    "a toast that is ordered late": Case(1, {"grill": 2}, [["bread > grill 3"]], {"o1.1": 18}),
    "two raw dishes by one": Case(1, {}, RAW),
    "the second dish is ordered late": Case(1, {}, RAW, {"o1.2": 25}),
    "the first dish is ordered late": Case(1, {}, RAW, {"o1.1": 23}),
    "a mixer": Case(1, {"mixer": 2}, [["(bread + oil) > mix 1"]]),
    "a toast of one minute, and raw food": Case(1, {"grill": 2}, [["bread > grill 1", "beef"]]),
}

LARGER: Mapping[str, Case] = {
    "two foods in a pan": Case(1, {"pan": 2}, [["(bread > fry 2 + oil > fry 2)"]]),
    "two grilled dishes by two": Case(2, {"grill": 2}, [["bread > grill 2"], ["beef > grill 2"]]),
}
"""Kitchens in which trying everything takes long: the bound is compared with a schedule only."""


def marked(names: Iterable[str], dear: str) -> list[Any]:
    """Return the names of cases, of which the dearest is only tried in `make conformance`."""
    return [
        pytest.param(name, marks=[pytest.mark.conformance] if name == dear else [])
        for name in names
    ]


def find_schedule(case: Case) -> tuple[Kitchen, KitchenState, Rows, int | None]:
    """Return the schedule of the solver, which the simulator confirms, and the model's bound."""
    kitchen, wanted = case.kitchen(), case.wanted()
    begin = open_lines(kitchen, Restaurant(kitchen).start(), wanted)
    found = Planning(kitchen, begin, wanted, wanted, EFFORT).best()
    assert found is not None
    improved = improve(kitchen, begin, found, UNITS, case.release)
    assert improved.rows is not None
    assert serves(kitchen, begin, improved.rows, wanted)
    return kitchen, begin, improved.rows, improved.bound


def bound(case: Case, horizon: int) -> SolverAnswer:
    """Return the answer of the solver about the rules, for schedules of at most a length."""
    kitchen, work = case.kitchen(), Workload()
    for line, components in case.wanted().items():
        unfold_dish(work, line, components, kitchen.larder)
    return run(RulesModel(kitchen, work, case.release, horizon).model, UNITS, BOUNDING)


@pytest.mark.parametrize("name", marked(CASES, "two raw foods by two"))
def test_both_models_agree_with_trying_everything(name: str) -> None:
    case = CASES[name]
    kitchen, begin, rows, least = find_schedule(case)
    best = len(rows)
    assert least == fewest(kitchen, begin, case.wanted(), best, case.release) == best
    assert bound(case, best).value == best
    shorter = bound(case, best - 1)
    assert (shorter.value, shorter.proven) == (None, True)


@pytest.mark.parametrize("name", marked(LARGER, "two grilled dishes by two"))
def test_no_schedule_of_the_simulator_is_shorter_than_the_bound_under_the_rules(name: str) -> None:
    _, _, rows, _ = find_schedule(LARGER[name])
    answer = bound(LARGER[name], len(rows))
    assert answer.value is not None
    assert answer.bound <= len(rows)
