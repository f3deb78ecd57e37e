"""Lower bounds of the makespan that hold for every schedule.

Three kinds, all from the stages of the dishes (`cookmas.kitchen.stages`); the bound is the largest:

- critical path: for each dish, the earliest timestep at which each stage can be filled, done and
  emptied, by recursion over its stages, two visits of one slot being two timesteps apart;
- work content: for every release r and tail q, r + ceil(work / workers) + q, over all work that
  cannot begin before r and is followed by at least q more timesteps; with a single dish left, the
  timesteps in which workers are idle at the end count too (`_last_dish`);
- load: as the work content, but for the slots of each kind of tool and appliance.

A fourth one, `bound_by_ending`, counts how many workers are idle at the end. Every dish ends on a
plating place, and there are few of those: at the end there is less to do than workers. Let no
schedule do more than E(q) timesteps of work in its last q timesteps. Then W timesteps of work take
at least q + (W - E(q)) / workers, for each q with W > E(q). This is energetic reasoning over the
workers as one cumulative resource (Baptiste, Le Pape & Nuijten 2001, "Constraint-Based Scheduling",
on cumulative constraints), in its destructive form: a shorter schedule would leave work undone
(Klein & Scholl 1999, "Computing lower bounds by destructive improvement").

| constraint | what it says of E(q) |
|---|---|
| a dish is assembled, picked, carried and served | one worker does one after the other |
| one worker at a time is at a plating place | the last puts are `PUT_INTERVAL` timesteps apart |
| a food was carried to its plate, and worked before | in `CARRY` timesteps one worker helps it |
| nothing lies beside a dish | dishes of one place end as far apart as it takes to put their parts |
| a worker does one thing at a time | E(q) is at most E(q - 1) + workers |
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import KINDS, Kitchen
from cookmas.kitchen.stages import (
    Delivery,
    Fetch,
    FoodInSlot,
    Held,
    Input,
    Lying,
    Made,
    Source,
    Stage,
    Workload,
    unfold_dish,
)


class WorkloadStart(NamedTuple):
    """The situation in which a workload begins; timesteps count from `now`.

    `places` is where each worker in service stands, `kinds` the kind of that station, `empty`
    whether the worker's hand is empty. `slots` counts the slots in service of each kind of station;
    a tool or a vessel counts as one. `shared` are the kinds of appliance in which several foods
    cook at the same time, each by itself. `roomy` are the kinds of station where more than one
    worker can stand.
    """

    now: int
    places: tuple[str, ...]
    kinds: tuple[str, ...]
    empty: tuple[bool, ...]
    slots: Mapping[str, int]
    shared: frozenset[str]
    roomy: frozenset[str]

    @property
    def dispensing(self) -> bool:
        """True if a worker stands at a dispenser: instead of walking to an ingredient that lies
        elsewhere, it may fetch another one.
        """
        return any(KINDS[kind].role == "dispenser" for kind in self.kinds)

    def gap(self, kind: str) -> int:
        """Return the least number of timesteps between two visits of a station of a kind."""
        return 0 if kind in self.roomy else 2


def cold(kitchen: Kitchen) -> WorkloadStart:
    """Return the situation at the start of an episode."""
    workers = len(kitchen.workers)
    return situation(kitchen, 0, (kitchen.aisle,) * workers, (True,) * workers, ())


def situation(
    kitchen: Kitchen,
    now: int,
    places: tuple[str, ...],
    empty: tuple[bool, ...],
    out: Collection[str],
) -> WorkloadStart:
    """Return the situation of a kitchen with the stations `out` out of service."""
    slots: dict[str, int] = {}
    shared: set[str] = set()
    roomy: set[str] = set()
    for station in kitchen.stations.values():
        kind = station.kind.name
        if station.name not in out:
            one = station.kind.role == "tool" or station.kind.vessel
            slots[kind] = slots.get(kind, 0) + (1 if one else station.slots)
        if station.slots > 1 and station.kind.role == "appliance" and not station.kind.vessel:
            shared.add(kind)
        if station.room != 1:
            roomy.add(kind)
    kinds = tuple(kitchen.stations[place].kind.name for place in places)
    return WorkloadStart(now, places, kinds, empty, slots, frozenset(shared), frozenset(roomy))


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """A dish that is wanted: nobody can begin it before timestep `release`."""

    release: int
    components: tuple[Component, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A lower bound in timesteps; `parts` has the bound of each kind, such as "critical path"."""

    parts: Mapping[str, int]

    @property
    def value(self) -> int:
        """The largest of the parts: no schedule is shorter."""
        return max(self.parts.values(), default=0)


