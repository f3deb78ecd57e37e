"""The problem of a search: a workload in a kitchen, with all values computed beforehand.

| constraint | method |
|---|---|
| tasks that lead to a late serving begin first | `RankedTask.tail`, from `Ranking._tails` |
| lines with equal stages are alike | `RankedTask.earlier`: of equal tasks one comes first |
| a stage needs a station from its first food on | `RankedTask.opens` |
| a task takes no more workers than are in service | `Ranking._rank_entries` raises |
| a vessel is free for food that first cooks alone | `Ranking._set_aside_first` |
| each task has only its quickest modes | `Modes` |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property

from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.stages import FoodInSlot, Made
from cookmas.kitchen.state import KitchenState
from cookmas.solving.restaurant.scheduling.drafting import Drafting
from cookmas.solving.restaurant.scheduling.mode import MAX_MODES, Mode
from cookmas.solving.restaurant.scheduling.resources import KeptStation, Resources
from cookmas.solving.restaurant.scheduling.reuse import Remaining
from cookmas.solving.restaurant.scheduling.states import (
    LineTasks,
    NoModeError,
    PartialSchedule,
    Placed,
    RankedTask,
    Solution,
    WorkInProgressError,
)
from cookmas.solving.restaurant.scheduling.tasks import Task, Tasks, duration


class Modes:
    """The modes of the tasks of a workload, each made only once."""

    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        self._drafting = Drafting(tasks)
        self._made: dict[tuple[Task, bool], list[Mode]] = {}

    def of(self, task: Task, linked: bool = False) -> list[Mode]:
        """Return the modes of a task, quickest first.

        With `linked`, its worker already stands where the task begins.
        """
        key = (task, linked)
        if key not in self._made:
            made = [Mode(draft, task) for draft in self._drafting.of(task, linked)]
            if linked:
                made = [mode for mode in made if mode.blocks[0][0] == 0]
            made.sort(key=lambda mode: (mode.end, mode.work))
            self._made[key] = made[:MAX_MODES]
        return self._made[key]


CARRY = 3
"""Timesteps from taking a food out of one place until it is in the next place or served. With more,
tasks with many places to go are more urgent than those that cook for long.
"""


class Ranking:
    """The tasks, the most urgent first, for a number of `workers` in service.

    `after` has for each stage the least time from the moment when all its foods are in to the
    serving of its dish. `inner` has for each stage the gathering stages that feed it, as a bit
    mask.
    """

    def __init__(
        self,
        modes: Modes,
        kind_of: Mapping[str, str],
        owner: Callable[[Task], str | None],
        workers: int,
    ) -> None:
        self.modes = modes
        self.tasks = modes.tasks
        self.kind_of = kind_of
        self.owner = owner
        self._shape_of = cache(self._shape)
        self._shapes: dict[tuple[object, ...], int] = {}
        self.workers = workers
        self.after = self._tails()
        self.inner = self._inner_stages()
        self.entries = self._rank_entries()

    def _tails(self) -> list[int]:
        """Return for each stage the least time from the moment when all its foods are in to the
        serving of its dish.
        """
        stages = self.tasks.stages
        after = [0] * len(stages)
        for number in reversed(range(len(stages))):
            consumer = self.tasks.consumer.get(number)
            onward = 0 if consumer is None else after[consumer[0]]
            after[number] = duration(stages[number]) + CARRY + onward
        return after

    def _inner_stages(self) -> list[int]:
        """Return for each stage the gathering stages that feed it, as a bit mask."""
        stages = self.tasks.stages
        inner = [0] * len(stages)
        for number, stage in enumerate(stages):
            for entry in stage.inputs:
                if isinstance(entry.source, Made):
                    source = entry.source.stage
                    inner[number] |= inner[source]
                    if self.tasks.gathers(source):
                        inner[number] |= 1 << source
        return inner

    def _rank_entries(self) -> list[RankedTask]:
        entries: list[RankedTask] = []
        twins: dict[tuple[object, ...], int] = {}
        for number, task in enumerate(self.tasks.listed):
            if self.tasks.is_forced(task):
                continue
            modes = self.modes.of(task)
            if not any(len(mode.workers) <= self.workers for mode in modes):
                if holder := self.owner(task):
                    raise WorkInProgressError(holder)
                raise NoModeError(self.tasks.line(task))
            quickest = modes[0]
            after = self._remaining_time(task, quickest)
            spot = self.tasks.begins_at(task)
            entry = RankedTask(task, 1 << number, modes, after, spot)
            entry.opens = self._opens(quickest)
            twin = self._signature(task)
            if twin in twins:
                entry.earlier = twins[twin]
            twins[twin] = entry.bit
            entries.append(entry)
        self._set_aside_first(entries)
        entries.sort(key=lambda entry: -entry.after)
        return entries

    def _set_aside_first(self, entries: Sequence[RankedTask]) -> None:
        """Fill a vessel only after food that first cooked alone in it is on a counter."""
        for vessel, rests in self.tasks.set_aside.items():
            filling = [(e, {f.stage for f in e.modes[0].fillings}) for e in entries]
            before = sum(entry.bit for entry, stages in filling if stages & rests)
            for entry, stages in filling:
                if vessel in stages:
                    entry.earlier |= before

    def _opens(self, mode: Mode) -> int:
        """Return the gathering stage that a mode brings food to; -1 if there is none, or if the
        mode itself may free a station for that stage.
        """
        stages = self.tasks.stages
        left = {stage for stage, _ in mode.leaves}
        freed = {stages[stage].kind for stage in left}
        freed |= {self.kind_of[name] for name, _, _ in mode.lifted}
        for stage in (filling.stage for filling in mode.fillings):
            if stage not in left and stages[stage].kind not in freed:
                return stage
        return -1

    def _remaining_time(self, task: Task, quickest: Mode) -> int:
        """Return the least time from the end of a task to the serving of the dish that needs it."""
        if quickest.fillings:
            return self.after[quickest.fillings[-1].stage]
        if task.kind != "clear":
            return 0
        kind = self.kind_of[self.tasks.work.clears[task.index].station]
        stages = enumerate(self.tasks.stages)
        return max((self.after[n] for n, s in stages if s.kind == kind), default=0)

    def _signature(self, task: Task) -> tuple[object, ...]:
        """Return a key that is equal for tasks that differ only in their line."""
        if task.kind not in ("input", "work"):
            return (task,)
        first, shape = self._shape_of(self.tasks.stages[task.stage].line)
        return (task.kind, task.stage - first, task.index, shape)

    def _shape(self, line: str) -> tuple[int, int]:
        """Return the first stage of a line, and a number that is equal for lines with equal
        stages.
        """
        own = [n for n, stage in enumerate(self.tasks.stages) if stage.line == line]
        shape = tuple(
            (
                stage.kind,
                stage.work,
                stage.station,
                tuple(
                    (e.source.stage - own[0] if isinstance(e.source, Made) else e.source, e.low)
                    for e in stage.inputs
                ),
            )
            for stage in (self.tasks.stages[n] for n in own)
        )
        return own[0], self._shapes.setdefault(shape, len(self._shapes))


PUT_APART = 2
"""Timesteps between two puts into one place. With more, states that lack many foods look worse."""


class Ahead:
    """A lower bound of the time that a partial schedule still needs, cached by the remaining tasks.

    `needed` has the bits of the tasks that must be done. `after` has for each stage the least time
    from the moment when all its foods are in to the serving of its dish. `workers` is the number of
    workers in service.
    """

    def __init__(
        self, entries: Sequence[RankedTask], needed: int, after: Sequence[int], workers: int
    ) -> None:
        self._entries = entries
        self._needed = needed
        self._after = after
        self._workers = workers
        self._known: dict[int, tuple[float, int]] = {}

    def of(self, state: PartialSchedule) -> tuple[float, int]:
        """Return the least time that the remaining tasks take, and their total work (timesteps)."""
        known = self._known.get(state.todo)
        if known is None:
            workers, longest, work, todo = self._workers, 0.0, 0, state.todo & self._needed
            for entry in self._entries:
                if entry.bit & todo:
                    work += entry.work
                    if work / workers + entry.after > longest:
                        longest = work / workers + entry.after
                    if entry.tail > longest:
                        longest = entry.tail
            for stage, left in state.left.items():
                if left:
                    longest = max(longest, PUT_APART * left + self._after[stage])
            known = self._known[state.todo] = longest, work
        return known


class Problem:
    """A workload in a kitchen: its tasks with their modes, and the resources they need.

    `entries` are the tasks with their urgencies, the most urgent first. `needed` has the bits of
    the tasks that must be done. `after` has for each stage the least time from the moment when all
    its foods are in to the serving of its dish.
    """

    def __init__(self, kitchen: Kitchen, state: KitchenState, work: Remaining) -> None:
        self.kitchen = kitchen
        self.now = state
        self.in_service = [i for i, w in enumerate(kitchen.workers) if w not in state.out]
        places = {i: state.workers[i].station for i in self.in_service}
        kinds = {i: kitchen.stations[name].kind.name for i, name in places.items()}
        empty = frozenset(i for i in self.in_service if state.workers[i].holding is None)
        self.tasks = Tasks(work, state.timestep, places, kinds, empty)
        self.modes = Modes(self.tasks)
        self.resources = Resources(kitchen, state, self.tasks)
        self.junk = work.junk
        self._plating = sum(1 << n for n, s in enumerate(work.stages) if s.kind == "plating")
        ranking = Ranking(self.modes, self.resources.kind, self.owner, self.resources.workers)
        self.after, self.entries = ranking.after, ranking.entries
        self._inner = ranking.inner
        self.needed = sum(entry.bit for entry in self.entries if entry.task.kind != "clear")
        self.ahead = Ahead(self.entries, self.needed, self.after, self.resources.workers)

    @cached_property
    def bits(self) -> dict[Task, int]:
        """The bit by which a state marks each task as not yet planned."""
        return {entry.task: entry.bit for entry in self.entries}

    def owner(self, task: Task) -> str | None:
        """Return the station or worker that has the food a task begins with; None if none has."""
        return self.tasks.owner(task, self.kitchen.workers)

    def root(self) -> PartialSchedule:
        """Return the partial schedule in which nothing is planned yet."""
        stages = self.tasks.stages
        left: dict[int, int] = {}
        root = PartialSchedule(
            sum(entry.bit for entry in self.entries), self.resources.levels, left
        )
        for number, stage in enumerate(stages):
            if self.tasks.gathers(number):
                late = self.tasks.late(number)
                left[number] = sum(
                    not isinstance(entry.source, FoodInSlot) and index not in late
                    for index, entry in enumerate(stage.inputs)
                )
                if stage.station is not None:
                    root.open_at[number] = KeptStation(stage.station, 0)
                    root.begun |= 1 << number
        for clear in self.tasks.work.clears:
            if clear.stage is not None:
                left[clear.stage] += 1
        free = sorted(self.tasks.empty)
        root.ends = tuple((0, self.now.workers[i].station, -i - 1) for i in free)
        return root

    def soonest_end(self, state: PartialSchedule) -> tuple[float, float]:
        """Return two estimates of the timestep at which everything is served: the greatest of all
        limits, and the limit by the total work alone.
        """
        t, resources = state.t, self.resources
        ahead, work = self.ahead.of(state)
        energy = t + (work + resources.count_busy_after(state.levels, t)) / resources.workers
        return max(t + ahead, energy, state.last), energy

    def may_open(self, state: PartialSchedule, mode: Mode) -> bool:
        """Return whether a mode can begin stages on plating places without a deadlock.

        Such a stage keeps its plating place while it waits for food. If some of that food needs a
        plating place too, a second plating place must be free.
        """
        for stage, *_ in mode.fillings:
            if state.begun >> stage & 1 or self.tasks.stages[stage].kind != "plating":
                continue
            others = self._inner[stage] & ~state.begun & self._plating
            if others and self.resources.idle_stations(state.levels, "plating") < 2:
                return False
        return True

    def is_in_the_way(self, state: PartialSchedule, task: Task) -> bool:
        """Return whether a useless thing must be removed now: a stage waits for its removal, or no
        slot of its kind of station is free.
        """
        clear = self.tasks.work.clears[task.index]
        resources, levels = self.resources, state.levels
        kind = resources.kind[clear.station]
        kept = resources.fills_gaps and not resources.idle_stations(levels, kind)
        return clear.stage is not None or kept or resources.is_stuck(levels, kind, state.t)

    def solution(self, placed: Sequence[Placed], length: int, configuration: str) -> Solution:
        """Return a schedule with the modes that are planned for all needed tasks; `configuration`
        names the search.
        """
        return Solution(
            placed=tuple(placed),
            length=length,
            pinned={-i - 1: i for i in self.in_service},
            missing=frozenset(self.resources.missing),
            configuration=configuration,
        )


def lines_of(problem: Problem) -> Mapping[str, LineTasks]:
    """Return the lines of a problem that have tasks, by name."""
    tasks = problem.tasks
    entries: dict[str, list[RankedTask]] = {delivery.line: [] for delivery in tasks.deliveries}
    for entry in problem.entries:
        if entry.task.kind != "clear":
            entries[tasks.line(entry.task)].append(entry)
    stages: dict[str, list[int]] = {line: [] for line in entries}
    for number, stage in enumerate(tasks.stages):
        if tasks.gathers(number):
            stages[stage.line].append(number)
    return {
        line: LineTasks(own, stages[line], problem.after) for line, own in entries.items() if own
    }
