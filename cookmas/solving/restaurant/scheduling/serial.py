"""Serial schedule generation: the tasks of some lines are planned one after the other.

Each task is planned at the earliest timestep at which it fits, also between tasks that were planned
before (Kolisch 1996, the serial scheme). A search that goes forward in time visits every timestep
instead.

| constraint | method |
|---|---|
| the task that delays its line most comes first | `_choose` |
| a stage must be done before another stage has its station | `_find_leaving`, MARGINS |
| a worker continues where it stands | `_find_ways` |
| work in progress of several lines needs the same stations | these lines are planned together |

The timesteps at which a mode cannot start are found all at once (`Starts`). A requirement of a mode
is a run: some timesteps, relative to the start, at which a level must be free. The starts that a
run blocks are the bits of the level, spread over the length of the run.

| constraint | method |
|---|---|
| workers, room to stand and slots are limited | `_Needs.always`, `_Needs.either` |
| a stage keeps its station from its first put on | `_block_first_put` |
| a stage that has a station keeps it only for a while | `_block_kept` |
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from cookmas.solving.restaurant.scheduling.mode import Mode, Room
from cookmas.solving.restaurant.scheduling.problem import Problem, lines_of
from cookmas.solving.restaurant.scheduling.profile import mask_to_last
from cookmas.solving.restaurant.scheduling.resources import PAUSE, KeptStation, Levels, Resources
from cookmas.solving.restaurant.scheduling.states import (
    HOPELESS,
    LineTasks,
    PartialSchedule,
    RankedTask,
)
from cookmas.solving.restaurant.scheduling.tasks import duration

Run = tuple[int, int, int]
"""The index of a level, and the timesteps at which it must be free: the first one, relative to the
start of the mode, and their number.
"""


class _Gathering(NamedTuple):
    """The needs of a mode at a gathering stage.

    `put` is the time of its first put there. `stands` are the runs of its visits by station.
    `slots` has the top level of the slots of each station at which the mode may begin the stage,
    with the runs of the shortest stay there and of the visits.
    """

    stage: int
    put: int
    stands: Mapping[str, Sequence[Run]]
    slots: Sequence[tuple[int, Sequence[Run]]]


class _Needs(NamedTuple):
    """The runs of a mode: those that it always needs, and alternatives, one for each station."""

    always: Sequence[Run]
    either: Sequence[Sequence[Sequence[Run]]]
    gathering: Sequence[_Gathering]


class Starts:
    """The starts at which modes are blocked, for levels that `look_at` sets."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self._levels: Levels = []
        self._spread: dict[tuple[int, int], int] = {}
        self._needs: dict[Mode, _Needs] = {}

    def look_at(self, levels: Levels) -> None:
        """Set the levels. They must not change before the next call."""
        self._levels = levels
        self._spread.clear()

    def find_blocked(self, mode: Mode, open_at: Mapping[int, KeptStation], keep_until: int) -> int:
        """Return the bits of the timesteps at which a mode cannot start.

        At all others it probably can (`Resources.place` decides). `open_at` has the stations that
        gathering stages keep. A stage that the mode begins must be able to keep its station until
        `keep_until`.
        """
        needs = self._needs.get(mode)
        if needs is None:
            needs = self._needs[mode] = self._needs_of(mode)
        blocked = self._block(needs.always)
        for options in needs.either:
            every = -1
            for runs in options:
                every &= self._block(runs)
            blocked |= every
        for gathering in needs.gathering:
            kept = open_at.get(gathering.stage)
            if kept:
                blocked |= self._block_kept(gathering, kept)
            elif gathering.slots:
                blocked |= self._block_first_put(gathering, keep_until)
        for stage, when in mode.leaves:
            until = open_at[stage].until
            if until is not None:
                blocked |= -1 << max(0, until - when + 1)
        return blocked

    def _block(self, runs: Sequence[Run]) -> int:
        """Return the starts that some runs block."""
        spread, blocked = self._spread, 0
        for index, first, length in runs:
            taken = spread.get((index, length))
            if taken is None:
                taken = spread[index, length] = _spread(self._levels[index], length)
            blocked |= taken >> first
        return blocked

    def _block_kept(self, gathering: _Gathering, kept: KeptStation) -> int:
        """Return the starts that are blocked by the station that a stage keeps already."""
        blocked = self._block(gathering.stands.get(kept.station, ()))
        if not gathering.slots:
            return blocked
        if kept.until is not None:
            blocked |= -1 << max(0, kept.until - gathering.put)
        slot = self._levels[self.resources.slot_levels[kept.station][1]]
        return blocked | mask_to_last(slot, kept.since) >> gathering.put

    def _block_first_put(self, gathering: _Gathering, keep_until: int) -> int:
        """Return the starts at which no station is free for a stage for long enough."""
        every = -1
        for slot, runs in gathering.slots:
            taken = mask_to_last(self._levels[slot], keep_until)
            every &= taken >> gathering.put | self._block(runs)
        return every

    def _needs_of(self, mode: Mode) -> _Needs:
        resources = self.resources
        always: list[Run] = []
        for number, layer in enumerate(mode.workers):
            always += _runs(resources.workers - 1 - number, layer)
        either: list[Sequence[Sequence[Run]]] = []
        gathering: list[_Gathering] = []
        freed = {resources.stages[stage].kind for stage, _ in mode.leaves}
        freed |= {resources.kind[name] for name, _, _ in mode.lifted}
        for room in mode.rooms:
            stage = room.spot.stage
            if room.puts or (stage >= 0 and resources.tasks.gathers(stage)):
                gathering.append(self._gathering_of(room, freed))
                continue
            names = resources.find_stations(room.spot)
            slots = [resources.slot_levels.get(name) for name in names]
            keeps = all(slots) and freed.isdisjoint(resources.kind[name] for name in names)
            stands = [resources.stand_levels.get(name) for name in names]
            options = [
                [
                    *(_runs(slot[1], room.stay) if slot and keeps else []),
                    *(_runs(stand[1], room.visits[0]) if stand and all(stands) else []),
                ]
                for slot, stand in zip(slots, stands, strict=True)
            ]
            if len(options) == 1:
                always += options[0]
            else:
                either.append(options)
        return _Needs(always, either, gathering)

    def _gathering_of(self, room: Room, freed: Collection[str]) -> _Gathering:
        """Return the needs of a room of a gathering stage; a mode frees slots of kinds `freed`."""
        resources, stage = self.resources, room.spot.stage
        kind, put = resources.stages[stage].kind, min(room.puts, default=0)
        names = resources.by_kind.get(kind, ())
        stands = {
            name: _runs(stand[1], room.visits[0])
            for name in names
            if (stand := resources.stand_levels.get(name))
        }
        stay = resources.least_stay(stage)
        slots = [
            (top, [(top, put, stay), *stands.get(name, [])])
            for name in (names if room.puts and kind not in freed else ())
            for _, top in [resources.slot_levels[name]]
        ]
        return _Gathering(stage, put, stands, slots)