class _Piece(NamedTuple):
    """A use of a resource for `length` timesteps, with the least time before it and after it."""

    release: int
    length: int
    tail: int


class _Path:
    """The earliest times of all stages of a workload, and the least times that follow them.

    For each stage, `puts` has the earliest timestep at which each input is put in (-1 if it is in
    already), `first` the least of these, `begin` that of the work or start, and `out` that of the
    taking out. `tail` is the least time from the taking out to the serving of the dish. A line in
    `release` cannot begin before that timestep.
    """

    def __init__(
        self, workload: Workload, release: Mapping[str, int], start: WorkloadStart
    ) -> None:
        self.stages = workload.stages
        self.deliveries = workload.deliveries
        self.release = release
        self.start = start
        self.puts: list[list[int]] = []
        self.first: list[int] = []
        self.begin: list[int] = []
        self.out: list[int] = []
        for stage in self.stages:
            self._add(stage)
        self.tail = [0] * len(self.stages)
        for delivery in self.deliveries:
            if isinstance(delivery.source, Made):
                self.tail[delivery.source.stage] = 3
        for index in reversed(range(len(self.stages))):
            stage = self.stages[index]
            for entry in stage.inputs:
                if isinstance(entry.source, Made):
                    after = 3 + _duration(stage, entry.low) + self.tail[index]
                    self.tail[entry.source.stage] = max(self.tail[entry.source.stage], after)

    def put(self, source: Source, line: str, kind: str) -> int:
        """Return the earliest timestep at which a food can be placed at a kind of station for a
        line.

        It is -1 if the food is there already.
        """
        released = self.release.get(line, 0)
        match source:
            case Fetch():
                return released + (2 if source.kind in self.start.kinds else 3)
            case Made():
                return self.out[source.stage] + 2
            case Held():
                return 0 if kind in self.start.kinds else 1
            case Lying():
                return 2 if source.station in self.start.places or self.start.dispensing else 3
            case FoodInSlot():
                return -1

    def _add(self, stage: Stage) -> None:
        puts = [self.put(entry.source, stage.line, stage.kind) for entry in stage.inputs]
        coming = sorted(put for put in puts if put >= 0)
        apart = self.start.gap(stage.kind)
        last = max(
            (put + apart * (len(coming) - 1 - n) for n, put in enumerate(coming)), default=-1
        )
        walk = 0 if stage.station is None or stage.station in self.start.places else 1
        begin = max(last + 1, walk)
        if stage.cooks:
            out = begin
            for entry, put in zip(stage.inputs, puts, strict=True):
                if isinstance(entry.source, FoodInSlot) and entry.source.since is not None:
                    out = max(out, entry.source.since + entry.low - self.start.now)
                else:
                    out = max(out, max(put + 1, walk) + entry.low)
            if coming:
                out = max(out, last + 1 + min(entry.low for entry in stage.inputs))
        else:
            out = begin + len(stage.work)
        self.puts.append(puts)
        self.first.append(min(puts))
        self.begin.append(begin)
        self.out.append(out)

    def finish(self, delivery: Delivery) -> int:
        """Return the least number of timesteps after which a dish is served."""
        source = delivery.source
        if isinstance(source, Made):
            return self.out[source.stage] + 3
        if isinstance(source, Held):
            return 1 if "pass" in self.start.kinds else 2
        return 3 if isinstance(source, Lying) and source.station in self.start.places else 4

    def work(self) -> Iterable[_Piece]:
        """Yield the least work of the workers: carries with their walks, starts, attended work."""
        for index, stage in enumerate(self.stages):
            rest = self.tail[index]
            for entry, put in zip(stage.inputs, self.puts[index], strict=True):
                after = _duration(stage, entry.low) + rest
                length = self._carry(entry.source)
                if length:
                    yield _Piece(max(0, put + 1 - length), length, after)
            if not stage.cooks:
                coming = any(not isinstance(entry.source, FoodInSlot) for entry in stage.inputs)
                yield _Piece(self.begin[index], len(stage.work) + (not coming), rest)
            elif not _is_running(stage):
                low = min(entry.low for entry in stage.inputs)
                yield _Piece(min(self.begin[index], self.out[index] - low), 1, low - 1 + rest)
        for delivery in self.deliveries:
            length = self._carry(delivery.source)
            yield _Piece(max(0, self.finish(delivery) - length), length, 0)

    def _carry(self, source: Source) -> int:
        match source:
            case FoodInSlot():
                return 0
            case Held():
                return 2
            case Made():
                stage = self.stages[source.stage]
                left = stage.cooks and min(entry.low for entry in stage.inputs) > 1
                return 4 if left and stage.kind not in self.start.shared else 3
            case _:
                return 4

    def stay(self, stage: Stage) -> int:
        """Return the least number of timesteps for which a stage holds its slot, up to the
        timestep at which another stage can use the slot.

        Foods gathered in a slot may be put on a counter for a while, so the waiting for further
        foods does not count. Foods that cook together are put in one after another, the slowest
        first.
        """
        gap = self.start.gap(stage.kind)
        coming = sum(not isinstance(entry.source, FoodInSlot) for entry in stage.inputs)
        if stage.cooks:
            here = 0
            lows: list[int] = []
            for entry in stage.inputs:
                if isinstance(entry.source, FoodInSlot):
                    here = max(here, _minutes_left(entry, self.start.now))
                else:
                    lows.append(1 + entry.low)
            lows.sort(reverse=True)
            return gap + max(here, *(low + gap * number for number, low in enumerate(lows)), 0)
        return len(stage.work) + gap * max(1, coming) + (coming > 0)

    def loads(self) -> Mapping[str, list[_Piece]]:
        """Return the pieces of load by kind of station: the least stay of each stage in a slot."""
        loads: dict[str, list[_Piece]] = {}
        for index, stage in enumerate(self.stages):
            gap = self.start.gap(stage.kind)
            release = 0 if stage.station is not None else max(0, self.first[index])
            tail = self.tail[index] - gap
            loads.setdefault(stage.kind, []).append(_Piece(release, self.stay(stage), tail))
        return loads


