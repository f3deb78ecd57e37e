"""Ranking: what is known of each task before the search, and how urgent it is.

| constraint | method |
|---|---|
| what leads to a late serving begins first | `RankedTask.tail`, from `Ranking._tails` |
| lines of one dish are interchangeable | `RankedTask.earlier`: of equal tasks one comes first |
| a stage needs a station from its first food on | `RankedTask.opens` |
| a task takes no more workers than are in service | `Ranking._rank_entries` raises |
| a vessel is free for what cooks apart before | `Ranking._set_aside_first` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from kitchen.stages import Made
from worlds.restaurant.scheduling.draft import Spot
from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.modes import Modes
from worlds.restaurant.scheduling.states import NoModeError, WorkInProgressError
from worlds.restaurant.scheduling.tasks import Task, duration

CARRY = 3
"""Timesteps from taking a food out of one place to its being in the next, or served."""


class RankedTask:
    """A task as the search ranks it.

    `spot` is where it begins, `where` the station or the kind of it, "" for a gathering stage.
    `after` is the least time from its end to the serving, `work` what it costs the workers,
    `tail` the least time from its start to the serving, `takes` the gathering stage whose foods it
    takes on together, `opens` the one that takes a station for good if it is the first to bring
    something there, -1 for none.
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
"""A task with how early it is tried: by timesteps, the fewest first, then by its bit."""


def in_order(ranked: Iterable[Ranked]) -> list[RankedTask]:
    """Return tasks in the order in which they are tried; no two have the same bit."""
    return [entry for _, _, entry in sorted(ranked)]


class Ranking:
    """The tasks in the order of their urgency, for as many `workers` as are in service.

    `after` is the least time from a stage's being full to the serving of its dish, `inner` the
    gathering stages that feed a stage, as a bit mask.
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
        self.workers = workers
        self.after = self._tails()
        self.inner = self._inner_stages()
        self.entries = self._rank_entries()

    def _tails(self) -> list[int]:
        """Return, for each stage, the least time from its being full to its dish being served."""
        stages = self.tasks.stages
        after = [0] * len(stages)
        for number in reversed(range(len(stages))):
            consumer = self.tasks.consumer.get(number)
            onward = 0 if consumer is None else after[consumer[0]]
            after[number] = duration(stages[number]) + CARRY + onward
        return after

    def _inner_stages(self) -> list[int]:
        """Return, for each stage, the gathering stages that feed it, as a bit mask."""
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
        """Let what cooks apart in the only vessel of its kind be put by before that is filled."""
        for vessel, rests in self.tasks.set_aside.items():
            filling = [(e, {f.stage for f in e.modes[0].fillings}) for e in entries]
            before = sum(entry.bit for entry, stages in filling if stages & rests)
            for entry, stages in filling:
                if vessel in stages:
                    entry.earlier |= before

    def _opens(self, mode: Mode) -> int:
        """Return the stage that a mode brings something to, unless it may make room there."""
        stages = self.tasks.stages
        left = {stage for stage, _ in mode.leaves}
        freed = {stages[stage].kind for stage in left}
        freed |= {self.kind_of[name] for name, _, _ in mode.lifted}
        for stage in (filling.stage for filling in mode.fillings):
            if stage not in left and stages[stage].kind not in freed:
                return stage
        return -1

    def _remaining_time(self, task: Task, quickest: Mode) -> int:
        """Return the least time from the end of a task to the serving of what depends on it."""
        if quickest.fillings:
            return self.after[quickest.fillings[-1].stage]
        if task.kind != "clear":
            return 0
        kind = self.kind_of[self.tasks.work.clears[task.index].station]
        stages = enumerate(self.tasks.stages)
        return max((self.after[n] for n, s in stages if s.kind == kind), default=0)

    def _signature(self, task: Task) -> tuple[object, ...]:
        """Return what makes two tasks the same but for the line they are for."""
        if task.kind not in ("input", "work"):
            return (task,)
        first, shape = self._shape_of(self.tasks.stages[task.stage].line)
        return (task.kind, task.stage - first, task.index, shape)

    def _shape(self, line: str) -> tuple[int, tuple[object, ...]]:
        """Return the first stage of a line, and what makes two lines the same."""
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
        return own[0], shape
