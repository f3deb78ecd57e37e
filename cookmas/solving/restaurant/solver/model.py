"""CP-SAT on the tasks and modes of the scheduler: each constraint is a method.

| constraint | method |
|---|---|
| a task is done in one of its modes | `_add_tasks`, with `TaskTimes` |
| a worker goes on where it stands | `_link` |
| a worker does one thing at a timestep | `_limit_workers` |
| food is gathered before it is worked on | `_gather` |
| a station has room for one worker, a tool or vessel for one stage | `_keep_stations` |
| a slot holds one food | `_hold_slots` |
| what lies in a station takes its room until it is lifted | `_leave_lying` |
| a dish is served when its line is open, as early as possible | `_serve` |

The model leaves out what the scheduler can do beyond this: modes of another shape than that of the
known schedule, another treatment of work in progress, and a worker that goes on at a station with
the task of another stage. So an optimum is one of the model, not of the kitchen.

A task has a start, and a choice among the modes of one shape: they differ only in their times, as
by the minutes that food cooks. All times that differ alike between the modes are the start plus one
*shift*; a table says which shifts belong together. A worker that already stands where the task
begins leaves out the first walk: the task is *linked*, and everything else has the times that it
would have after that walk.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cookmas.kitchen.stages import FoodInSlot
from cookmas.solving.restaurant.scheduling.mode import Mode, put_down
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.states import Placed, Solution
from cookmas.solving.restaurant.scheduling.tasks import Spot, Task
from cookmas.solving.restaurant.solver.cpsat import load_cpsat

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    Var = cp_model.IntVar
    Time = cp_model.LinearExpr | int
    Interval = cp_model.IntervalVar

Key = tuple[str, int]
"""A time of a mode: its kind, and the number within the mode.

