"""The remaining workload of a running kitchen; work in progress continues.

| constraint | method |
|---|---|
| a thing in the kitchen serves a line once | `claims_on` |
| a stage waits until a thing in its way is removed | `Clear` with its `stage` |
| foods that lie together in a tool leave it joined | `Clear` with its `process` |
| food that first cooks alone frees its only vessel | `_set_aside`, on a counter |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import ASSEMBLE, PLATE_NAME, Kitchen, Station
from cookmas.kitchen.stages import (
    PLATE_SOURCE,
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
    follow,
    group_steps,
    join_inputs,
    work_of,
)
from cookmas.kitchen.state import Content, KitchenState
from cookmas.solving.restaurant.scheduling.claims import Claim, Path, choose_joining, claims_on


class Handling(NamedTuple):
    """A treatment of work in progress.

    Food of the stations and workers in `put_by` waits on a counter; food of those in `given_up` is
    abandoned. In lines `apart`, food that cooks longer than the rest cooks alone first (see
    `cook_apart`).
    """

    put_by: frozenset[str] = frozenset()
    given_up: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()

    def make_gentler(self, name: str) -> Handling | None:
        """Return the next handling to try if the work at a station or worker cannot continue; None
        if there is none.

        It puts the food by on a counter or, if this handling does so already, abandons the food.
        """
        if name not in self.put_by:
            return self._replace(put_by=self.put_by | {name})
        if name not in self.given_up:
            return self._replace(given_up=self.given_up | {name})
        return None


AS_USUAL = Handling()
"""The handling in which all work in progress continues."""


@dataclass(frozen=True, slots=True)
class Clear:
    """A useless thing, which a worker must carry from its slot to the bin.

    If it lies among the foods of a `stage`, that stage waits for its removal. With a `process`, a
    worker first joins everything in the station by this process; "start" stands for starting a pot
    or pan.
    """

    station: str
    slot: int
    stage: int | None = None
    process: str | None = None


@dataclass(slots=True)
class Remaining(Workload):
    """The remaining workload of a running kitchen, with its obstacles.

    `junk` maps each worker that holds a thing that is not wanted now to the counter for it, or to
    None for the bin. `clears` are useless things in slots. `used` are the slots and hands whose
    food is reused. `handling` is the treatment of work in progress.
    """

    junk: dict[int, str | None] = field(default_factory=dict)
    clears: list[Clear] = field(default_factory=list)
    used: frozenset[tuple[str, int]] = frozenset()
    handling: Handling = AS_USUAL

    def exceeds(self, stock: Mapping[str, int]) -> bool:
        """Return whether the workload fetches more of a limited thing than the `stock` has."""
        sources = [entry.source for stage in self.stages for entry in stage.inputs]
        fetched = Counter(source.name for source in sources if isinstance(source, Fetch))
        return any(fetched[name] > left for name, left in stock.items())


def find_remaining(
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Mapping[str, Sequence[Component]],
    later: frozenset[str] = frozenset(),
    handling: Handling = AS_USUAL,
) -> Remaining:
    """Return the workload left for `wanted` (components by open line) in a state.

    Lines in `later` get no work, but their work in progress is kept. Raises Infeasible if a
    component cannot be made.
    """
    claims = claims_on(kitchen, state, wanted, handling.given_up, handling.apart)
    working = Counter(s.kind.name for s in kitchen.stations.values() if s.name not in state.out)
    build = _Builder(kitchen, claims, handling, working)
    for line, components in wanted.items():
        if line not in later:
            build.dish(line, tuple(components))
    used = frozenset(key for claim in claims.values() for key in claim.candidate.keys)
    build.work.used = used
    holds = {
        claim.candidate.place.worker: path[0]
        for path, claim in claims.items()
        if isinstance(claim.candidate.place, Held)
    }
    free = _free_on_counters(kitchen, state)
    for worker, place in enumerate(state.workers):
        name = kitchen.workers[worker]
        if place.holding is None or name in state.out:
            continue
        if worker not in holds or holds[worker] in later:
            keep = worker in holds or name in handling.given_up
            build.work.junk[worker] = free.pop(0) if keep and free else None
    for name, contents in state.contents.items():
        if kitchen.stations[name].kind.role != "counter":
            useless = [content for content in contents if (name, content.slot) not in used]
            works = name not in state.out
            build.work.clears += _clears(kitchen.stations[name], contents, useless, works)
    return build.work


def _free_on_counters(kitchen: Kitchen, state: KitchenState) -> list[str]:
    """Return the counters with free slots, each once for every free slot."""
    names = [name for name in kitchen.of_kind("counter") if name not in state.out]
    room = {
        name: kitchen.stations[name].slots - len(state.contents.get(name, ())) for name in names
    }
    return [name for name in names for _ in range(room[name])]


def _clears(
    station: Station, contents: Sequence[Content], useless: Sequence[Content], works: bool
) -> Iterator[Clear]:
    """Yield the removal of useless things in a station.

    Things that lie together in a tool are joined first, so that one worker can remove them at once.
    In a pot or pan, to start them joins them; things that already cook there leave together anyway.
    """
    idle = sum(content.since is None for content in contents)
    if station.kind.vessel and len(useless) > 1 and (works or not idle):
        yield Clear(station.name, useless[0].slot, process="start" if idle else None)
    elif works and station.kind.role == "tool" and len(useless) == len(contents) > 1:
        yield Clear(station.name, 1, process=station.kind.processes[0])
    else:
        yield from (Clear(station.name, content.slot) for content in useless)


class _Builder:
    """A builder of stages around the claimed things; otherwise like
    `cookmas.kitchen.stages.unfold_dish`.

    `working` has the number of stations in service of each kind.
    """

    def __init__(
        self,
        kitchen: Kitchen,
        claims: Mapping[Path, Claim],
        handling: Handling,
        working: Mapping[str, int],
    ) -> None:
        self.larder = kitchen.larder
        self.claims = claims
        self.put_by = handling.put_by
        self.apart = handling.apart
        self.working = working
        self.work = Remaining(handling=handling)

    def dish(self, line: str, components: tuple[Component, ...]) -> None:
        claim = self.claims.get((line,))
        if claim and claim.present is None:
            self.work.deliveries.append(Delivery(line, claim.candidate.place))
            return
        present = claim.present if claim and claim.present else {}
        plate: Source = PLATE_SOURCE
        if PLATE_NAME in present:
            plate = FoodInSlot()
        elif held := self.claims.get((line, PLATE_NAME)):
            plate = self._put_by(line, held.candidate.place, held)
        sources = [plate, *self._children((line,), components, present)]
        stage = Stage(
            line=line,
            kind="plating",
            inputs=tuple(Input(source=source) for source in sources),
            work=(ASSEMBLE,),
            station=self._station(claim),
        )
        self.work.deliveries.append(Delivery(line, self._add(stage, claim)))

    def _add(self, stage: Stage, claim: Claim | None) -> Source:
        made = self.work.add(stage)
        if claim and claim.candidate.station:
            for slot in claim.extras:
                self.work.clears.append(Clear(claim.candidate.station.name, slot, made.stage))
        return made

    @staticmethod
    def _station(claim: Claim | None) -> str | None:
        return claim.candidate.station.name if claim and claim.candidate.station else None

    def _children(
        self, path: Path, parts: Sequence[Component], present: Mapping[str, Content]
    ) -> list[Source]:
        return [
            FoodInSlot(present[str(number)].since, present[str(number)].slot)
            if str(number) in present
            else self._component((*path, str(number)), part)
            for number, part in enumerate(parts)
        ]

    def _component(self, path: Path, component: Component) -> Source:
        line, claim = path[0], self.claims.get(path)
        if claim and claim.present is None:
            source = claim.candidate.place
            if claim.stays:
                content = claim.candidate.contents[0]
                source = FoodInSlot(content.since, content.slot)
            station = self._station(claim) if claim.stays else None
            first = group_steps(claim.steps)[0] if claim.stays else ()
            out = follow(self.work, line, source, first, station)
            return follow(
                self.work, line, self._put_by(line, out, claim), claim.steps[len(first) :]
            )
        if not component.parts:
            fetched = Fetch(component.name, self.larder[component.name])
            return follow(self.work, line, fetched, component.steps)
        join_ = choose_joining(component, line in self.apart)
        sources = self._children(path, join_.parts, (claim.present or {}) if claim else {})
        if line in self.apart:
            sources = self._set_aside(line, sources, join_.kind)
        inputs = join_inputs(sources, join_)
        stage = Stage(
            line=line,
            kind=join_.kind,
            inputs=inputs,
            work=work_of(join_.work),
            station=self._station(claim),
        )
        made = self._put_by(line, self._add(stage, claim), claim)
        return follow(self.work, line, made, join_.rest)

    def _put_by(self, line: str, source: Source, claim: Claim | None) -> Source:
        """Return the source, or the counter where its food waits if the food is to be put by."""
        if claim is None or claim.candidate.holder not in self.put_by or isinstance(source, Lying):
            return source
        return self._put_on_counter(line, source)

    def _set_aside(self, line: str, sources: list[Source], kind: str) -> list[Source]:
        """Return the sources of a join in a `kind` of vessel, after some of them have cooked alone.

        If only one such vessel is in service, these foods wait on a counter, and so does food in a
        hand.
        """
        cooked = {
            source
            for source in sources
            if isinstance(source, Made) and self.work.stages[source.stage].kind == kind
        }
        if not cooked or self.working[kind] > 1:
            return sources
        return [
            self._put_on_counter(line, source)
            if source in cooked or isinstance(source, Held)
            else source
            for source in sources
        ]

    def _put_on_counter(self, line: str, source: Source) -> Source:
        return self.work.add(Stage(line=line, kind="counter", inputs=(Input(source=source),)))