def _spread(level: int, length: int) -> int:
    """Return the starts at which a run of some length meets a taken timestep of a level."""
    done = 1
    while done < length:
        more = min(done, length - done)
        level |= level >> more
        done += more
    return level


def _runs(index: int, mask: int) -> list[Run]:
    """Return the runs of the bits that are set in a mask."""
    found: list[Run] = []
    first = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        mask >>= zeros
        length = (~mask & (mask + 1)).bit_length() - 1
        found.append((index, first + zeros, length))
        mask >>= length
        first += zeros + length
    return found


STARTING, PLACING = 28, 38
"""Cost of computing the starts of a mode, and of placing it. The unit is the cost of a mode that a
search tries. They measure time, so that the effort of all workloads takes about as long.
"""

MARGINS = (0, 3, 12)
"""Timesteps for which a station must be free longer than a stage is expected to need it, drawn
evenly from these. A greater margin plans dishes that another one would delay, a smaller one uses
shorter gaps.
"""

TOGETHER = (1, 1, 2, 3)
"""Numbers of lines that are planned together, drawn evenly from these. Together, lines share
stations; one after the other, the first is served as soon as possible.
"""

BLURS = (0.0, 2.0, 6.0)
"""Greatest noise on the urgencies of tasks, in timesteps, drawn evenly from these. More noise tries
more different orders, less noise better ones.
"""