The kinds are `begin` and `end` of a block, `arrive` and `leave` of a visit, `in` and `out` of a
stay, `put` of a filling, `lift` of a lifted slot, `empty` of a stage that is left, and `served`.
"""


def times_of(mode: Mode) -> dict[Key, int]:
    """Return all times of a mode."""
    times: dict[Key, int] = {}
    for number, (begin, end) in enumerate(mode.blocks):
        times["begin", number], times["end", number] = begin, end
    for number, visit in enumerate(mode.visits):
        times["arrive", number], times["leave", number] = visit.arrive, visit.leave
    for number, room in enumerate(room for room in mode.rooms if room.stay):
        low = (room.stay & -room.stay).bit_length() - 1
        times["in", number], times["out", number] = low, room.stay.bit_length()
    for number, filling in enumerate(mode.fillings):
        times["put", number] = filling.put
    for number, (_, _, time) in enumerate(mode.lifted):
        times["lift", number] = time
    for number, (_, time) in enumerate(mode.leaves):
        times["empty", number] = time
    if mode.served is not None:
        times["served", 0] = mode.served
    return times


def times_after_walk(mode: Mode) -> dict[Key, int]:
    """Return the times of a linked mode as if its worker had walked first."""
    later = {key: time + 1 for key, time in times_of(mode).items()}
    return later | {("begin", 0): 0, ("arrive", 0): 0}


def shape_of(mode: Mode) -> tuple[object, ...]:
    """Return a key that is equal for modes that differ only in their times."""
    return (
        len(mode.blocks),
        tuple(visit.spot for visit in mode.visits),
        tuple(room.spot for room in mode.rooms if room.stay),
        tuple((filling.stage, filling.passes) for filling in mode.fillings),
        tuple(mode.hands),
        tuple(name for name, *_ in mode.lifted),
        tuple(stage for stage, _ in mode.leaves),
    )


class Hinted(NamedTuple):
    """The mode of a task in a known schedule, its start after a walk, and whether it is linked."""

    mode: Mode
    start: int
    linked: bool


def find_hinted(modes: Sequence[Mode], placed: Placed) -> Hinted | None:
    """Return which of some modes a known schedule has; None if it has none of them."""
    shape, times = shape_of(placed.mode), times_of(placed.mode)
    for mode in modes:
        if shape_of(mode) == shape and times_of(mode) == times:
            return Hinted(mode, placed.start, False)
    after = times_after_walk(placed.mode)
    for mode in modes:
        if shape_of(mode) == shape and times_of(mode) == after:
            return Hinted(mode, placed.start - 1, True)
    return None


class TaskTimes:
    """A task in a model: its `start`, and its times as expressions.

    `modes` have one shape. `forced` tasks count their times from now. `linked` is whether the
    worker already stands where the task begins; None for a forced task. `present` is whether the
    task is done; None if it must be.
    """

    def __init__(
        self,
        model: cp_model.CpModel,
        task: Task | None,
        modes: Sequence[Mode],
        horizon: int,
        forced: bool,
        hinted: Hinted | None,
    ) -> None:
        self.task = task
        self.modes = modes
        self.forced = forced
        self.present: Var | None = None
        self.linked: Var | None = None
        self.start: Var = model.new_int_var(0 if forced else -1, 0 if forced else horizon, "")
        self.begin: Var = self.start
        self._tables = [times_of(mode) for mode in modes]
        self._shifts: dict[tuple[int, ...], Var] = {}
        shifted: dict[tuple[int, ...], Var] = {}
        self._times: dict[Key, Time] = {}
        known = times_of(hinted.mode) if hinted else {}
        first = self._tables[0]
        cp = load_cpsat()
        for key, base in first.items():
            shift = tuple(table[key] - base for table in self._tables)
            if not any(shift):
                self._times[key] = self.start + base
                continue
            if shift not in self._shifts:
                domain = cp.Domain.FromValues(sorted(set(shift)))
                self._shifts[shift] = model.new_int_var_from_domain(domain, "")
                shifted[shift] = model.new_int_var(-1, 2 * horizon, "")
                model.add(shifted[shift] == self.start + self._shifts[shift])
                if hinted:
                    model.add_hint(self._shifts[shift], known[key] - base)
                    model.add_hint(shifted[shift], hinted.start + known[key] - base)
            self._times[key] = shifted[shift] + base
        if self._shifts:
            rows = sorted({tuple(shift[n] for shift in self._shifts) for n in range(len(modes))})
            model.add_allowed_assignments(list(self._shifts.values()), rows)
        if not forced:
            self.linked = model.new_bool_var("")
            self.begin = model.new_int_var(0, horizon, "")
            model.add(self.begin == self.start + self.linked)
            if hinted:
                model.add_hint(self.start, hinted.start)
                model.add_hint(self.linked, hinted.linked)
                model.add_hint(self.begin, hinted.start + hinted.linked)

    @property
    def mode(self) -> Mode:
        """A mode of the shape."""
        return self.modes[0]

    def at(self, kind: str, number: int = 0) -> Time:
        """Return a time by its key; that of the first walk may be saved."""
        if number == 0 and kind in ("begin", "arrive"):
            return self.begin
        return self._times[kind, number]

    def visits(self) -> Iterator[tuple[int, Time, Time]]:
        """Yield the number of each visit, its arrival and its end."""
        for number in range(len(self.mode.visits)):
            yield number, self.at("arrive", number), self.at("leave", number)

    def find_chosen(self, value: Callable[[Any], int]) -> Mode:
        """Return the mode that a solution chose, by the values of its variables."""
        found = {shift: value(var) for shift, var in self._shifts.items()}
        return next(
            mode
            for number, mode in enumerate(self.modes)
            if all(shift[number] == at for shift, at in found.items())
        )


class ModeModel:
    """The model of a problem, with a known schedule as its hint.

    No schedule of the model is longer than `horizon`, in timesteps from now. `release` has the
    timestep from now at which a line opens, if that is later. The solver minimizes the timestep
    after which everything is served. `stations` has for a stage with a choice of station the truth
    value of each one; `kept` has the time for which a stage keeps a station of its kind.
    """

    def __init__(
        self,
        problem: Problem,
        known: Solution,
        horizon: int,
        release: Mapping[str, int] | None = None,
    ) -> None:
        self.problem = problem
        self.horizon = horizon
        self.model: cp_model.CpModel = load_cpsat().CpModel()
        self.tasks: list[TaskTimes] = []
        self.links: dict[tuple[int, int], Var] = {}
        self.stations: dict[int, list[Var]] = {}
        self.kept: dict[int, tuple[Time, Time]] = {}
        self._known = {placed.mode.task: placed for placed in known.placed if placed.mode.task}
        self._add_tasks(known)
        self._fillers = self._find_fillers()
        self.visits = self._find_visits()
        self._link()
        self._limit_workers()
        self._gather()
        self._keep_stations()
        self._hold_slots()
        self._serve(release or {})

    # Tasks.

    def _add_tasks(self, known: Solution) -> None:
        """Add each task with the modes of the shape that the known schedule has, or the quickest
        mode has.
        """
        problem, tasks = self.problem, self.problem.tasks
        for task in tasks.listed:
            if tasks.is_forced(task):
                self._add(task, problem.modes.of(task), True, self._known.get(task))
        held = {p.mode.hands[0][1]: p for p in known.placed if p.mode.task is None}
        for worker, counter in problem.junk.items():
            drafts = put_down(worker, tasks.places[worker], counter)
            self._add(None, [Mode(draft, None) for draft in drafts], True, held.get(worker))
        for entry in problem.entries:
            self._add(entry.task, entry.modes, False, self._known.get(entry.task))

    def _add(
        self, task: Task | None, modes: Sequence[Mode], forced: bool, placed: Placed | None
    ) -> None:
        hinted = find_hinted(modes, placed) if placed else None
        if hinted is None and placed is not None and forced:
            modes = [placed.mode, *modes]
            hinted = find_hinted(modes, placed)
        like = hinted.mode if hinted else next((m for m in modes if m.on_spot is None), modes[0])
        group = [
            mode
            for mode in modes
            if shape_of(mode) == shape_of(like) and (mode.on_spot is None or mode is like)
        ]
        times = TaskTimes(self.model, task, group, self.horizon, forced, hinted)
        clears = self.problem.tasks.work.clears
        if task is not None and task.kind == "clear" and clears[task.index].stage is None:
            times.present = self.model.new_bool_var("")
            self.model.add_hint(times.present, placed is not None)
        self.tasks.append(times)

    def _find_fillers(self) -> Mapping[int, list[tuple[int, int]]]:
        """Return for each stage the tasks that fill it, each with the number of the filling."""
        fillers = defaultdict(list)
        for number, times in enumerate(self.tasks):
            for index, filling in enumerate(times.mode.fillings):
                if not filling.passes:
                    fillers[filling.stage].append((number, index))
        return fillers

    def _find_visits(self) -> Mapping[Spot, list[tuple[TaskTimes, Time, Time]]]:
        """Return the visits to each spot: the task, the arrival and the end."""
        visits = defaultdict(list)
        for times in self.tasks:
            for number, arrive, leave in times.visits():
                visits[times.mode.visits[number].spot].append((times, arrive, leave))
        return visits

    def _interval(self, begin: Time, end: Time, when: Var | None = None) -> Interval:
        size = self.model.new_int_var(0, 4 * self.horizon, "")
        self.model.add(size == end - begin)
        if when is None:
            return self.model.new_interval_var(begin, size, end, "")
        return self.model.new_optional_interval_var(begin, size, end, when, "")

    # Workers.

    def _link(self) -> None:
        """Let a worker go on where it stands: who brought the last food to a gathering stage with
        that stage, and an idle one where it stands at first.
        """
        incoming: dict[int, list[Var]] = defaultdict(list)
        outgoing: dict[int, list[Var]] = defaultdict(list)
        for number, times in enumerate(self.tasks):
            if times.linked is None or times.task is None:
                continue
            if times.task.kind == "work":
                for filler, _ in self._fillers[times.task.stage]:
                    mode = self.tasks[filler].mode
                    if _ends_at(mode, times.task.stage):
                        self._add_link(filler, number, times.begin, incoming)
            for worker in self.problem.tasks.empty:
                if self._stands_at(worker, times.mode.visits[0].spot):
                    link = self._add_link(-worker - 1, number, times.begin, incoming)
                    outgoing[worker].append(link)
            self.model.add(times.linked == sum(incoming[number]))
        pinned = {worker for t in self.tasks if t.forced for _, worker in t.mode.hands}
        for worker, links in outgoing.items():
            self.model.add(sum(links) <= (worker not in pinned))
        self._hint_links()

    def _add_link(
        self, before: int, number: int, begin: Time, incoming: dict[int, list[Var]]
    ) -> Var:
        link = self.model.new_bool_var("")
        end: Time = 0
        if before >= 0:
            last = len(self.tasks[before].mode.blocks) - 1
            end = self.tasks[before].at("end", last)
        self.model.add(begin == end).only_enforce_if(link)
        self.links[before, number] = link
        incoming[number].append(link)
        return link

    def _stands_at(self, worker: int, spot: Spot) -> bool:
        """Return whether a worker now stands at the one place that a spot can be."""
        name = self.problem.now.workers[worker].station
        if spot.stage >= 0:
            return self.problem.tasks.stages[spot.stage].station == name
        return spot.station == name or spot.kind == self.problem.resources.kind[name]

    def _hint_links(self) -> None:
        owner: dict[int, set[Task | None]] = defaultdict(set)
        for placed in self._known.values():
            for block in placed.blocks:
                owner[block].add(placed.mode.task)
        for (before, number), link in self.links.items():
            task = self.tasks[number].task
            known = self._known.get(task) if task else None
            block = known.blocks[0] if known else 0
            same = block == before if before < 0 else self.tasks[before].task in owner[block]
            self.model.add_hint(link, known is not None and same)

    def _limit_workers(self) -> None:
        """Let no more blocks run at a timestep than there are workers."""
        blocks = [
            self._interval(times.at("begin", number), times.at("end", number), times.present)
            for times in self.tasks
            for number in range(len(times.mode.blocks))
        ]
        self.model.add_cumulative(blocks, [1] * len(blocks), self.problem.resources.workers)

    # Stations.

    def _gather(self) -> None:
        """Let a stage be worked on only after all its food was put there."""
        for times in self.tasks:
            for index, (stage, _) in enumerate(times.mode.leaves):
                here = [n for n, v in enumerate(times.mode.visits) if v.spot.stage == stage]
                first = times._times["arrive", here[0]] if here else times.at("empty", index)
                for filler, number in self._fillers[stage]:
                    self.model.add(first >= self.tasks[filler].at("put", number))

    def _is_single(self, kind: str) -> bool:
        """Return whether a station of a kind holds one stage at a time."""
        station = self.problem.kitchen.stations[self.problem.resources.by_kind[kind][0]]
        return station.kind.role == "tool" or station.kind.vessel

    def _stays(self) -> Mapping[int, tuple[Time, Time]]:
        """Return for each stage when food is first in its slot, and when the slot is empty."""
        stays: dict[int, tuple[Time, Time]] = {}
        for times in self.tasks:
            for index, room in enumerate(room for room in times.mode.rooms if room.stay):
                stays[room.spot.stage] = times.at("in", index), times.at("out", index)
            for index, (stage, _) in enumerate(times.mode.leaves):
                begin: Time = 0
                if self.problem.tasks.stages[stage].station is None:
                    begin = self.model.new_int_var(0, self.horizon, "")
                    for filler, number in self._fillers[stage]:
                        self.model.add(begin <= self.tasks[filler].at("put", number))
                stays[stage] = begin, times.at("empty", index)
        return stays

    def _keep_stations(self) -> None:
        """Let a stage have a tool or a vessel from its first visit to its end."""
        taken = self._leave_lying()
        for number, (_, out) in self._stays().items():
            stage = self.problem.tasks.stages[number]
            if stage.kind not in self.problem.resources.by_kind or not self._is_single(stage.kind):
                continue
            visits = self.visits[Spot(stage=number)]
            self.model.add_no_overlap([self._interval(a, b, t.present) for t, a, b in visits])
            begin: Time = 0
            if stage.station is None:
                begin = self.model.new_int_var(0, self.horizon, "")
                for _, arrive, _ in visits:
                    self.model.add(begin <= arrive)
            self.kept[number] = begin, out + 1
            taken[stage.kind].append(self._interval(begin, out + 1))
        for kind, intervals in taken.items():
            units = len(self.problem.resources.by_kind[kind])
            self.model.add_cumulative(intervals, [1] * len(intervals), units)

    def _leave_lying(self) -> dict[str, list[Interval]]:
        """Return by kind when tools and vessels are taken by what belongs to no stage there."""
        taken: dict[str, list[Interval]] = defaultdict(list)
        for name in self.problem.now.contents:
            station = self.problem.kitchen.stations[name]
            if name in self.problem.now.out or not self._is_single(station.kind.name):
                continue
            if any(stage.station == name for stage in self.problem.tasks.stages):
                continue
            visits = self.visits[Spot(station=name)]
            self.model.add_no_overlap([self._interval(a, b, t.present) for t, a, b in visits])
            ends = self.list_lifts(name)
            end = self.model.new_int_var(0, 3 * self.horizon, "")
            if not ends:
                self.model.add(end > self.horizon)
            for times, time, _ in ends:
                self._require_end(end, time + 1, times)
            taken[station.kind.name].append(self._interval(0, end))
        return taken

    def list_lifts(self, name: str) -> list[tuple[TaskTimes, Time, int]]:
        """Return the tasks that lift something from the station `name`: times, moment and slot.

        The slot is the place at the station where the thing stood.
        """
        return [
            (times, times.at("lift", index), slot)
            for times in self.tasks
            for index, (station, slot, _) in enumerate(times.mode.lifted)
            if station == name
        ]

    def _require_end(self, end: Var, time: Time, times: TaskTimes) -> None:
        """Let a slot be taken until a thing is lifted; for ever if the task is not done."""
        self.model.add(end >= time)
        if times.present is not None:
            self.model.add(end > self.horizon).only_enforce_if(~times.present)

    def _hold_slots(self) -> None:
        """Let each food that is not at a tool or in a vessel have a slot, and let one worker at a
        time be at its station.
        """
        resources, stages = self.problem.resources, self.problem.tasks.stages
        of_kind: dict[str, list[int]] = defaultdict(list)
        stays = self._stays()
        for number in stays:
            kind = stages[number].kind
            if kind in resources.by_kind and not self._is_single(kind):
                of_kind[kind].append(number)
        kinds = {resources.kind[name] for name in self.problem.now.contents} | set(of_kind)
        for kind in sorted(kinds):
            if kind not in resources.by_kind or self._is_single(kind):
                continue
            names = resources.by_kind[kind]
            for index, name in enumerate(names):
                slots, visits = self._lying_in_slots(name)
                for number in of_kind[kind]:
                    here = self._choose(number, names)[index]
                    begin, end = stays[number]
                    slots.append(self._interval(begin, end, here))
                    for _, arrive, leave in self.visits[Spot(stage=number)]:
                        visits.append(self._interval(arrive, leave, here))
                station = self.problem.kitchen.stations[name]
                self.model.add_cumulative(slots, [1] * len(slots), station.slots)
                if station.room is not None:
                    self.model.add_cumulative(visits, [1] * len(visits), station.room)

    def _choose(self, number: int, names: Sequence[str]) -> Sequence[Var]:
        """Return for each of some stations whether a stage is there."""
        if number not in self.stations:
            found = [self.model.new_bool_var("") for _ in names]
            self.model.add_exactly_one(found)
            fixed = self.problem.tasks.stages[number].station
            hint = fixed or self._find_station(number)
            for name, here in zip(names, found, strict=True):
                if fixed is not None:
                    self.model.add(here == (name == fixed))
                if hint is not None:
                    self.model.add_hint(here, name == hint)
            self.stations[number] = found
        return self.stations[number]

    def _find_station(self, number: int) -> str | None:
        spot = Spot(stage=number)
        return next((p.spots[spot] for p in self._known.values() if spot in p.spots), None)

    def _lying_in_slots(self, name: str) -> tuple[list[Interval], list[Interval]]:
        """Return the slots that things take in a station until they are lifted, and the visits of
        those who lift them.
        """
        stages = self.problem.tasks.stages
        own = {
            entry.source.slot
            for stage in stages
            if stage.station == name
            for entry in stage.inputs
            if isinstance(entry.source, FoodInSlot)
        }
        slots: list[Interval] = []
        for content in self.problem.now.contents.get(name, ()):
            if content.slot in own:
                continue
            end = self.model.new_int_var(0, 3 * self.horizon, "")
            lifts = [(t, time) for t, time, slot in self.list_lifts(name) if slot == content.slot]
            if not lifts:
                self.model.add(end > self.horizon)
            for times, time in lifts:
                self._require_end(end, time, times)
            slots.append(self._interval(0, end))
        for counter in self.problem.junk.values():
            if counter == name:
                slots.append(self._interval(0, 3 * self.horizon))
        visits = self.visits[Spot(station=name)]
        return slots, [self._interval(a, b, t.present) for t, a, b in visits]

    # The end.

    def _serve(self, release: Mapping[str, int]) -> None:
        """Minimize the time of the last serving; no line is served before it opens."""
        last = self.model.new_int_var(0, self.horizon, "")
        for times in self.tasks:
            task, mode = times.task, times.mode
            if task is None or task.kind == "clear":
                continue
            if mode.served is not None:
                served = times.at("served")
                self.model.add(last >= served + 1)
                self.model.add(served >= release.get(self.problem.tasks.line(task), 0))
            for index, filling in enumerate(mode.fillings):
                if not filling.passes and not times.forced:
                    after = self.problem.after[filling.stage]
                    self.model.add(last >= times.at("put", index) + 1 + after)
        self.last = last
        self.model.minimize(last)


def _ends_at(mode: Mode, stage: int) -> bool:
    """Return whether the last block of a mode ends at the station of a stage."""
    block = len(mode.blocks) - 1
    last = max((op for op in mode.ops if op.block == block), key=lambda op: op.time)
    return last.spot.stage == stage
