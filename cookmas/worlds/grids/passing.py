"""Groups of bodies that can hand things to each other, on one floor or over counters."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cookmas.worlds.grids.grid import Cell, Grid


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
