"""The bounds hold: against the optimum of tiny kitchens, and against what the scheduler reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import pytest

from kitchen.bounds import Bound, Demand, cold, makespan_bound, situation, workload_bound
from kitchen.components import Component, pairing, parse_component
from kitchen.foods import Dish
from kitchen.layout import KINDS, Kitchen, Station
from kitchen.legal import legal_actions
from kitchen.simulator import step
from kitchen.stages import Delivery, Held, Infeasible, Lying, Workload, unfold_dish
from kitchen.state import KitchenState, OrderLine, WorkerState, opening_state
from orchestrator.scheduling.schedule import make_schedule
from scenarios.kitchens import build_kitchen, kitchen_path
from scenarios.menu import load_menu
from scenarios.truth.truth import load_menu_truth

LARDER = {"bread": "pantry", "tomato": "pantry", "egg": "fridge", "butter": "fridge"}
TOOLS = {"board": 1, "mixer": 2, "plating": 3, "grill": 1, "pan": 2, "pot": 2}
LINE = "o1.1"
EFFORT = 200

MENU = load_menu()
ITEMS = load_menu_truth(MENU)


def wanted_of(*texts: str) -> tuple[Component, ...]:
    return tuple(parse_component(text, {}) for text in texts)


def tiny(dish: Sequence[Component], workers: int) -> Kitchen:
    """A kitchen with one of each station that the dish needs, and as much food as it needs."""
    needed = {"plating", "plates", "pass", "aisle"}
    stock = {"plate": 1}
    workload = Workload()
    unfold_dish(workload, LINE, dish, LARDER)
    needed |= {stage.kind for stage in workload.stages}
    for name in (name for component in dish for name in component.ingredients()):
        needed.add(LARDER[name])
        stock[name] = stock.get(name, 0) + 1
    stations = {}
    for kind in (KINDS[name] for name in KINDS if name in needed):
        slots = TOOLS.get(kind.name, 0)
        name = f"{kind.name}_1" if slots else kind.name
        room = 1 if kind.exclusive else None
        stations[name] = Station(name=name, kind=kind, slots=slots, room=room)
    return Kitchen(
        name="tiny",
        stations=stations,
        larder=LARDER,
        menu=("Dish",),
        doneness={},
        workers=("ann", "bob")[:workers],
        stock=stock,
    )


def opened(kitchen: Kitchen, item: str = "Dish") -> KitchenState:
    return replace(opening_state(kitchen), lines={LINE: OrderLine(item)})


@dataclass(frozen=True)
class Exhaustive:
    """Every state of the simulator, timestep by timestep, until the dish is served right."""

    kitchen: Kitchen
    dish: tuple[Component, ...]

    def optimum(self, start: KitchenState) -> int:
        longest = max(step.high for part in self.dish for node in part.walk() for step in node.steps or [_NONE])
        layer, seen = [start], {self._key(start)}
        for timestep in range(1, 60):
            reached: list[KitchenState] = []
            for state in layer:
                for after in self._successors(state):
                    if after.lines[LINE].status == "served":
                        return timestep
                    key = self._key(after)
                    burnt = any(after.timestep - c[1] > longest for _, c in key[1] if c[1] is not None)
                    if key not in seen and not burnt:
                        seen.add(key)
                        reached.append(after)
            layer = reached
        raise AssertionError("nothing serves the dish")
