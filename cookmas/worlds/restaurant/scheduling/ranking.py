"""Ranking: the urgency of each task, computed before the search.

| constraint | method |
|---|---|
| tasks that lead to a late serving begin first | `RankedTask.tail`, from `Ranking._tails` |
| lines with equal stages are alike | `RankedTask.earlier`: of equal tasks one comes first |
| a stage needs a station from its first food on | `RankedTask.opens` |
| a task takes no more workers than are in service | `Ranking._rank_entries` raises |
| a vessel is free for food that first cooks alone | `Ranking._set_aside_first` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from cookmas.kitchen.stages import Made
from cookmas.worlds.restaurant.scheduling.draft import Spot
from cookmas.worlds.restaurant.scheduling.mode import Mode
from cookmas.worlds.restaurant.scheduling.modes import Modes
from cookmas.worlds.restaurant.scheduling.states import NoModeError, WorkInProgressError
from cookmas.worlds.restaurant.scheduling.tasks import Task, duration

CARRY = 3
"""Timesteps from taking a food out of one place until it is in the next place or served."""


class RankedTask:
    """A task with its urgency.

    `bit` marks the task in sets of tasks. `spot` is where it begins; `where` is that station or its
    kind, "" for a gathering stage. `after` is the least time from the end of the task to the
    serving of its dish, `tail` that from its start, and `work` its timesteps of workers. `takes` is
    the gathering stage whose foods it takes out, `opens` the gathering stage that needs a station
    of its own if this task brings the first food; both are -1 for none. `earlier` has the bits of
    tasks that must be planned before this one.
    """

    __slots__ = (
        "after",
        "bit",
        "earlier",
        "modes",
        "opens",
        "spot",
        "tail",
        "takes",
        "task",
        "where",
        "work",
    )

    def __init__(self, task: Task, bit: int, modes: Sequence[Mode], after: int, spot: Spot) -> None:
        self.task = task
        self.bit = bit
        self.modes = modes
        self.after = after
        self.takes = task.stage if task.kind == "work" else -1
        self.work = modes[0].work
        self.tail = modes[0].end + after
        self.earlier = 0
        self.opens = -1
        self.spot = spot
        self.where = spot.station or spot.kind


Ranked = tuple[float, int, RankedTask]
"""A task with its sort key: timesteps, the fewest first, then its bit."""


def in_order(ranked: Iterable[Ranked]) -> list[RankedTask]:
    """Return tasks in the order in which they are tried; no two have the same bit."""
    return [entry for _, _, entry in sorted(ranked)]


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
