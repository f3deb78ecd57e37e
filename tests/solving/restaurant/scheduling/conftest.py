"""A shift in the kitchen: orders come in; schedules are made and simulated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from cookmas.kitchen.components import Component, pair_off, parse_component, parse_thing
from cookmas.kitchen.customizations import customise
from cookmas.kitchen.foods import Dish, Food, join, make_dish
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import FOREVER, Content, KitchenState, Outage, WorkerState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import commands_of
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.truth import load_menu_truth
from cookmas.scenarios.wishes import draw
from cookmas.solving.restaurant.bound import Bound
from cookmas.solving.restaurant.scheduling.bound import state_bound
from cookmas.solving.restaurant.scheduling.decode import ScheduleResult
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.reuse import Remaining, find_remaining
from cookmas.solving.restaurant.scheduling.schedule import make_schedule

MENU = load_menu()
ITEMS = load_menu_truth(MENU)
HORIZON = 1500

Components = tuple[Component, ...]
Schedule = list[dict[str, str]]


@dataclass
class Shift:
    """Plays a kitchen with the scheduler, called as the orchestrator would call it.

    `wanted` has the required dish of each line. `fails` and `wrong` collect errors, `calls` the
    timesteps of the scheduler's calls, `served` the timestep at which each line was served,
    `underway` what is left of the last schedule that was made. `rule` is the dispatching rule, if
    one is followed.
    """

    kitchen: Kitchen
    effort: int
    state: KitchenState
    wanted: dict[str, Components] = field(default_factory=dict)
    fails: list[tuple[int, str, str, str]] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    served: dict[str, int] = field(default_factory=dict)
    queue: Schedule = field(default_factory=list)
    underway: Schedule = field(default_factory=list)
    rule: str | None = None

    @property
    def world(self) -> Restaurant:
        return Restaurant(self.kitchen)

    def order(self, items: Sequence[str], rng: Random | None = None) -> None:
        """Add an order; with `rng` about half of its lines get wishes."""
        number = 1 + len({name.partition(".")[0] for name in self.state.lines})
        lines = [{"item": item} for item in items]
        self.happen({"kind": "new_order", "order": f"o{number}", "lines": lines})
        for place, item in enumerate(items, start=1):
            wished = rng is not None and rng.random() < 0.5
            self.wanted[f"o{number}.{place}"] = self.dish(item, rng if wished else None)

    def dish(self, item: str, rng: Random | None = None) -> Components:
        wishes = draw(item, rng.randint(1, 2), rng) if rng else ()
        return customise(ITEMS[item], wishes, MENU.doneness)

    def happen(self, event: Mapping[str, Any]) -> None:
        """Apply an event at the present timestep; it invalidates the schedule."""
        self.state, ruling = self.world.apply(self.state, event)
        assert ruling.refused is None, ruling.refused
        self.queue = []

    def seen(self) -> KitchenState:
        seen: KitchenState = self.world.observe(self.state)
        return seen

    def open(self) -> dict[str, Components]:
        return {line: self.wanted[line] for line in self.state.open_lines()}

    def plan(self) -> Schedule:
        self.calls.append(self.state.timestep)
        result = self.result(underway=self.underway, rule=self.rule)
        self.underway = list(result.schedule)
        return result.schedule

    def stocked(self, **stock: int) -> Shift:
        """Leave so much of some things, and enough of all others."""
        self.state = self.state._replace(stock=stock)
        return self

    def left(self, **how: Any) -> Remaining:
        """Return what is left to do for the open lines."""
        return find_remaining(self.kitchen, self.seen(), self.open(), **how)

    def problem(self, **how: Any) -> Problem:
        return Problem(self.kitchen, self.seen(), self.left(**how))

    def bound(self) -> Bound:
        return state_bound(self.kitchen, self.seen(), self.open())

    def result(self, effort: int | None = None, **how: Any) -> ScheduleResult:
        """Return what the scheduler finds here, without following it."""
        effort = self.effort if effort is None else effort
        return make_schedule(self.kitchen, self.seen(), self.open(), effort=effort, **how)

    def play(self, timesteps: int = HORIZON) -> None:
        """Play until everything is served, or for a number of timesteps."""
        for _ in range(timesteps):
            if not self.state.open_lines():
                return
            self.queue = self.queue or self.plan()
            self.tick(self.queue.pop(0))

    def finish(self, timesteps: int = HORIZON) -> None:
        """Play; everything is served as required, and no action FAILs."""
        self.play(timesteps)
        self.sound()

    def tick(self, actions: Mapping[str, str]) -> None:
        self.underway = self.underway[1:]
        before = self.state
        self.state, outcomes, _ = self.world.step(before, commands_of(actions))
        for worker, outcome in outcomes.items():
            if not outcome.done:
                failed = (before.timestep, worker, actions[worker], str(outcome.fail))
                self.fails.append(failed)
                self.queue = []
            elif actions[worker].startswith("serve"):
                line = actions[worker][len("serve(") : -1]
                self.served[line] = before.timestep + 1
                dish = before.workers[self.kitchen.workers.index(worker)].holding
                assert isinstance(dish, Dish)
                if pair_off(dish.components, self.wanted[line]) is None:
                    self.wrong.append((line, str(dish)))

    def leftovers(self) -> list[str]:
        """Return all edible food that is neither served nor thrown away."""
        things = [worker.holding for worker in self.state.workers if worker.holding]
        things += [c.thing for lying in self.state.contents.values() for c in lying]
        return sorted(map(str, things))

    def sound(self) -> None:
        """Assert that everything was served as required and that no action FAILed."""
        assert self.fails == []
        assert self.wrong == []
        assert self.state.open_lines() == {}


class Floor:
    """Makes shifts, and states with work in progress."""

    items: Mapping[str, Components] = ITEMS

    def kitchen(self, name: str = "standard", workers: int = 3) -> Kitchen:
        return build_kitchen(kitchen_path(name), MENU, workers)

    def shift(self, name: str = "standard", workers: int = 3, effort: int = 60) -> Shift:
        kitchen = self.kitchen(name, workers)
        return Shift(kitchen, effort, Restaurant(kitchen).start())

    def random(self, seed: int, most: int = 12, effort: int = 60) -> tuple[Shift, Random]:
        """Return a shift with one order of up to `most` lines, any kitchen and 1 to 6 workers."""
        rng = Random(seed)
        shift = self.shift(
            rng.choice(["small", "standard", "large"]), rng.randint(1, 6), effort=effort
        )
        shift.order(rng.choices(list(ITEMS), k=rng.randint(1, most)), rng)
        return shift, rng

    def wanting(self, *dishes: Sequence[str], name: str = "small", **how: Any) -> Shift:
        """Return a shift with a line for each dish, which is told by its components."""
        shift = self.shift(name, **how)
        shift.order(["Buttered Toast"] * len(dishes))
        for line, dish in zip(shift.wanted, dishes, strict=True):
            shift.wanted[line] = tuple(parse_component(text, MENU.doneness) for text in dish)
        return shift

    def made(self, component: Component) -> Food:
        """Return the food of a component, cooked for the fewest minutes."""
        food = (
            join(tuple(map(self.made, component.parts)))
            if component.parts
            else Food(component.name)
        )
        for step in component.steps:
            food = food.apply(step.process, step.low)
        return food

    def plated(self, components: Components) -> Dish:
        return make_dish(tuple(map(self.made, components)))

    def busy(self, seed: int, workers: int, begun: int, more: int = 2) -> Shift:
        """Return a small kitchen in which three lines are in progress when `more` are ordered."""
        shift = self.shift("small", workers=workers, effort=60)
        rng = Random(seed)
        shift.order(rng.choices(list(self.items), k=3), rng)
        shift.play(begun)
        shift.queue = []
        shift.order(rng.choices(list(self.items), k=more), rng)
        return shift

    def with_things(
        self,
        state: KitchenState,
        *hands: str,
        out: Sequence[str] = (),
        since: Mapping[str, int] | None = None,
        **contents: Sequence[str],
    ) -> KitchenState:
        """Return a state with foods in it, written as in traces.

        `hands` are "grill_1: onion > chop 2" or "grill_1", one for each worker in order. Food at
        the stations of `since` has been cooking since the given timestep.
        """
        workers = list(state.workers)
        for index, text in enumerate(hands):
            station, _, thing = text.partition(": ")
            workers[index] = WorkerState(station, parse_thing(thing) if thing else None)
        started = since or {}
        return state._replace(
            workers=tuple(workers),
            contents={
                station: tuple(
                    Content(slot, parse_thing(text), started.get(station))
                    for slot, text in enumerate(texts, start=1)
                )
                for station, texts in contents.items()
            },
            out={name: Outage(state.timestep, FOREVER) for name in out},
        )


@pytest.fixture(scope="session")
def floor() -> Floor:
    return Floor()


@pytest.fixture(scope="session")
def component() -> Callable[[str], Component]:
    return lambda text: parse_component(text, MENU.doneness)
