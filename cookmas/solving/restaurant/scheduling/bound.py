"""A lower bound of the timesteps that any schedule needs from the present state of a kitchen.

The bound is the greatest of its parts.

| constraint | method |
|---|---|
| workers, slots and the longest line of the workload | `workload_bound` |
| a thing serves only one of several lines | `_bound_shared`: a flow of savings to the lines |
| few workers are busy while the last dishes are served | `_bound_ending` |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from cookmas.kitchen.components import Component
from cookmas.kitchen.foods import Dish
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.stages import join_workloads
from cookmas.kitchen.state import KitchenState
from cookmas.solving.restaurant.bound import (
    FEWEST_PARTS,
    LAST_OF_A_DISH,
    Bound,
    Dishes,
    Needed,
    Occupancy,
    WorkloadStart,
    bound_by_ending,
    bound_with_work,
    situation,
    slots_needed,
    work_needed,
)
from cookmas.solving.restaurant.scheduling.claims import kinds_for, may_use_at
from cookmas.solving.restaurant.scheduling.reuse import Handling, Remaining, find_remaining

Wanted = Mapping[str, Sequence[Component]]
"""The components of each open order line."""

WHOLE, EARLY = "whole", "early"

IDLE_END = "work and idle end"
"""The part of the bound that counts how many workers are idle at the end."""


def state_bound(kitchen: Kitchen, state: KitchenState, wanted: Wanted) -> Bound:
    """Return the lower bound for serving `wanted` from a state, with the workers and stations in
    service.

    If several lines could use the same thing, the bound holds for every way of sharing: it is the
    greater one of two. For the first one, each line may use everything, as if it were alone. For
    the second one, which is about work and station time, all lines are made from raw ingredients,
    and each thing saves one of them a part of its work. The foods on a plating place or in a mixer
    may go to different lines. Raises Infeasible if a component cannot be made.
    """
    start = present(kitchen, state)
    alone = {line: _plan_alone(kitchen, state, start, {line: wanted[line]}) for line in wanted}
    bound, needed = bound_with_work(join_workloads(alone.values()), start)
    parts = Counter(bound.parts)
    parts[IDLE_END] = _bound_ending(kitchen, state, wanted, start, needed)
    used = [key for work in alone.values() for key in work.used]
    if len(used) > len(set(used)):
        parts |= _bound_shared(kitchen, state, wanted, alone)
    return Bound(parts=parts)


def _plan_alone(
    kitchen: Kitchen, state: KitchenState, start: WorkloadStart, wanted: Wanted
) -> Remaining:
    """Return the workload of a line that may use everything, without a thing that makes it more
    work.
    """
    work = find_remaining(kitchen, state, wanted)
    if not work.used:
        return work
    views = [_remove(kitchen, state, holder, slot) for holder, slot in sorted(work.used)]
    works = [work, *(find_remaining(kitchen, seen, wanted) for seen in views)]
    return min(works, key=lambda work: work_needed(work, start).whole)


def _remove(kitchen: Kitchen, state: KitchenState, holder: str, slot: int) -> KitchenState:
    """Return the state without the thing in a hand or in one slot of a station."""
    if holder in kitchen.workers:
        worker = kitchen.workers.index(holder)
        places = list(state.workers)
        places[worker] = places[worker]._replace(holding=None)
        return state._replace(workers=tuple(places))
    rest = tuple(content for content in state.contents[holder] if content.slot != slot)
    contents = {**state.contents, holder: rest}
    return state._replace(contents={name: lying for name, lying in contents.items() if lying})


class _Total(NamedTuple):
    """The needs of some work: timesteps of workers (see `Needed`), and of slots of each kind."""

    workers: Needed
    slots: Mapping[str, Occupancy]

    def timesteps(self) -> Counter[str]:
        """Return the timesteps by resource: workers under `WHOLE` and `EARLY`, slots under their
        kind.
        """
        slots = {kind: held.timesteps for kind, held in self.slots.items()}
        return Counter({WHOLE: self.workers.whole, EARLY: self.workers.early, **slots})


class _Savings(NamedTuple):
    """The timesteps that the things of a holder save each line, by resource (see `_Total`).

    `together` is for all things, `apart` has an item for each thing.
    """

    together: Sequence[Counter[str]]
    apart: Sequence[Sequence[Counter[str]]]

    def offer(self, part: str) -> Supplier:
        """Return the timesteps of a resource that the things save at most."""
        together = [saved[part] for saved in self.together]
        apart = [[saved[part] for saved in thing] for thing in self.apart]
        each = [max(own, sum(things)) for own, *things in zip(together, *apart, strict=True)]
        total = max(max(together), sum(max(thing) for thing in apart))
        return Supplier(total, dict(enumerate(each)))


def _bound_shared(
    kitchen: Kitchen, state: KitchenState, wanted: Wanted, alone: Mapping[str, Remaining]
) -> Counter[str]:
    """Return the parts of the bound that hold however the lines share the things in the kitchen.

    `alone` has the workload of each line if it may use everything. A line needs no less than that,
    so the things save it at most the rest, however many of them it gets.
    """
    start = present(kitchen, state)
    everything = frozenset((*state.contents, *kitchen.workers))

    def total(work: Remaining) -> _Total:
        return _Total(work_needed(work, start), slots_needed(work, start))

    def compute_needs(seen: KitchenState, kept: str) -> list[_Total]:
        handling = Handling(given_up=everything - {kept})
        works = (
            find_remaining(kitchen, seen, {li: wanted[li]}, handling=handling) for li in wanted
        )
        return [total(work) for work in works]

    fresh = compute_needs(state, "")
    most = [line.timesteps() for line in fresh]
    least = [total(work).timesteps() for work in alone.values()]
    savings: list[_Savings] = []
    for holder in _holders(kitchen, state):
        together, apart = [Counter[str]() for _ in wanted], []
        for seen in _views(kitchen, state, holder):
            needs = [line.timesteps() for line in compute_needs(seen, holder)]
            saved = [before - after for before, after in zip(most, needs, strict=True)]
            if seen is state:
                together = saved
            else:
                apart.append(saved)
        savings.append(_Savings(together, apart))
    totals = Counter[str]()
    for part in set().union(*most, *least):
        limits = [(high[part], low[part]) for high, low in zip(most, least, strict=True)]
        savable = [max(0, high - low) for high, low in limits]
        flow = maximum_flow([each.offer(part) for each in savings], savable)
        totals[part] = sum(map(max, limits)) - flow
    spared = sum(kind != "aisle" for kind in start.kinds)
    workers = max(1, len(start.places))
    whole, early = (-(-(totals[part] - spared) // workers) for part in (WHOLE, EARLY))
    parts = Counter({"work content": max(whole, early + LAST_OF_A_DISH)})
    for kind in {kind for line in fresh for kind in line.slots}:
        if units := start.slots.get(kind):
            follows = min(line.slots[kind].after for line in fresh if kind in line.slots)
            parts[f"load of {kind}"] = -(-totals[kind] // units) + follows if totals[kind] else 0
    parts[IDLE_END] = _bound_ending(kitchen, state, wanted, start, {0: totals[WHOLE]})
    return parts


def _bound_ending(
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Wanted,
    start: WorkloadStart,
    needed: Mapping[int, int],
) -> int:
    """Return the bound that counts idle workers at the end.

    `start` is the situation of the state. `needed` has for some timesteps the least work that
    cannot begin before them.
    """
    places = start.slots.get("plating", 0)
    if not start.places or not places or "plating" in start.roomy:
        return 0
    spared = count_spared_walks(kitchen, state, wanted)
    left = {release: work - spared for release, work in needed.items()}
    things = [place.holding for place in state.workers]
    things += [content.thing for lying in state.contents.values() for content in lying]
    made = sum(isinstance(thing, Dish) for thing in things)
    fewest = min((1 + len(components) for components in wanted.values()), default=FEWEST_PARTS)
    dishes = Dishes(made, len(wanted), fewest)
    return bound_by_ending(left, dishes, len(start.places), places)


def _holders(kitchen: Kitchen, state: KitchenState) -> list[str]:
    """Return the stations and workers that hold something that a line may use."""
    hands = zip(kitchen.workers, state.workers, strict=True)
    held = [worker for worker, place in hands if place.holding and worker not in state.out]
    return [*held, *(name for name, lying in state.contents.items() if lying)]


def _views(kitchen: Kitchen, state: KitchenState, holder: str) -> Iterator[KitchenState]:
    """Yield the state once for each way in which lines can use the things that a holder has.

    In the first state all things of the holder are together, in each other state one thing is
    alone.
    """
    contents = state.contents.get(holder, ())
    kind = kitchen.stations[holder].kind if holder in kitchen.stations else None
    if kind is None or kind.vessel or kind.name in ("plating", "mixer"):
        yield state
    if kind is not None and not kind.vessel:
        for content in contents:
            yield state._replace(contents={holder: (content,)})


def present(kitchen: Kitchen, state: KitchenState) -> WorkloadStart:
    """Return the situation in which work begins, with the stations and workers in service."""
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


def count_spared_walks(kitchen: Kitchen, state: KitchenState, wanted: Wanted) -> int:
    """Return the number of workers that may save the walk to their first action.

    A worker that holds a thing may place or serve it where it stands. A worker with an empty hand
    may pick or work on a thing there. Starting an appliance saves no walk: the worker must walk
    back later, or wait.
    """
    return sum(
        _may_be_spared(kitchen, state, wanted, worker)
        for worker, name in enumerate(kitchen.workers)
        if name not in state.out
    )


def _may_be_spared(kitchen: Kitchen, state: KitchenState, wanted: Wanted, worker: int) -> bool:
    place = state.workers[worker]
    station = kitchen.stations[place.station]
    if place.holding is not None:
        return station.kind.name in kinds_for(kitchen, state, wanted, worker)
    if station.room != 1:
        return station.kind.role not in ("pass", "bin", "aisle")
    contents = state.contents.get(station.name, ())
    if station.kind.role == "tool" or any(content.since is not None for content in contents):
        return bool(contents)
    return bool(contents) and not may_use_at(kitchen, state, wanted, station.name)


class Supplier(NamedTuple):
    """A supplier: `total` is the most that it can deliver, `to` the most for each consumer, in
    units.
    """

    total: int
    to: Mapping[int, int]


def maximum_flow(suppliers: Sequence[Supplier], wants: Sequence[int]) -> int:
    """Return the most units that all suppliers can deliver.

    Consumer number n takes at most `wants[n]` units.
    """
    source, sink = "source", "sink"
    free: dict[Hashable, dict[Hashable, int]] = {source: {}, sink: {}}
    for number, (total, to) in enumerate(suppliers):
        free[source][number] = total
        free[number] = {("to", consumer): most for consumer, most in to.items()}
    for consumer, most in enumerate(wants):
        free["to", consumer] = {sink: most}
    flow = 0
    while path := _find_path(free, source, sink):
        steps = list(pairwise(path))
        more = min(free[a][b] for a, b in steps)
        for a, b in steps:
            free[a][b] -= more
            free[b][a] = free[b].get(a, 0) + more
        flow += more
    return flow


def _find_path(
    free: Mapping[Hashable, Mapping[Hashable, int]], source: Hashable, sink: Hashable
) -> list[Hashable]:
    """Return the nodes of a shortest path with free capacity; none if there is no such path."""
    before: dict[Hashable, Hashable] = {source: source}
    reached = [source]
    for node in reached:
        for after, most in free[node].items():
            if most > 0 and after not in before:
                before[after] = node
                reached.append(after)
    if sink not in before:
        return []
    path = [sink]
    while path[-1] != source:
        path.append(before[path[-1]])
    return path[::-1]
