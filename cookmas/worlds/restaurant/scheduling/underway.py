"""Continuing: the rest of an active schedule competes with the schedules that a search finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.files.errors import NotationError
from cookmas.kitchen.actions import Wait, parse_action
from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.scheduling.decode import Rows
from cookmas.worlds.restaurant.scheduling.left_shift import serves


def read_rows(kitchen: Kitchen, underway: Sequence[Mapping[str, str]]) -> Rows:
    """Return the actions of a schedule; none if one of them is not in the action library.

    `underway` has the actions of each timestep from now on; a worker that is left out waits.
    """
    idle = str(Wait())
    try:
        return [[parse_action(row.get(name, idle)) for name in kitchen.workers] for row in underway]
    except NotationError:
        return []


def still_serving(
    kitchen: Kitchen, state: KitchenState, rows: Rows, wanted: Mapping[str, tuple[Component, ...]]
) -> Rows:
    """Return the rest of a schedule if it still serves every line as wanted, else an empty list."""
    return rows if serves(kitchen, state, rows, wanted) else []
