"""Every wish of the shipped scenarios can be judged, on dishes put together by hand."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cookmas.evals.verdict import Check
from cookmas.kitchen.components import Component
from cookmas.kitchen.customizations import Extra, Swap, Without, customise
from cookmas.kitchen.foods import Food, FoodStep, join, make_dish
from cookmas.scenarios.scenario import KitchenScenario, load_scenario, scenario_names
from cookmas.scenarios.truth import ScenarioTruth, load_truth
from cookmas.worlds.restaurant.judging.customizations import customizations
from cookmas.worlds.restaurant.judging.evidence import KitchenEvidence, LineEvidence


def as_food(component: Component) -> Food:
    """The component with the most minutes it may have."""
    bare = join(tuple(map(as_food, component.parts))) if component.parts else Food(component.name)
    steps = tuple(FoodStep(step.process, step.high) for step in component.steps)
    return Food(bare.name, bare.parts, steps)


def item_of(scenario: KitchenScenario, line: str) -> str:
    order, _, number = line.rpartition(".")
    items: list[str] = []
    for _, event in scenario.events():
        if event["kind"] == "new_order" and event["order"] == order:
            items += [entry["item"] for entry in event["lines"]]
        elif event["kind"] == "add_line" and event["order"] == order:
            items.append(event["item"])
    return items[int(number) - 1]


def judged(
    truth: ScenarioTruth, item: str, line: str, note: str, made: Iterable[Component]
) -> list[Check]:
    served = LineEvidence(
        name=line,
        item=item,
        note=note,
        due=None,
        status="served",
        ordered=0,
        released=0,
        served_at=1,
        dish=make_dish(tuple(map(as_food, made))),
        wanted=truth.dish(item, line, note),
    )
    evidence: Any = SimpleNamespace(standing=(served,), truth=truth)
    return list(customizations(cast("KitchenEvidence", evidence)))


@pytest.mark.parametrize("name", scenario_names())
def test_a_shipped_wish_is_kept_by_the_wanted_dish_and_broken_by_one_without_it(name: str) -> None:
    scenario = load_scenario(name)
    truth = load_truth(scenario)
    for (line, note), wishes in truth.notes.items():
        item = item_of(scenario, line)
        wanted = truth.dish(item, line, note)
        assert all(check.passed for check in judged(truth, item, line, note, wanted))
        for index, wish in enumerate(wishes):
            if isinstance(wish, Without | Extra | Swap):
                others = [*wishes[:index], *wishes[index + 1 :]]
                made = customise(truth.items[item], others, truth.doneness)
                assert judged(truth, item, line, note, made)[index].passed is False
