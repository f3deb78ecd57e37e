"""Groups of bodies that can hand things to each other, on one floor or over counters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from cookmas.worlds.grids.grid import Cell, Grid
from cookmas.worlds.grids.hands import Thing

NO_PASSING = "the cooks cannot pass each other all that it needs"
"""Why an order cannot be delivered in a kitchen whose cooks reach all that it needs."""


@dataclass(slots=True, kw_only=True)
class CookSide(Generic[Thing]):
    """A group of cooks who can hand things to each other, and what the group can get."""

    cells: frozenset[Cell]
    """The solid cells that one of them can face."""
    kinds: frozenset[str]
    """The kinds of places among these cells."""
    things: set[Thing]
    """What the group can get."""


def find_sides(
    grid: Grid, kinds: Mapping[Cell, str], counter: str, given: Mapping[str, Iterable[Thing]]
) -> list[CookSide[Thing]]:
    """Return the groups of cooks of a kitchen, each with what dispensers give to it.

    `kinds` has the kind of each solid cell, and `given` what the dispensers of each kind give.
    """
    sides = []
    for cells in groups_of(grid, [cell for cell, kind in kinds.items() if kind == counter]):
        reached = frozenset(kinds[cell] for cell in cells)
        things = {thing for kind in reached for thing in given.get(kind, ())}
        sides.append(CookSide(cells=cells, kinds=reached, things=things))
    return sides


def explain_missing(
    needed: Mapping[str, str], kinds: Collection[str], sides: Sequence[CookSide[Any]]
) -> str | None:
    """Return which needed kind of place is not there or not reached; None if there is none.

    `needed` has the name of each kind with its article, and `kinds` what is in the kitchen.
    """
    for kind, name in needed.items():
        if kind not in kinds:
            return f"there is no {name.partition(' ')[2]}"
        if not any(kind in side.kinds for side in sides):
            return f"no cook reaches {name}"
    return None


def groups_of(grid: Grid, counters: Collection[Cell]) -> Sequence[frozenset[Cell]]:
    """Return the solid cells that each group of bodies can face.

    The bodies of a group can hand each other things, if need be from counter to counter. Only
    bodies that start on the grid count.
    """
    groups: list[frozenset[Cell]] = []
    for start in grid.starts:
        touched = grid.cells_touched(start)
        joined = [
            group
            for group in groups
            if group == touched or not touched.isdisjoint(group.intersection(counters))
        ]
        groups = [group for group in groups if group not in joined]
        groups.append(touched.union(*joined))
    return groups
