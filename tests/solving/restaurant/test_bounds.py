"""The bounds hold: against the optimum of tiny kitchens, and against what the scheduler reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from cookmas.kitchen.actions import Action, Navigate, Wait, Work
from cookmas.kitchen.components import Component, pair_off, parse_component
from cookmas.kitchen.foods import Dish
from cookmas.kitchen.layout import KINDS, Kitchen, Station
from cookmas.kitchen.legal import legal_actions
from cookmas.kitchen.simulator import step
from cookmas.kitchen.stages import (
    Delivery,
    Fetch,
    Held,
    Infeasible,
    Input,
    Lying,
    Made,
    Stage,
    Workload,
    unfold_dish,
)
from cookmas.kitchen.state import KitchenState, OrderLine, WorkerState, make_opening_state
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.truth import load_menu_truth
from cookmas.solving.restaurant.bound import (
    Bound,
    Demand,
    cold,
    makespan_bound,
    situation,
    work_needed,
    workload_bound,
)
from cookmas.solving.restaurant.scheduling.bound import state_bound
from cookmas.solving.restaurant.scheduling.schedule import make_schedule
from tests.sampling import sampled

LARDER = {"bread": "pantry", "tomato": "pantry", "egg": "fridge", "butter": "fridge"}
SLOTS = {"board": 1, "mixer": 2, "plating": 3, "grill": 1, "pan": 2, "pot": 2}
LINE = "o1.1"
TOO_LONG = 5
"""Minutes from which on it makes no difference to any tiny dish how long it cooked."""

EFFORT = 60
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


def opened(kitchen: Kitchen) -> KitchenState:
    return make_opening_state(kitchen)._replace(lines={LINE: OrderLine(kitchen.menu[0])})


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
                if timesteps + at_least(kitchen, after) < known and key not in seen:
                    seen.add(key)
                    reached.append(after)
        layer = reached
    return known


def at_least(kitchen: Kitchen, state: KitchenState) -> int:
    """Timesteps that are still needed: what is not on the plate is picked, carried and placed.

    Nothing can be placed at a dispenser, and who has placed something goes back to one.
    """
    held = [worker.holding for worker in state.workers if worker.holding]
    if any(isinstance(thing, Dish) for thing in held):
        return 1
    if any(isinstance(c.thing, Dish) for lying in state.contents.values() for c in lying):
        return 3
    needed = 4 * sum(state.stock.values())
    for worker in state.workers:
        there = kitchen.stations[worker.station].kind.role == "dispenser"
        needed += 1 + there if worker.holding else -there
    return -(-needed // len(state.workers)) + 4


def essence(state: KitchenState) -> Any:
    """What of a state matters for what comes after it; workers are alike."""
    workers = sorted((worker.station, str(worker.holding)) for worker in state.workers)
    contents = sorted(
        (
            station,
            c.slot,
            str(c.thing),
            min(state.minutes_cooked(station, c), TOO_LONG),
            c.since is None,
        )
        for station, lying in state.contents.items()
        for c in lying
    )
    return tuple(workers), tuple(contents), tuple(state.stock.items())


def walks(kitchen: Kitchen, worker: WorkerState, left: set[str]) -> list[Action]:
    """To where a worker can do something, where it stands, and to the aisle.

    `left` is the dispensers that have something left.
    """

    def useful(station: Station) -> bool:
        if station.kind.role == "dispenser":
            return not worker.holding and station.name in left
        return station.kind.role != "pass" or isinstance(worker.holding, Dish)

    return [
        Navigate(station.name)
        for station in kitchen.stations.values()
        if useful(station) or station.name == worker.station
    ]


def successors(
    kitchen: Kitchen, state: KitchenState, dish: tuple[Component, ...]
) -> Iterator[KitchenState]:
    """All states of the next timestep, but those with food that the dish can never be made of.

    Of the places where a worker can do nothing with what it holds it goes to the aisle alone.
    """
    processes = {"assemble"} | {
        step.process for component in dish for node in component.walk() for step in node.steps
    }
    left = {LARDER.get(name, "plates") for name, count in state.stock.items() if count}
    options = [
        walks(kitchen, state.workers[number], left)
        + [
            action
            for action in legal_actions(kitchen, state, worker)
            if not isinstance(action, Navigate | Wait)
            and not (isinstance(action, Work) and action.process not in processes)
        ]
        for number, worker in enumerate(kitchen.workers)
    ]
    for joint in product(*options):
        after, outcomes = step(kitchen, state, joint)
        things = [w.holding for w in after.workers]
        things += [c.thing for lying in after.contents.values() for c in lying]
        dishes = [thing for thing in things if isinstance(thing, Dish)]
        if all(outcome.done for outcome in outcomes) and all(
            pair_off(made.components, dish) is not None for made in dishes
        ):
            yield after


@pytest.mark.parametrize(
    ("texts", "workers", "best", "gap"),
    [
        (("tomato",), 1, 12, 0),
        (("tomato",), 2, 10, 0),
        (("tomato", "butter"), 1, 16, 0),
        (("tomato", "butter"), 2, 12, 0),
        (("tomato > slice 2",), 1, 17, 0),
        (("tomato > slice 2",), 2, 13, 0),
        pytest.param(("tomato > slice 1", "bread"), 2, 14, 1, marks=pytest.mark.conformance),
        (("bread > grill 3-4",), 1, 18, 1),
        (("bread > grill 2-3", "butter"), 1, 21, 0),
        (("(tomato + egg) > mix 2",), 1, 21, 0),
    ],
)
def test_no_schedule_at_all_beats_the_bound(
    texts: tuple[str, ...], workers: int, best: int, gap: int
) -> None:
    dish = dish_of(*texts)
    kitchen = tiny(dish, workers)
    bound = makespan_bound(kitchen, [Demand(release=0, components=dish)]).value
    found = optimum(kitchen, dish, known=best + 1)
    assert found == best
    assert bound <= found, "the bound holds"
    assert state_bound(kitchen, opened(kitchen), {LINE: dish}).value <= found
    assert found - bound <= gap, "and is close"


@pytest.mark.parametrize(
    ("name", "workers"), sampled([*product(["small", "standard", "large"], [1, 2, 3, 4])], 5)
)
def test_the_bound_of_a_dish_is_never_above_what_the_scheduler_reaches(
    name: str, workers: int
) -> None:
    kitchen = build_kitchen(kitchen_path(name), MENU, workers)
    reached = {}
    for item, components in ITEMS.items():
        bound = makespan_bound(kitchen, [Demand(release=0, components=components)]).value
        state = opened(kitchen)
        length = len(make_schedule(kitchen, state, {LINE: components}, effort=EFFORT).schedule)
        reached[item] = (bound, length)
    assert len(reached) == 38
    assert not {item: pair for item, pair in reached.items() if pair[0] > pair[1]}
    assert sum(length / bound for bound, length in reached.values()) / 38 < 1.12, "and is close"


@pytest.mark.parametrize("item", ["Garden Salad", "Classic Burger", "Lasagne"])
def test_a_dish_released_later_is_served_as_much_later(item: str) -> None:
    kitchen = build_kitchen(kitchen_path("standard"), MENU)
    at_once = makespan_bound(kitchen, [Demand(release=0, components=ITEMS[item])])
    later = makespan_bound(kitchen, [Demand(release=100, components=ITEMS[item])])
    assert later.parts["critical path"] == 100 + at_once.parts["critical path"]
    assert 100 < later.value <= 100 + at_once.value


def test_more_work_never_lowers_the_bound() -> None:
    kitchen = build_kitchen(kitchen_path("small"), MENU)
    demands: list[Demand] = []
    values = [0]
    for item in list(ITEMS)[::3]:
        demands.append(Demand(release=0, components=ITEMS[item]))
        values.append(makespan_bound(kitchen, demands).value)
    assert values == sorted(values)
    assert values[-1] > 2 * values[1]


def test_more_workers_never_raise_the_bound() -> None:
    demands = [Demand(release=0, components=components) for components in ITEMS.values()]
    kitchens = [build_kitchen(kitchen_path("standard"), MENU, n) for n in range(1, 7)]
    values = [makespan_bound(kitchen, demands).value for kitchen in kitchens]
    assert values == sorted(values, reverse=True)
    assert values[0] > 4 * values[-1]


def test_an_order_that_comes_in_later_is_bounded_from_its_release() -> None:
    kitchen = build_kitchen(kitchen_path("standard"), MENU)
    salad, burger = ITEMS["Garden Salad"], ITEMS["Classic Burger"]
    first = makespan_bound(kitchen, [Demand(release=0, components=burger)])
    alone = makespan_bound(kitchen, [Demand(release=40, components=salad)])
    both = makespan_bound(
        kitchen, [Demand(release=0, components=burger), Demand(release=40, components=salad)]
    )
    assert both.value >= max(first.value, alone.value)


def test_a_finished_dish_needs_to_be_carried_and_served() -> None:
    kitchen = build_kitchen(kitchen_path("small"), MENU, 1)
    aisle = cold(kitchen)
    at_pass = situation(kitchen, 5, ("pass",), (False,), ())
    at_plating = situation(kitchen, 5, ("plating_1",), (True,), ())
    held = Workload(deliveries=[Delivery(LINE, Held(0))])
    lying = Workload(deliveries=[Delivery(LINE, Lying("plating_1", 1))])
    assert workload_bound(held, at_pass).value == 1
    assert workload_bound(held, aisle).value == 2
    assert workload_bound(lying, at_plating).value == 3
    assert workload_bound(lying, aisle).value == 4
    several = cold(build_kitchen(kitchen_path("small"), MENU, 3))
    assert workload_bound(lying, several).value == 4


def test_what_lies_elsewhere_may_be_fetched_anew_by_who_stands_at_a_dispenser() -> None:
    kitchen = build_kitchen(kitchen_path("small"), MENU, 1)
    start = situation(kitchen, 0, ("fridge",), (True,), ())
    values = []
    for source in (Lying("counter_1", 1), Fetch("butter", "fridge")):
        stage = Stage(line=LINE, kind="plating", inputs=(Input(source=source),), work=("assemble",))
        values.append(workload_bound(Workload([stage], [Delivery(LINE, Made(0))]), start).value)
    assert values[0] <= values[1]


def test_stations_out_of_service_have_no_slots() -> None:
    kitchen = build_kitchen(kitchen_path("small"), MENU, 1)
    start = situation(kitchen, 0, ("aisle",), (True,), ("board_1", "oven_1"))
    assert (start.slots["board"], cold(kitchen).slots["board"]) == (1, 2)
    assert "oven" not in start.slots


def test_the_value_is_the_largest_part() -> None:
    assert Bound(parts={"critical path": 7, "work content": 9, "load of pot": 3}).value == 9
    assert Bound(parts={}).value == 0
    assert workload_bound(Workload(), cold(build_kitchen(kitchen_path("small"), MENU))).value == 0


def test_the_load_of_a_narrow_station_counts() -> None:
    kitchen = build_kitchen(kitchen_path("small"), MENU, 6)
    bake = dish_of("bread > bake 30")
    bound = makespan_bound(kitchen, [Demand(release=0, components=bake)] * 6)
    assert bound.value == bound.parts["load of oven"] > 3 * 30


def test_what_cannot_be_made_has_no_bound() -> None:
    kitchen = build_kitchen(kitchen_path("small"), MENU)
    with pytest.raises(Infeasible):
        makespan_bound(kitchen, [Demand(release=0, components=dish_of("unicorn"))])


def test_what_a_station_is_called_makes_no_difference() -> None:
    dish = ITEMS["Classic Burger"]
    kitchen = build_kitchen(kitchen_path("standard"), MENU)
    named = {name: f"my_{number}" for number, name in enumerate(kitchen.stations)}
    renamed = replace(
        kitchen,
        stations={
            named[name]: replace(station, name=named[name])
            for name, station in kitchen.stations.items()
        },
    )
    workload = Workload()
    unfold_dish(workload, LINE, dish, kitchen.larder)
    for place in kitchen.stations:
        here = situation(kitchen, 0, (place,), (True,), ())
        there = situation(renamed, 0, (named[place],), (True,), ())
        assert workload_bound(workload, here) == workload_bound(workload, there)


@pytest.mark.parametrize("foods", [["tomato"], ["tomato", "egg"], ["bread", "tomato", "egg"]])
def test_what_is_done_after_the_last_put_is_not_early(foods: list[str]) -> None:
    """A plate and each food are fetched in 4 timesteps; then the dish is assembled, picked, carried
    and served.
    """
    work, dish = Workload(), dish_of(*foods)
    unfold_dish(work, LINE, dish, LARDER)
    needed = work_needed(work, cold(tiny(dish, 1)))
    assert (needed.early, needed.whole) == (4 * (1 + len(foods)), 4 * (1 + len(foods)) + 4)