def _is_running(stage: Stage) -> bool:
    return any(
        isinstance(e.source, FoodInSlot) and e.source.since is not None for e in stage.inputs
    )


def _duration(stage: Stage, low: int) -> int:
    """Return the least number of timesteps between the last put and the take-out."""
    return low if stage.cooks else len(stage.work)


def _capacity_bound(pieces: Sequence[_Piece], units: int, spared: int = 0) -> int:
    """Return the bound by releases and tails for `units` workers or slots, with preemption.

    `spared` timesteps of the load may be saved. This is the heads-and-tails form of Carlier (1982),
    "The one-machine sequencing problem", for parallel machines.
    """
    best = 0
    by_tail = sorted(pieces, key=attrgetter("tail"), reverse=True)
    for release in {piece.release for piece in pieces}:
        load = -spared
        for begin, length, tail in by_tail:
            if begin >= release:
                load += length
                if load > 0 and release - (-load // units) + tail > best:
                    best = release - (-load // units) + tail
    return best


def _last_dish(path: _Path, work: Sequence[_Piece], workers: int, spared: int) -> int:
    """Return the bound by the work content of a single dish, with the idleness at its end.

    Everything ends on one plating place, where puts are two timesteps apart. So one worker puts the
    last input, another one was last useful at least two timesteps before, and so on. A worker that
    puts nothing there was last useful at least four timesteps before, because its food must still
    be carried on.
    """
    if len(path.deliveries) != 1 or not isinstance(path.deliveries[0].source, Made):
        return 0
    stage = path.stages[path.deliveries[0].source.stage]
    coming = sum(not isinstance(entry.source, FoodInSlot) for entry in stage.inputs)
    if not coming or stage.kind in path.start.roomy:
        return 0
    after = len(stage.work) + 3
    before = sum(piece.length for piece in work if piece.tail >= after) - spared
    idle = [2 * n if n < coming else 4 for n in range(workers)]
    timesteps = max(0, before // workers)
    while sum([max(0, timesteps - least) for least in idle]) < before:
        timesteps += 1
    return timesteps + after


def workload_bound(
    workload: Workload, start: WorkloadStart, release: Mapping[str, int] | None = None
) -> Bound:
    """Return the bound for a workload from a situation.

    A line in `release` cannot begin before that many timesteps from now.
    """
    path = _Path(workload, release or {}, start)
    return _bound(path, list(path.work()))


def _bound(path: _Path, work: Sequence[_Piece]) -> Bound:
    """Return the bound of a workload: `path` has its earliest times, `work` what workers do."""
    start = path.start
    parts = {
        "critical path": max((path.finish(delivery) for delivery in path.deliveries), default=0)
    }
    if not start.places:
        return Bound(parts=parts)
    spared = sum(kind != "aisle" for kind in start.kinds)
    parts["work content"] = max(
        _capacity_bound(work, len(start.places), spared),
        _last_dish(path, work, len(start.places), spared),
    )
    loads = {kind: stays for kind, stays in path.loads().items() if start.slots.get(kind)}
    for kind, stays in loads.items():
        parts[f"load of {kind}"] = _capacity_bound(stays, start.slots[kind])
    return Bound(parts=parts)


class Needed(NamedTuple):
    """The least work of a workload, in timesteps of workers.

    `early` leaves out the work on each dish after the last food is on the plate.
    """

    whole: int
    early: int


LAST_OF_A_DISH = 4
"""Timesteps after the last put: assembling, picking, walking to the pass and serving."""


def work_needed(workload: Workload, start: WorkloadStart) -> Needed:
    """Return the least work of a workload."""
    pieces = list(_Path(workload, {}, start).work())
    early = sum(piece.length for piece in pieces if piece.tail >= LAST_OF_A_DISH)
    return Needed(sum(piece.length for piece in pieces), early)


def bound_with_work(workload: Workload, start: WorkloadStart) -> tuple[Bound, Mapping[int, int]]:
    """Return the bound for a workload, and for some timesteps the work that cannot begin before."""
    path = _Path(workload, {}, start)
    pieces = list(path.work())
    work = {
        release: sum([piece.length for piece in pieces if piece.release >= release])
        for release in sorted({0, *(piece.release for piece in pieces)})
    }
    return _bound(path, pieces), work


class Occupancy(NamedTuple):
    """The least number of timesteps for which the stages of a workload hold slots of one kind.

    At least `after` timesteps pass between the end of each of these stages and the serving.
    """

    timesteps: int
    after: int


def slots_needed(workload: Workload, start: WorkloadStart) -> Mapping[str, Occupancy]:
    """Return the least use that the stages of a workload make of the slots of each kind.

    How long a stage holds its slot depends on its own foods alone. Food that is already in the slot
    makes it shorter.
    """
    path = _Path(workload, {}, start)
    needed: dict[str, Occupancy] = {}
    for stage, tail in zip(path.stages, path.tail, strict=True):
        gap = start.gap(stage.kind)
        before = needed.get(stage.kind, Occupancy(0, tail - gap))
        needed[stage.kind] = Occupancy(
            before.timesteps + path.stay(stage), min(before.after, tail - gap)
        )
    return needed


def _minutes_left(entry: Input, now: int) -> int:
    """Return the least number of timesteps for which a food still stays where it cooks."""
    assert isinstance(entry.source, FoodInSlot)
    if entry.source.since is None:
        return entry.low
    return max(0, entry.source.since + entry.low - now)


def makespan_bound(kitchen: Kitchen, demands: Sequence[Demand]) -> Bound:
    """Return the bound for dishes made from raw ingredients, each from its release on.

    Raises Infeasible if a component cannot be made.
    """
    workload = Workload()
    release: dict[str, int] = {}
    for number, demand in enumerate(demands):
        release[str(number)] = demand.release
        unfold_dish(workload, str(number), demand.components, kitchen.larder)
    return workload_bound(workload, cold(kitchen), release)


def clairvoyant_bound(
    kitchen: Kitchen, wanted: Mapping[str, Sequence[Component]], release: Mapping[str, int]
) -> int:
    """Return the bound for a planner that knows all lines from the beginning on.

    It may begin a dish before its order, and serves it from its `release` on. Faults are left out,
    and lines that are not in `wanted` are not made. Raises Infeasible as `makespan_bound` does.
    """
    demands = [Demand(release=0, components=tuple(parts)) for parts in wanted.values()]
    return max(makespan_bound(kitchen, demands).value, *(at + 1 for at in release.values()), 0)


CARRY = 4
"""Timesteps that bring a food to its plate: a walk or a timestep of work, picking, walking and
putting.
"""

PUT_INTERVAL = 2
"""Timesteps between two puts on one plating place, where one worker at a time has room."""

FEWEST_PARTS = 2
"""The least number of things that are put on a plating place for a dish: a plate and a food."""


class Dishes(NamedTuple):
    """The numbers of dishes of a workload: of those `made` already, and of the `others`.

    Each of the others has at least `fewest` parts: its foods and its plate.
    """

    made: int
    others: int
    fewest: int = FEWEST_PARTS


def work_on_a_dish(last: int) -> int:
    """Return the greatest work on a dish in its `last` timesteps, up to and including the serving.

    `last` is at most `LAST_OF_A_DISH + CARRY`.
    """
    puts = range(LAST_OF_A_DISH, last, PUT_INTERVAL)
    return min(last, LAST_OF_A_DISH) + sum(last - put for put in puts)


def most_at_the_end(dishes: Dishes, workers: int, places: int) -> Mapping[int, int]:
    """Return for each small number of timesteps the greatest work that fits into the last ones.

    `places` is the number of plating places. In more timesteps than these, every worker may have
    something to do.
    """
    apart = PUT_INTERVAL * (1 + dishes.fewest)
    most: dict[int, int] = {0: 0}
    for last in range(1, LAST_OF_A_DISH + CARRY + 1):
        work = dishes.made * min(last, LAST_OF_A_DISH)
        for number, until in enumerate(range(last, 0, -apart)):
            ending = max(0, min(places, dishes.others - places * number))
            work += ending * work_on_a_dish(until)
        most[last] = min(work, most[last - 1] + workers)
    return most


def bound_by_ending(work: Mapping[int, int], dishes: Dishes, workers: int, places: int) -> int:
    """Return the least number of timesteps to serve `dishes` that end on some plating places.

    `work` has for some timesteps the work that cannot begin before them.
    """
    most = most_at_the_end(dishes, workers, places)
    return max(
        (
            release + last - (fits - needed) // workers
            for release, needed in work.items()
            for last, fits in most.items()
            if needed > fits
        ),
        default=0,
    )
