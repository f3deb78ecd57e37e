"""Continuing: the rest of a schedule that is under way is as good as any that is found anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from files.errors import NotationError
from kitchen.actions import Wait, parse_action
from kitchen.components import Component
from kitchen.layout import Kitchen
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.decode import Rows
from worlds.restaurant.scheduling.left_shift import serves


def still_serving(
    kitchen: Kitchen,
    state: KitchenState,
    underway: Sequence[Mapping[str, str]],
    wanted: Mapping[str, tuple[Component, ...]],
) -> Rows:
    """Return what is left of a schedule if it still serves every line what is wanted, else nothing.

    `underway` has the actions of each timestep from now on; a worker that is left out waits.
    """
    idle = str(Wait())
    try:
        rows = [[parse_action(row.get(name, idle)) for name in kitchen.workers] for row in underway]
    except NotationError:
        return []
    return rows if serves(kitchen, state, rows, wanted) else []
