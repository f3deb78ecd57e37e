"""How soon the rest of an episode can be served: the embedded scheduler and its bound answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.proof import makespan_of
from cookmas.worlds.restaurant.scheduling.bound import state_bound
from cookmas.worlds.restaurant.scheduling.schedule import EFFORT, make_schedule

JUDGING_EFFORT = EFFORT // 4
"""The effort for each continuation. An episode needs two for each disruption, and what was done may
be a shorter schedule anyway: so judging searches less than a planner does.
"""


def find_continuation(
    kitchen: Kitchen, state: KitchenState, wanted: Mapping[str, Sequence[Component]]
) -> tuple[int, int | None]:
    """Return a lower bound of the timesteps until the lines of `wanted` are served, and the length
    of the schedule that the embedded scheduler finds for them; None if it does not serve them all.

    For the bound, what is out of service counts as absent.
    """
    result = make_schedule(kitchen, state, wanted, effort=JUDGING_EFFORT)
    if result.status in ("optimal", "feasible"):
        return result.bound or 0, makespan_of(result.schedule)
    return state_bound(kitchen, state, wanted).value, None
