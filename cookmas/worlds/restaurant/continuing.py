"""How soon the rest of an episode can be served: the embedded scheduler and its bound answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.proof import makespan_of
from cookmas.worlds.restaurant.scheduling.bound import state_bound
from cookmas.worlds.restaurant.scheduling.schedule import (
    EFFORT,
    make_schedule,
    read_rows,
    serves,
)

JUDGING_EFFORT = EFFORT // 4
"""The effort for each continuation. An episode needs two for each disruption, and what was planned
or done is often a shorter schedule: so judging searches less than a planner does.
"""


def find_continuation(
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Mapping[str, Sequence[Component]],
    planned: Sequence[Sequence[Mapping[str, str]]],
) -> tuple[int, int | None]:
    """Return a lower bound of the timesteps until the lines of `wanted` are served, and the length
    of the shortest known schedule that serves them all; None if there is none.

    The known ones are those of `planned` that serve them, from now on, and that of the embedded
    scheduler. For the bound, what is out of service counts as absent.
    """
    asked = {line: tuple(parts) for line, parts in wanted.items()}
    known = [
        makespan_of(rows)
        for rows in planned
        if serves(kitchen, state, read_rows(kitchen, rows), asked)
    ]
    result = make_schedule(kitchen, state, wanted, effort=JUDGING_EFFORT)
    if result.status in ("optimal", "feasible"):
        bound = result.bound or 0
        known.append(makespan_of(result.schedule))
    else:
        bound = state_bound(kitchen, state, wanted).value
    return bound, min(known, default=None)
