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
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from math import floor
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from cookmas.files.errors import UnsupportedError
from cookmas.worlds.grids.grid import DIRECTIONS, Cell
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.kitchen import (
    CAPACITY,
    COUNTER,
    GIVEN,
    MOVES,
    POT,
    SERVING,
    TOMATOES,
    OvercookedKitchen,
)

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
    orders = [recipe.ingredients for recipe in kitchen.ordered]
    first = kitchen.opening
    others = kitchen.dynamics != "papers" or kitchen.places[TOMATOES] or first.counters
    if orders != [SOUP] or others or first.pots:
        raise UnsupportedError(
            "bound", "expected the dynamics papers, one order, three onions, and an empty kitchen"
        )
    recipe = kitchen.ordered[0]
    return floor(_most_soups(kitchen, timesteps, recipe.time) + 1e-6) * recipe.points


def most_of_pot(kitchen: OvercookedKitchen, cell: Cell, timesteps: int, cooking: int) -> int:
    """Return how many soups of a pot can be delivered in an episode.

    In the timestep in which a soup is taken, all other cooks beside the pot can put an onion in;
    in each timestep after it all can.
    """
    beside = sum(
        body.faces == cell for body, act in kitchen.walks(_all_gates(kitchen)) if act == "stay"
    )
    cooks = min(kitchen.cooks, beside)
    if not cooks:
        return 0
    filling = -(-(CAPACITY - (cooks - 1)) // cooks)
    last = timesteps - 1 - cooking - FIRST_FILLED
    return max(0, last // (cooking + max(0, filling)) + 1)


def _all_gates(kitchen: OvercookedKitchen) -> frozenset[Cell]:
    return frozenset(kitchen.gates)


def _most_soups(kitchen: OvercookedKitchen, timesteps: int, cooking: int) -> float:
    """Return the greatest number of deliveries in the linear program."""
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
    program = _Program(len(steps))
    for first, last, starts in regions:
        program.limit(dict.fromkeys(range(first, last), 1.0), timesteps * starts.total())
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
        most = most_of_pot(kitchen, cell, timesteps, cooking)
        program.limit(dict.fromkeys(scooped, 1.0), most)
    deliveries = [
        number
        for happening, numbers in by_happening.items()
        if happening.kind == "deliver"
        for number in numbers
    ]
    return program.maximize(deliveries)


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

    def __init__(self, size: int) -> None:
        self.size = size
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.weights: list[float] = []
        self.limits: list[float] = []

    def limit(self, weights: dict[int, float], most: float) -> None:
        """Let a weighted sum be at most a number."""
        self.rows += [len(self.limits)] * len(weights)
        self.columns += weights
        self.weights += weights.values()
        self.limits.append(most)

    def maximize(self, columns: list[int]) -> float:
        """Return the greatest sum of some numbers."""
        goal = np.zeros(self.size)
        goal[columns] = -1.0
        matrix = np.zeros((len(self.limits), self.size))
        matrix[self.rows, self.columns] = self.weights
        limits = np.array(self.limits)
        solved = linprog(goal, A_ub=matrix, b_ub=limits, method="highs")
        assert solved.fun is not None, solved.message
        return -float(solved.fun)
