"""The ways of a kitchen in tables: how far each body is from facing a cell, and the act to it.

A table belongs to the gates that are open. Other cooks are in no table, but one cell can be taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.rules.kitchen import MOVES, OvercookedKitchen

Opened = frozenset[Cell]
"""The gates that are open."""

FAR = 1000
"""The distance of what cannot be faced."""


class WaysTo(NamedTuple):
    """The ways to one cell."""

    moves: Mapping[Body, int]
    """Fewest moves after which a body faces the cell; no entry for a body that never does."""
    lead: Mapping[Body, str]
    """The first of these moves; no entry for a body that faces the cell."""


@lru_cache(maxsize=256)
def _arrivals(kitchen: OvercookedKitchen, opened: Opened) -> Mapping[Body, list[tuple[Body, str]]]:
    """Return, for each body, those from which a move leads to it, with the move."""
    found = defaultdict(list)
    for (body, act), after in kitchen.walks(opened).items():
        if act in MOVES and after != body:
            found[after].append((body, act))
    return found


@lru_cache(maxsize=65536)
def ways_to(
    kitchen: OvercookedKitchen, opened: Opened, target: Cell, taken: Cell | None = None
) -> WaysTo:
    """Return the ways to a cell on which no body stands on the cell `taken`."""
    arrivals = _arrivals(kitchen, opened)
    bodies = {body for body, act in kitchen.walks(opened) if act == "stay"}
    layer = sorted(body for body in bodies if body.faces == target and body.at != taken)
    moves: dict[Body, int] = dict.fromkeys(layer, 0)
    lead: dict[Body, str] = {}
    distance = 0
    while layer:
        distance += 1
        reached = []
        for body in layer:
            for before, act in arrivals.get(body, ()):
                if before not in moves and before.at != taken:
                    moves[before] = distance
                    lead[before] = act
                    reached.append(before)
        layer = reached
    return WaysTo(moves, lead)


@lru_cache(maxsize=65536)
def moves_between(kitchen: OvercookedKitchen, here: Cell, there: Cell) -> int:
    """Return the fewest moves from facing a cell to facing another while all gates are open."""
    ways = ways_to(kitchen, frozenset(kitchen.gates), there)
    return min((far for body, far in ways.moves.items() if body.faces == here), default=FAR)


@lru_cache(maxsize=4096)
def nearest_moves(kitchen: OvercookedKitchen, here: Cell, kind: str) -> int:
    """Return the fewest moves from facing a cell to facing a place of a kind."""
    return min((moves_between(kitchen, here, cell) for cell in kitchen.places[kind]), default=FAR)
