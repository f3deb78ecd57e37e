"""Measure which constants of the embedded scheduler its schedules depend on.

    python -m benchmarks.constants [CALLS]

A drawn call asks for a schedule of 1 to 9 lines, every tenth for one of 30 or more, in any shipped
kitchen with 1 to 6 workers. In most calls work is in progress, and lines have come in or changed,
or a station or a worker is out of service. Every number that a module of the scheduler names is
halved and doubled in turn. For each change the command prints the first drawn call whose schedule
differs. A constant without such a call has no use and should go. Then it prints the mean and the
worst gap of all calls to the lower bound.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from cookmas.kitchen.components import Component
from cookmas.kitchen.customizations import customise
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import commands_of
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.wishes import dishes, draw
from cookmas.solving.restaurant import scheduling
from cookmas.solving.restaurant.scheduling import schedule
from cookmas.solving.restaurant.scheduling.bound import state_bound

SEED = 20491128
KITCHENS = ("small", "standard", "large")
CALLS = 60
FACTORS = (0.5, 2)

LESS = 10
"""What the effort of half of the calls is divided by when schedules are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCall:
    """A call of the scheduler: its number, a kitchen, its state, and what each open line wants."""

    number: int
    kitchen: Kitchen
    state: KitchenState
    wanted: Mapping[str, Sequence[Component]]

    def make_schedule(self, less: int = 1) -> list[dict[str, str]]:
        """Return the schedule that the embedded scheduler makes for this call, with its effort
        divided by `less`.
        """
        effort = schedule.EFFORT // less
        return schedule.make_schedule(self.kitchen, self.state, self.wanted, effort=effort).schedule

    def make_cheap_schedule(self) -> list[dict[str, str]]:
        """Return the schedule for comparisons; of each two calls, one has a tenth of the effort."""
        return self.make_schedule(less=LESS if self.number % 2 else 1)

    def compute_gap(self) -> float:
        """Return the timesteps until the last planned line is served above the bound of the lines
        that are planned, relative to the bound.
        """
        served = {
            action[len("serve(") : -1]: timestep
            for timestep, row in enumerate(self.make_schedule(), start=1)
            for action in row.values()
            if action.startswith("serve(")
        }
        planned = {line: parts for line, parts in self.wanted.items() if line in served}
        if not planned:
            return 0.0
        return max(served.values()) / state_bound(self.kitchen, self.state, planned).value - 1


@cache
def draw_call(number: int) -> DrawnCall:
    """Return the drawn call with this number."""
    rng, menu, items = Random(f"{SEED}/{number}"), load_menu(), dishes()
    kitchen = build_kitchen(kitchen_path(rng.choice(KITCHENS)), menu, rng.randint(1, 6))
    world = Restaurant(kitchen)
    state = world.start()
    wanted: dict[str, tuple[Component, ...]] = {}

    def dish(item: str) -> tuple[Component, ...]:
        wishes = draw(item, rng.randint(1, 2), rng) if rng.random() < 0.5 else ()
        return customise(items[item], wishes, menu.doneness)

    for order, most in (("o1", 4), ("o2", 5 if number % 10 else 50)):
        some = rng.choices(list(items), k=rng.randint(1 if most < 9 else 30, most))
        lines = [{"item": item} for item in some]
        state, _ = world.apply(state, {"kind": "new_order", "order": order, "lines": lines})
        wanted |= {f"{order}.{n}": dish(item) for n, item in enumerate(some, start=1)}
        if order == "o1":
            begun = schedule.make_schedule(kitchen, world.observe(state), wanted, effort=1)
            for row in begun.schedule[: rng.randint(0, len(begun.schedule) - 1)]:
                state, _, _ = world.step(state, commands_of(row))
            if rng.random() < 0.4 and (standing := list(state.open_lines())):
                line = rng.choice(standing)
                wanted[line] = dish(state.lines[line].item)
            if rng.random() < 0.3:
                what, names = rng.choice(
                    [("station", sorted(kitchen.stations)), ("worker", kitchen.workers)]
                )
                event = {"kind": "fault", what: rng.choice(list(names)), "timesteps": 20}
                state, _ = world.apply(state, event)
            if rng.random() < 0.4 and number % 10:
                break
    seen: KitchenState = world.observe(state)
    return DrawnCall(
        number=number,
        kitchen=kitchen,
        state=seen,
        wanted={line: wanted[line] for line in seen.open_lines()},
    )


@cache
def find_constants() -> dict[str, Any]:
    """Return the numbers, and tuples of numbers, that modules of the scheduler name.

    The keys are as in `window.SLACK`. A name that several modules import counts once.
    """
    found: dict[str, Any] = {}
    for info in pkgutil.iter_modules(scheduling.__path__):
        module = importlib.import_module(f"{scheduling.__name__}.{info.name}")
        for name in _names_in(Path(str(module.__file__))):
            if _is_number(value := getattr(module, name)):
                found[f"{info.name}.{name}"] = value
    return found


def _names_in(module: Path) -> Iterator[str]:
    """Yield the names in capitals that a module defines."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        for name in (each for target in targets for each in ast.walk(target)):
            if isinstance(name, ast.Name) and name.id.isupper():
                yield name.id


def _is_number(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_number, value))
    return isinstance(value, int | float) and isfinite(value)


def scale(value: Any, factor: float) -> Any:
    """Return a constant, or each number of a tuple, times a factor; integers stay integers."""
    if isinstance(value, tuple):
        return tuple(scale(each, factor) for each in value)
    return int(value * factor) if isinstance(value, int) else value * factor


@contextmanager
def change(constant: str, factor: float) -> Iterator[None]:
    """Multiply a constant by a factor, in all modules of the scheduler that use it."""
    name = constant.partition(".")[2]
    old = find_constants()[constant]
    places = [
        module
        for key, module in sys.modules.items()
        if key.startswith(scheduling.__name__) and vars(module).get(name, ...) is old
    ]
    for module in places:
        setattr(module, name, scale(old, factor))
    try:
        yield
    finally:
        for module in places:
            setattr(module, name, old)


@cache
def find_schedule(number: int) -> list[dict[str, str]]:
    """Return the schedule of the drawn call with this number, with all constants as they are."""
    return draw_call(number).make_cheap_schedule()


def differs(constant: str, factor: float, number: int) -> bool:
    """Return whether a drawn call has another schedule with a constant multiplied by a factor."""
    before, call = find_schedule(number), draw_call(number)
    with change(constant, factor):
        return call.make_cheap_schedule() != before


def main() -> None:
    """Print for each constant the first drawn calls whose schedules it changes, and the gaps."""
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else CALLS
    for constant, value in find_constants().items():
        firsts = [
            next((str(n) for n in range(calls) if differs(constant, factor, n)), "none")
            for factor in FACTORS
        ]
        print(f"{constant} = {value}: halved, call {firsts[0]}; doubled, call {firsts[1]}")
    gaps = [draw_call(number).compute_gap() for number in range(calls)]
    print(f"{calls} calls: mean gap {mean(gaps):.1%}, worst {max(gaps):.1%}")


if __name__ == "__main__":
    main()