class _Way(NamedTuple):
    """A mode in which a task is tried from `soonest` on, before `until`.

    `chosen` prescribes its first station, `link` is the block that it continues.
    """

    mode: Mode
    soonest: int
    until: float = HOPELESS
    chosen: Sequence[str] = ()
    link: int | None = None


class _Waiting:
    """The unplanned tasks of a line.

    `latest` is the least timestep at which the line can be served, by what is planned.
    """

    def __init__(self, line: LineTasks, entries: list[RankedTask]) -> None:
        self.line = line
        self.entries = entries
        self.latest = 0


class SerialGeneration:
    """A generator of schedules for the lines of a problem.

    `expanded` counts the tasks that it planned or found no place for. `cost` is the cost so far, in
    modes that a `Search` tries.
    """

    def __init__(self, problem: Problem, chance: Random) -> None:
        self.problem = problem
        self.chance = chance
        self.lines: Mapping[str, LineTasks] = lines_of(problem)
        self.expanded = 0
        self.cost = 0.0
        self.resources = problem.resources
        self.resources.fills_gaps = True
        self._starts = Starts(problem.resources)

    def plan(
        self, state: PartialSchedule, lines: Collection[str], before: float
    ) -> PartialSchedule | None:
        """Return the state in which some lines are planned, too, in a random order; None if one of
        them finds no place, or would not be served before a timestep.

        Lines of which a stage keeps a station are planned first; together, if one of them needs a
        station that another one keeps.
        """
        blur = self.chance.choice(BLURS)
        stages = self.problem.tasks.stages
        keeping = {stages[stage].line for stage in state.open_at}
        order = list(lines)
        self.chance.shuffle(order)
        order.sort(key=lambda line: line not in keeping)
        size = self.chance.choice(TOGETHER)
        together: list[str] = []
        for number, line in enumerate(order, start=1):
            together.append(line)
            if len(together) < size and number < len(order):
                continue
            after = self._plan_together(state, together, blur, before)
            if after:
                state, together = after, []
            elif line not in keeping:
                return None
        return None if together else state

    def _plan_together(
        self, state: PartialSchedule, lines: Sequence[str], blur: float, before: float
    ) -> PartialSchedule | None:
        """Return the state in which all tasks of some lines are planned, too, and served before a
        timestep; None if none is found.
        """
        margin = self.chance.choice(MARGINS)
        waiting = [
            _Waiting(line, [entry for entry in line.entries if entry.bit & state.todo])
            for line in map(self.lines.__getitem__, lines)
        ]
        planned = self._plan(state, [w for w in waiting if w.entries], blur, before, margin)
        if planned is not None:
            planned.forget_ends()
        return planned

    def _plan(
        self,
        state: PartialSchedule,
        waiting: list[_Waiting],
        blur: float,
        before: float,
        margin: int,
    ) -> PartialSchedule | None:
        """Return the state in which all waiting tasks are planned; None if none is found.

        A task that fits nowhere is tried again after the next other task.
        """
        more = self._draw_urgencies(waiting, blur)
        stuck = 0
        while waiting:
            best: RankedTask | None = None
            owner, most = waiting[0], -1.0
            for some in waiting:
                found, urgency = self._choose(state, some, more, stuck)
                if some.latest >= before:
                    return None
                if found and urgency > most:
                    best, owner, most = found, some, urgency
            if best is None:
                return None
            keep_until = self._find_leaving(best, owner.latest, margin)
            after = self._plan_task(state, best, before, keep_until)
            if after is None:
                if not self._may_find_room(state, best):
                    return None
                stuck |= best.bit
                continue
            state, stuck = after, 0
            owner.entries.remove(best)
            if not owner.entries:
                waiting.remove(owner)
        return state

    def _draw_urgencies(self, waiting: Iterable[_Waiting], blur: float) -> Mapping[int, float]:
        """Return by how many timesteps each task is more urgent, by its bit; none if they are
        urgent as usual.
        """
        if not blur:
            return {}
        draw = self.chance.random
        return {entry.bit: blur * draw() for some in waiting for entry in some.entries}

    def _choose(
        self, state: PartialSchedule, some: _Waiting, more: Mapping[int, float], stuck: int
    ) -> tuple[RankedTask | None, float]:
        """Return the most urgent task of a line with its urgency, and update `latest`.

        The urgency is the least timestep at which the task lets the line be served, and what `more`
        has for the task. Tasks that are `stuck` are not returned.
        """
        left, full_at, todo = state.left, state.full_at, state.todo
        best, most, latest = None, -1.0, 0
        for entry in some.entries:
            takes, served = entry.takes, entry.tail
            if takes >= 0:
                if left[takes]:
                    continue
                served += full_at.get(takes, 1) - 1
            if served > latest:
                latest = served
            if entry.earlier & todo or entry.bit & stuck:
                continue
            urgency = served + more[entry.bit] if more else served
            if urgency > most:
                best, most = entry, urgency
        line = some.line
        for stage in line.stages:
            if stage in full_at:
                latest = max(latest, full_at[stage] + line.after[stage])
        some.latest = latest
        return best, most

    def _find_leaving(self, entry: RankedTask, latest: int, margin: int) -> int:
        """Return the timestep at which the stage that a task brings food to gives its station back
        if its line is served at `latest`, plus a margin.
        """
        stages = [filling.stage for filling in entry.modes[0].fillings if not filling.passes]
        if not stages:
            return margin
        full = latest - self.problem.after[stages[-1]]
        return max(0, full + duration(self.problem.tasks.stages[stages[-1]]) + 1 + margin)

    def _plan_task(
        self,
        state: PartialSchedule,
        entry: RankedTask,
        before: float,
        keep_until: int,
    ) -> PartialSchedule | None:
        """Return the state in which a task is planned so that it ends as early as possible; None if
        its line could then not be served before `before`.

        A stage that the task begins must be able to keep its station until `keep_until`.
        """
        self.expanded += 1
        self._starts.look_at(state.levels)
        best, end = None, before - entry.after
        for way in self._find_ways(state, entry):
            mode, soonest = way.mode, way.soonest
            until = min(way.until, end - mode.end)
            if soonest >= until or (mode.leaves and state.lacks(mode)):
                continue
            if not self.problem.may_open(state, mode):
                continue
            for at in self._find_starts(state, mode, soonest, until, keep_until):
                self.cost += PLACING
                took = self.resources.place(
                    state.levels, mode, at, state.open_at, way.chosen, keep_until
                )
                if took:
                    best, end = (mode, at, *took, way.link, entry.bit), at + mode.end
                    break
        return best and state.start(*best)

    def _may_find_room(self, state: PartialSchedule, entry: RankedTask) -> bool:
        """Return whether a task that fits nowhere may fit later, because a stage keeps a station
        that it needs, and may give it back.
        """
        kept = {kept.station for kept in state.open_at.values()}
        spots = [room.spot for room in entry.modes[0].rooms]
        return any(
            not kept.isdisjoint(self.resources.find_stations(spot))
            for spot in spots
            if spot.stage not in state.open_at
        )

    def _find_ways(self, state: PartialSchedule, entry: RankedTask) -> Iterator[_Way]:
        """Yield the ways in which a task can be planned.

        In the first ones, a worker continues with the task where its last block ended, or where it
        stands at the first timestep.
        """
        full = state.full_at.get(entry.takes, 0)
        _, stage, station = spot = entry.modes[0].rooms[0].spot
        if stage in state.open_at:
            station = state.open_at[stage].station
        for end, place, block in state.ends:
            if end >= full and (place == station or self.resources.kind[place] == spot.kind):
                for mode in self.problem.modes.of(entry.task, linked=True):
                    yield _Way(mode, end, end + 1, (place,), block)
        for mode in entry.modes:
            yield _Way(mode, max(0, full - 1))

    def _find_starts(
        self,
        state: PartialSchedule,
        mode: Mode,
        soonest: int,
        until: float,
        keep_until: int,
    ) -> Iterator[int]:
        """Yield the timesteps before `until` at which a mode probably fits, in order.

        After the end of the schedule so far nothing changes, so only one such timestep is yielded.
        """
        self.cost += STARTING
        until = min(until, max(soonest, state.last, PAUSE) + 1)
        blocked = self._starts.find_blocked(mode, state.open_at, keep_until)
        free, at = ~blocked >> soonest, soonest
        while free:
            step = (free & -free).bit_length()
            at += step
            if at > until:
                return
            yield at - 1
            free >>= step
