"""A lower bound of the timesteps that any schedule needs from a kitchen as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kitchen.bounds import (
    LAST_OF_A_DISH,
    Bound,
    Needed,
    Situation,
    situation,
    work_needed,
    workload_bound,
)
from kitchen.components import Component
from kitchen.layout import Kitchen
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.reuse import remaining

Wanted = Mapping[str, Sequence[Component]]


def state_bound(kitchen: Kitchen, state: KitchenState, wanted: Wanted) -> Bound:
    """The bound for serving `wanted` from a state, with the stations and workers in service.

    What is under way counts for the line that it helps most. Where two lines could use the same
    thing the bound holds for every way of sharing: each line alone may use everything, and of the
    work of all lines made from nothing each thing saves at most what it saves the one it helps
    most. Raises Infeasible if a component cannot be made.
    """
    start = present(kitchen, state)
    alone = {line: remaining(kitchen, state, {line: wanted[line]}) for line in wanted}
    used = [key for work in alone.values() for key in work.used]
    if len(used) == len(set(used)):
        return workload_bound(remaining(kitchen, state, wanted), start)
    bounds = [workload_bound(work, start).value for work in alone.values()]
    least = [work_needed(work, start) for work in alone.values()]
    shared = _shared_work(kitchen, state, wanted, start, least)
    return Bound(parts={"the longest line": max(bounds), "work content": shared})


def _shared_work(
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Wanted,
    start: Situation,
    least: Sequence[Needed],
) -> int:
    """The work content where things may be shared out among the lines in any way.

    `least` is what each line needs if it may use everything.
    """
    everything = frozenset((*state.contents, *kitchen.workers))

    def needed(seen: KitchenState, kept: str) -> list[Needed]:
        given_up = everything - {kept}
        works = (remaining(kitchen, seen, {li: wanted[li]}, given_up=given_up) for li in wanted)
        return [work_needed(work, start) for work in works]

    fresh = needed(state, "")
    totals = []
    for part in range(2):
        total = sum(work[part] for work in fresh)
        for holder in everything:
            savings = [
                max(
                    0,
                    *(b[part] - a[part] for b, a in zip(fresh, needed(seen, holder), strict=True)),
                )
                for seen in _views(kitchen, state, holder)
            ]
            total -= sum(savings)
        totals.append(max(total, sum(work[part] for work in least)))
    spared = sum(kind != "aisle" for kind in start.kinds)
    workers = max(1, len(start.places))
    whole, early = (-(-(total - spared) // workers) for total in totals)
    return max(whole, early + LAST_OF_A_DISH)


def _views(kitchen: Kitchen, state: KitchenState, holder: str) -> Iterator[KitchenState]:
    """The state with what a holder has, as it can be used: all together, or each thing alone."""
    contents = state.contents.get(holder, ())
    kind = kitchen.stations[holder].kind if holder in kitchen.stations else None
    if kind is None or kind.vessel or kind.name in ("plating", "mixer"):
        yield state
    if kind is not None and not kind.vessel and kind.name != "plating":
        for content in contents:
            yield state._replace(contents={holder: (content,)})


def present(kitchen: Kitchen, state: KitchenState) -> Situation:
    """Return the situation of a state, with the stations and workers in service."""
    places = [
        place
        for worker, place in zip(kitchen.workers, state.workers, strict=True)
        if worker not in state.out
    ]
    return situation(
        kitchen,
        state.timestep,
        tuple(place.station for place in places),
        tuple(place.holding is None for place in places),
        state.out,
    )
