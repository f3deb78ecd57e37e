"""An upper bound of the points of an episode, by a linear program over what the cooks do.

The program counts how often the cooks of each region take each step: to walk, to turn, to take, to
put, in each place and with each item in hand. Every real episode is a solution of it:

- A cook takes one step in a timestep, so the steps of a region are at most its cooks times the
  timesteps, and each of its cooks goes on from where it is.
- From a counter no more is taken than was put there, item by item.
- A pot gives at most a third of the soups for which it got onions.
- A pot gives at most one soup for each time in which it can be filled and cook again.

What it leaves out only helps the cooks: they do not block each other, all gates are always
open, counters hold any number of items, and nothing waits for anything but in these sums.

    python -m benchmarks.overcooked_ai.bounds

writes a line of each shipped kitchen into cookmas/worlds/overcooked/rules/lines.yaml, for the best
score of the world. It is a solution of the dual program. Such a solution gives a bound for an
episode of any length, and this one gives the least for 400 timesteps.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

from cookmas.files.errors import UnsupportedError
from cookmas.files.writing import write_text
from cookmas.files.yaml_text import to_yaml
from cookmas.worlds.grids.grid import DIRECTIONS, Cell
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.domain import DOMAIN
from cookmas.worlds.overcooked.rules.bound import LINES, SoupLine, count_beside, digest_of
from cookmas.worlds.overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    GIVEN,
    MOVES,
    POT,
    SERVING,
    TOMATOES,
    OvercookedKitchen,
)
from cookmas.worlds.overcooked.rules.state import HORIZON

SOUP = ("onion",) * CAPACITY
ITEMS = ("onion", "dish", "soup")
Held = str
Place = tuple[Body, Held]

FIRST_FILLED = 2
"""The first timestep in which a third onion can come into a pot: it is taken before."""


class Happening(NamedTuple):
    """An effect of a step that the bound counts."""

    kind: str
    """`take` or `put` at a counter, `fill` or `scoop` at a pot, or `deliver`."""
    cell: Cell
    """The counter, pot or window."""
    item: Held
    """The item."""


def bound_points(kitchen: OvercookedKitchen, timesteps: int) -> int:
    """Return an upper bound of the points of an episode.

    Raise UnsupportedError if there can be other soups than those of three onions, or if there is
    something on counters or in pots at first.
    """
    _check(kitchen)
    program, soups = _count_steps(kitchen, timesteps)
    return floor(program.maximize(soups)[0] + 1e-6) * kitchen.ordered[0].points


def find_line(name: str, kitchen: OvercookedKitchen) -> SoupLine:
    """Return the line that bounds the soups in a kitchen. Raise UnsupportedError as above.

    It is rounded up, by more than the inaccuracy of the solver.
    """
    _check(kitchen)
    program, soups = _count_steps(kitchen, HORIZON)
    _, prices = program.maximize(soups)
    growth, at_first = (prices @ np.array(each) for each in (program.growths, program.firsts))
    return SoupLine(
        name=name,
        kitchen=digest_of(kitchen),
        per_timestep=ceil(growth * 1e6) / 1e6,
        more=ceil(at_first * 1e3 + 1) / 1e3,
    )


def _check(kitchen: OvercookedKitchen) -> None:
    orders = [recipe.ingredients for recipe in kitchen.ordered]
    first = kitchen.opening
    others = kitchen.dynamics != "papers" or kitchen.places[TOMATOES] or first.counters
    if orders != [SOUP] or others or first.pots:
        raise UnsupportedError(
            "bound", "expected the dynamics papers, one order, three onions, and an empty kitchen"
        )


def most_of_pot(kitchen: OvercookedKitchen, cell: Cell, timesteps: int, cooking: int) -> int:
    """Return how many soups of a pot can be delivered in an episode.

    In the timestep in which a soup is taken, all other cooks beside the pot can put an onion in;
    in each timestep after it all can.
    """
    soups_at_0, per_timestep = _line_of_pot(kitchen, cell, cooking)
    return max(0, floor(soups_at_0 + per_timestep * timesteps))


def _line_of_pot(kitchen: OvercookedKitchen, cell: Cell, cooking: int) -> tuple[Fraction, Fraction]:
    """Return how many soups of a pot there are at most at timestep 0, and more in each timestep.

    There is none before the first has cooked, so the first number is below 0.
    """
    cooks = count_beside(kitchen, cell)
    if not cooks:
        return Fraction(0), Fraction(0)
    filling = max(0, -(-(CAPACITY - (cooks - 1)) // cooks))
    each = Fraction(1, cooking + filling)
    return 1 - each * (1 + cooking + FIRST_FILLED), each


def _all_gates(kitchen: OvercookedKitchen) -> frozenset[Cell]:
    return frozenset(kitchen.gates)


def _count_steps(kitchen: OvercookedKitchen, timesteps: int) -> tuple[_Program, list[int]]:
    """Return the linear program of an episode, and which of its numbers are deliveries."""
    cooking = kitchen.ordered[0].time
    steps: list[tuple[Place, Place, Happening | None]] = []
    regions: list[tuple[int, int, Counter[Place]]] = []
    for region, starts in _regions(kitchen).items():
        first = len(steps)
        bodies = [
            body
            for body, act in kitchen.walks(_all_gates(kitchen))
            if act == "stay" and body.at in region
        ]
        steps += (step for body in bodies for step in _steps(kitchen, body))
        regions.append((first, len(steps), starts))
    program = _Program(len(steps), timesteps)
    for first, last, starts in regions:
        program.limit(dict.fromkeys(range(first, last), 1.0), 0, starts.total())
        leaving: dict[Place, dict[int, float]] = defaultdict(dict)
        for number in range(first, last):
            here, there, _ = steps[number]
            leaving[here][number] = leaving[here].get(number, 0.0) + 1.0
            leaving[there][number] = leaving[there].get(number, 0.0) - 1.0
        for place, weights in leaving.items():
            program.limit(weights, starts[place])
    by_happening: dict[Happening, list[int]] = defaultdict(list)
    for number, (_, _, happening) in enumerate(steps):
        if happening is not None:
            by_happening[happening].append(number)
    for cell in kitchen.places[COUNTER]:
        for item in ITEMS:
            taken = dict.fromkeys(by_happening[Happening("take", cell, item)], 1.0)
            put = dict.fromkeys(by_happening[Happening("put", cell, item)], -1.0)
            program.limit({**taken, **put}, 0)
    for cell in kitchen.pots:
        scooped = by_happening[Happening("scoop", cell, "soup")]
        filled = by_happening[Happening("fill", cell, "onion")]
        program.limit({**dict.fromkeys(scooped, 3.0), **dict.fromkeys(filled, -1.0)}, 0)
        at_first, growth = map(float, _line_of_pot(kitchen, cell, cooking))
        most = most_of_pot(kitchen, cell, timesteps, cooking)
        program.limit(dict.fromkeys(scooped, 1.0), at_first, growth, most)
    deliveries = [
        number
        for happening, numbers in by_happening.items()
        if happening.kind == "deliver"
        for number in numbers
    ]
    return program, deliveries


def _regions(kitchen: OvercookedKitchen) -> dict[frozenset[Cell], Counter[Place]]:
    """Return the floors on which cooks walk, each with the places from which they start."""
    found: dict[frozenset[Cell], Counter[Place]] = defaultdict(Counter)
    for cook in kitchen.opening.cooks:
        held = cook.held.kind if cook.held else ""
        found[kitchen.open_grid.region(cook.body.at)][cook.body, held] += 1
    return found


def _steps(
    kitchen: OvercookedKitchen, body: Body
) -> Iterator[tuple[Place, Place, Happening | None]]:
    """Yield the steps of a cook from one place, with every item in hand; also blocked moves."""
    walks = kitchen.walks(_all_gates(kitchen))
    bodies = {walks[body, move] for move in MOVES}
    bodies |= {Body(body.at, facing) for facing in DIRECTIONS.values()}
    for held in ("", *ITEMS):
        yield from (((body, held), (after, held), None) for after in bodies if after != body)
        for after, happening in _interactions(kitchen, body.faces, held):
            yield (body, held), (body, after), happening


def _interactions(
    kitchen: OvercookedKitchen, cell: Cell, held: Held
) -> Iterator[tuple[Held, Happening | None]]:
    kind = kitchen.kinds.get(cell, "")
    if kind in GIVEN and not held and GIVEN[kind] in ITEMS:
        yield GIVEN[kind], None
    elif kind == COUNTER and held:
        yield "", Happening("put", cell, held)
    elif kind == COUNTER:
        yield from ((item, Happening("take", cell, item)) for item in ITEMS)
    elif kind == POT and held == "onion":
        yield "", Happening("fill", cell, held)
    elif kind == POT and held == "dish":
        yield "soup", Happening("scoop", cell, "soup")
    elif kind == SERVING and held == "soup":
        yield "", Happening("deliver", cell, held)


class _Program:
    """A linear program in numbers of steps, which are at least 0."""

    def __init__(self, size: int, timesteps: int) -> None:
        self.size = size
        self.timesteps = timesteps
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.weights: list[float] = []
        self.limits: list[float] = []
        self.firsts: list[float] = []
        self.growths: list[float] = []

    def limit(
        self,
        weights: dict[int, float],
        at_first: float,
        growth: float = 0,
        most: float | None = None,
    ) -> None:
        """Let a weighted sum be at most a number that grows with the timesteps.

        `most` is a smaller number, if one is known for this number of timesteps.
        """
        self.rows += [len(self.limits)] * len(weights)
        self.columns += weights
        self.weights += weights.values()
        self.limits.append(at_first + growth * self.timesteps if most is None else most)
        self.firsts.append(at_first)
        self.growths.append(growth)

    def maximize(self, columns: list[int]) -> tuple[float, Any]:
        """Return the greatest sum of some numbers, and the price of each limit in it."""
        goal = np.zeros(self.size)
        goal[columns] = -1.0
        matrix = np.zeros((len(self.limits), self.size))
        matrix[self.rows, self.columns] = self.weights
        limits = np.array(self.limits)
        solved = linprog(goal, A_ub=matrix, b_ub=limits, method="highs")
        assert solved.fun is not None, solved.message
        return -float(solved.fun), np.maximum(0.0, -solved.ineqlin.marginals)


def main() -> None:
    """Write the lines of all shipped kitchens for which there is one."""
    lines = []
    for name in [*DOMAIN.names("papers"), *DOMAIN.names("more")]:
        scenario: Any = DOMAIN.scenario(name, {})
        try:
            lines.append(find_line(name, scenario.kitchen).model_dump())
        except UnsupportedError as error:
            print(f"{name}: {error}")
    write_text(LINES, to_yaml(lines, flow=None))


if __name__ == "__main__":
    main()
