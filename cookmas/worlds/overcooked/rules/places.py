"""The names of a kitchen's places, which are those of the papers, and who reaches them.

A name is a letter and a number: `o0` is the first onion dispenser, row by row. Counters that no
cook can face, and walls, have no name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from cookmas.worlds.grids.grid import DIRECTIONS, Cell, Grid, neighbour
from cookmas.worlds.grids.hands import Sight
from cookmas.worlds.grids.walking import Body, shortest_path
from cookmas.worlds.overcooked.rules.kitchen import (
    COUNTER,
    DISHES,
    GATE,
    MOVES,
    ONIONS,
    POT,
    SERVING,
    TOMATOES,
    KitchenItem,
    OvercookedKitchen,
    Scene,
    open_gates,
)

SHARED = "shared_counter"
"""The kind of a counter with floor on two opposite sides, over which cooks pass things."""

SHARED_LETTER = "s"
"""The first letter of the names of shared counters."""

DETOUR = 2
"""Most moves that a way around others may be longer than a way without them."""

INITIALS: Mapping[str, str] = {
    "o": ONIONS,
    "t": TOMATOES,
    "p": DISHES,
    "c": POT,
    "d": SERVING,
    "g": GATE,
    SHARED_LETTER: SHARED,
    "k": COUNTER,
}
"""The kind of place that the first letter of a name stands for."""

MEANINGS: Mapping[str, str] = {
    "o": "onion dispenser",
    "t": "tomato dispenser",
    "p": "dispenser of dishes",
    "c": "pot",
    "d": "serving window",
    "g": "gate",
    SHARED_LETTER: "counter between two sides, over which things can be passed",
    "k": "counter",
}
"""The first letters of names in words."""


@lru_cache(maxsize=64)
def places_of(kitchen: OvercookedKitchen) -> Mapping[str, Cell]:
    """Return the cell of each place by its name, in the order of `INITIALS` and then by number."""
    faced: set[Cell] = set()
    for start in kitchen.grid.starts:
        faced |= cells_reached(kitchen, start)
    cells: dict[str, list[Cell]] = {letter: [] for letter in INITIALS}
    letters = {kind: letter for letter, kind in INITIALS.items()}
    for cell, kind in kitchen.kinds.items():
        if kind in letters and cell in faced:
            shared = kind == COUNTER and _is_shared(kitchen, cell)
            cells[letters[SHARED if shared else kind]].append(cell)
    return {
        f"{letter}{number}": cell
        for letter, some in cells.items()
        for number, cell in enumerate(some)
    }


@lru_cache(maxsize=64)
def names_of(kitchen: OvercookedKitchen) -> Mapping[Cell, str]:
    """Return the name of each place by its cell."""
    return {cell: name for name, cell in places_of(kitchen).items()}


def _is_shared(kitchen: OvercookedKitchen, cell: Cell) -> bool:
    floor = kitchen.open_grid.floor
    return any(
        neighbour(cell, DIRECTIONS[one]) in floor and neighbour(cell, DIRECTIONS[other]) in floor
        for one, other in ("NS", "EW")
    )


@lru_cache(maxsize=4096)
def cells_reached(kitchen: OvercookedKitchen, at: Cell) -> frozenset[Cell]:
    """Return the cells that a cook on a cell can come to face while gates open, and all gates."""
    opened = kitchen.open_grid
    beside = {neighbour(gate, step): gate for gate in kitchen.gates for step in DIRECTIONS.values()}
    region = opened.region(at)
    return opened.cells_touched(at) | {gate for cell, gate in beside.items() if cell in region}


class OvercookedSight(Sight[OvercookedKitchen, Scene, KitchenItem]):
    """What a cook has before it, and the ways that it can go."""

    __slots__ = ()

    @property
    def grid(self) -> Grid:
        """The grid with the gates that are open now."""
        gates = self.scene.gates
        return self.kitchen.grid_with(open_gates(gates)) if gates else self.kitchen.grid

    @property
    def reached(self) -> frozenset[Cell]:
        """The cells that the cook can come to face while gates open, and all gates."""
        return cells_reached(self.kitchen, self.body.at)

    def way_to(self, target: Cell) -> tuple[str, ...] | None:
        """Return the fewest moves after which the cook faces a cell, around others if possible.

        If the way around the others is missing, or more than DETOUR moves longer than without them,
        return the way as if they were not there. Return None if there is none either.
        """
        return _way_to(self.grid, self.body, target, self.taken)

    def way_around(self, target: Cell) -> tuple[str, ...] | None:
        """Return the fewest moves to face a cell around the others; None if there is no way."""
        return shortest_path(self.grid, self.body, target, self.taken)

    def way_through(self, target: Cell) -> tuple[str, ...] | None:
        """Return the fewest moves to face a cell as if nobody else were there; None if none do."""
        return shortest_path(self.grid, self.body, target)

    def step_away(self, *, anywhere: bool = False) -> str | None:
        """Return the step to the free cell that is farthest from the others; None if none is.

        A step that leads nearer to the others counts only if the cook goes `anywhere`.
        """
        return _step_away(self.grid, self.body.at, self.taken, anywhere)


@lru_cache(maxsize=65536)
def _way_to(grid: Grid, body: Body, target: Cell, taken: frozenset[Cell]) -> tuple[str, ...] | None:
    through = shortest_path(grid, body, target)
    around = shortest_path(grid, body, target, taken)
    if around is None or through is None:
        return through
    return around if len(around) <= len(through) + DETOUR else through


@lru_cache(maxsize=65536)
def _step_away(grid: Grid, at: Cell, taken: frozenset[Cell], anywhere: bool) -> str | None:
    best, found = -1 if anywhere else _distance(at, taken), None
    for act, letter in MOVES.items():
        cell = neighbour(at, DIRECTIONS[letter])
        if cell in grid.floor and cell not in taken:
            distance = _distance(cell, taken)
            if distance > best:
                best, found = distance, act
    return found


def _distance(cell: Cell, taken: frozenset[Cell]) -> int:
    """Return the columns and rows, added up, from a cell to the nearest in `taken`, if any is."""
    return min((abs(cell[0] - x) + abs(cell[1] - y) for x, y in taken), default=0)
