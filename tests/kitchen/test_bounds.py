"""The bounds hold: against the optimum of tiny kitchens, and against what the scheduler reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from kitchen.actions import Action, Navigate, Wait, Work
from kitchen.bounds import Bound, Demand, cold, makespan_bound, situation, workload_bound
from kitchen.components import Component, pairing, parse_component
from kitchen.foods import Dish
from kitchen.layout import KINDS, Kitchen, Station
from kitchen.legal import legal_actions
from kitchen.simulator import step
from kitchen.stages import Delivery, Held, Infeasible, Lying, Workload, unfold_dish
from kitchen.state import KitchenState, OrderLine, opening_state
from orchestrator.scheduling.schedule import make_schedule
from scenarios.kitchens import build_kitchen, kitchen_path
from scenarios.menu import load_menu
from scenarios.truth.truth import load_menu_truth

LARDER = {"bread": "pantry", "tomato": "pantry", "egg": "fridge", "butter": "fridge"}
SLOTS = {"board": 1, "mixer": 2, "plating": 3, "grill": 1, "pan": 2, "pot": 2}
LINE = "o1.1"
TOO_LONG = 9
"""Minutes from which on it makes no difference to any dish below how long it cooked."""

EFFORT = 200
MENU = load_menu()
ITEMS = load_menu_truth(MENU)


def dish_of(*texts: str) -> tuple[Component, ...]:
    return tuple(parse_component(text, {}) for text in texts)


def tiny(dish: Sequence[Component], workers: int) -> Kitchen:
    """A kitchen with one of each station that the dish needs, and as much food as it needs."""
    workload = Workload()
    unfold_dish(workload, LINE, dish, LARDER)
    foods = [name for component in dish for name in component.ingredients()]
    needed = {"plates", "pass", "aisle"} | {stage.kind for stage in workload.stages}
    needed |= {LARDER[food] for food in foods}
    stations: dict[str, Station] = {}
    for kind in KINDS.values():
        if kind.name in needed:
            slots, room = SLOTS.get(kind.name, 0), 1 if kind.exclusive else None
            name = f"{kind.name}_1" if slots else kind.name
            stations[name] = Station(name=name, kind=kind, slots=slots, room=room)
    return Kitchen(
        name="tiny",
        stations=stations,
        larder=LARDER,
        menu=("Dish",),
        doneness={},
        workers=("ann", "bob")[:workers],
        stock={"plate": 1} | {food: foods.count(food) for food in foods},
    )


def opened(kitchen: Kitchen, **lines: str) -> KitchenState:
    named = lines or {"o1": kitchen.menu[0]}
    return replace(
        opening_state(kitchen), lines={f"{n}.1": OrderLine(item) for n, item in named.items()}
    )


def optimum(kitchen: Kitchen, dish: tuple[Component, ...], known: int) -> int:
    """The fewest timesteps in which the dish is served right; `known` is how many suffice."""
    start = opened(kitchen)
    layer, seen = [start], {essence(start)}
    for timesteps in range(1, known):
        reached: list[KitchenState] = []
        for state in layer:
            for after in successors(kitchen, state, dish):
                if after.lines[LINE].status == "served":
                    return timesteps
                key = essence(after)
                if timesteps + at_least(after) < known and key not in seen:
                    seen.add(key)
                    reached.append(after)
        layer = reached
    return known


def at_least(state: KitchenState) -> int:
    """Timesteps that are still needed: what is not on the plate is picked, carried and placed."""
    held = [worker.holding for worker in state.workers if worker.holding]
    if any(isinstance(thing, Dish) for thing in held):
        return 1
    if any(isinstance(c.thing, Dish) for lying in state.contents.values() for c in lying):
        return 3
    return -(-(3 * sum(state.stock.values()) + len(held)) // len(state.workers)) + 4


def essence(state: KitchenState) -> Any:
    """What of a state matters for what comes after it; workers are alike."""
    workers = sorted((worker.station, str(worker.holding)) for worker in state.workers)
    contents = sorted(
        (station, c.slot, str(c.thing), min(state.cooked(station, c), TOO_LONG), c.since is None)
        for station, lying in state.contents.items()
        for c in lying
    )
    return tuple(workers), tuple(contents), tuple(state.stock.items())


def successors(
    kitchen: Kitchen, state: KitchenState, dish: tuple[Component, ...]
) -> Iterator[KitchenState]:
    """All states of the next timestep, but those with food that the dish can never be made of."""
    processes = {"assemble"} | {
        step.process for component in dish for node in component.walk() for step in node.steps
    }
    walks: list[Action] = [Navigate(station) for station in kitchen.stations]
    options = [
        walks
        + [
            action
            for action in legal_actions(kitchen, state, worker)
            if not isinstance(action, Navigate | Wait)
            and not (isinstance(action, Work) and action.process not in processes)
        ]
        for worker in kitchen.workers
    ]
    for joint in product(*options):
        after, outcomes = step(kitchen, state, joint)
        things = [w.holding for w in after.workers]
        things += [c.thing for lying in after.contents.values() for c in lying]
        dishes = [thing for thing in things if isinstance(thing, Dish)]
        if all(outcome.done for outcome in outcomes) and all(
            pairing(made.components, dish) is not None for made in dishes
        ):
            yield after


TINY = [
    ("raw", ("tomato",), 1),
    ("raw", ("tomato",), 2),
    ("two raw foods", ("tomato", "butter"), 1),
    ("two raw foods", ("tomato", "butter"), 2),
    ("sliced", ("tomato > slice 2",), 1),
    ("sliced", ("tomato > slice 2",), 2),
    ("sliced and raw", ("tomato > slice 1", "bread"), 2),
    ("toast", ("bread > grill 3-4",), 1),
    ("toast", ("bread > grill 3-4",), 2),
    ("buttered toast", ("bread > grill 2-3", "butter"), 1),
    ("boiled and peeled", ("egg > boil 5-6 > chop 1",), 1),
    ("two mixed", ("(tomato + egg) > mix 2",), 1),
    ("two mixed", ("(tomato + egg) > mix 2",), 2),
    ("two in a pan", ("(tomato > fry 3 + egg > fry 3)",), 1),
    ("one later in the pan", ("(tomato > fry 6 + egg > fry 1-2)",), 1),
    ("assembled", ("(bread + butter) > assemble 1",), 2),
]


@pytest.mark.parametrize(("texts", "workers"), [case[1:] for case in TINY], ids=lambda x: str(x))
def test_measure(texts: tuple[str, ...], workers: int) -> None:
    import time
    dish = dish_of(*texts)
    kitchen = tiny(dish, workers)
    bound = makespan_bound(kitchen, [Demand(release=0, components=dish)])
    t0 = time.process_time()
    sch = make_schedule(kitchen, opened(kitchen), {LINE: dish})
    best = optimum(kitchen, dish, len(sch))
    print(texts, workers, "bound", bound.value, "opt", best, "sched", len(sch), round(time.process_time()-t0, 2))
