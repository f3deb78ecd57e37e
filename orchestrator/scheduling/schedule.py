"""The scheduler: components wanted by the open lines in, a schedule out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kitchen.components import Component
from kitchen.layout import Kitchen
from kitchen.state import KitchenState
from orchestrator.scheduling.decode import Schedule, decode
from orchestrator.scheduling.reuse import remaining
from orchestrator.scheduling.search import Search, Unplaceable

EFFORT = 600
"""Chains times width of the beam: how hard is searched, whatever the machine."""

WIDEST = 60
"""Widest beam."""

FEW_CHAINS = 24
"""Up to so many chains it is worth trying to let a chain wait on purpose."""

HOLD = 2
"""How often a state may do so at one timestep."""


def make_schedule(
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Mapping[str, Sequence[Component]],
    effort: int = EFFORT,
) -> Schedule:
    """A short schedule that serves what every line of `wanted` wants, from a state on.

    What is under way is gone on with; where that cannot be it is given up. Raises Infeasible if a
    component cannot be made in this kitchen, and Unplaceable if nothing can be done at present.
    """
    given_up: set[str] = set()
    everything = {*state.contents, *kitchen.workers}
    while True:
        work = remaining(kitchen, state, wanted, frozenset(given_up))
        try:
            search = Search(kitchen, state, work)
            chains = max(1, len(search.entries))
            width = max(1, min(WIDEST, effort // chains))
            found = search.best(width, hold=HOLD if chains <= FEW_CHAINS else 0)
        except Unplaceable as failure:
            if given_up >= everything:
                raise
            given_up |= {failure.name} if failure.name not in {"", *given_up} else everything
            continue
        return decode(kitchen, state, work.stages, found)
