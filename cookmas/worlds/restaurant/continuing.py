"""How soon the rest of an episode can be served: the place for another solver.

The lower bound of a state and the embedded scheduler answer. A solver that proves an optimum would
return it as both numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.proof import makespan_of
from cookmas.worlds.restaurant.scheduling.bound import state_bound
from cookmas.worlds.restaurant.scheduling.schedule import make_schedule


def find_continuation(
    kitchen: Kitchen, state: KitchenState, wanted: Mapping[str, Sequence[Component]]
) -> tuple[int, int | None]:
    """Return a lower bound of the timesteps until the lines of `wanted` are served, and the length
    of the schedule that the embedded scheduler finds for them; None if it does not serve them all.

    For the bound, what is out of service counts as absent.
    """
    result = make_schedule(kitchen, state, wanted)
    served = result.status in ("optimal", "feasible")
    return state_bound(kitchen, state, wanted).value, makespan_of(
        result.schedule
    ) if served else None
