"""Tasks: where each task of a workload begins, and what is known of it before the search.

A task carries one food from where it is to the next place where foods are gathered, or to the pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from kitchen.stages import Delivery, Fetch, FoodInSlot, Held, Lying, Made, Source, Stage
from worlds.restaurant.scheduling.draft import Spot
from worlds.restaurant.scheduling.reuse import Remaining


@dataclass(frozen=True, slots=True)
class Task:
    """Where a task begins: an input of a stage, the work of a gathered stage, a delivery, junk."""

    kind: Literal["input", "work", "deliver", "clear"]
    stage: int = -1
    index: int = 0


class Tasks:
    """Where the tasks of a workload begin.

    `now` is the timestep of the kitchen, `places` and `kinds` where each worker in service stands,
    `empty` who of them holds nothing, `crowded` are tools with several things in them: taking one
    of those does not make room.
    """

    def __init__(
        self,
        work: Remaining,
        now: int,
        places: Mapping[int, str],
        kinds: Mapping[int, str],
        empty: frozenset[int],
        crowded: frozenset[str],
    ) -> None:
        self.work = work
        self.crowded = crowded
        self.empty = empty
        self.kinds = kinds
        self.stages: Sequence[Stage] = work.stages
        self.deliveries: Sequence[Delivery] = work.deliveries
        self.now = now
        self.places = places
        self.consumer: dict[int, tuple[int, int]] = {}
        for number, stage in enumerate(work.stages):
            for index, entry in enumerate(stage.inputs):
                if isinstance(entry.source, Made):
                    self.consumer[entry.source.stage] = (number, index)

    def gathers(self, stage: int) -> bool:
        """Return whether tasks end at a stage: several inputs meet there, or it is under way."""
        gathered = self.stages[stage]
        return len(gathered.inputs) > 1 or gathered.station is not None or gathered.rests

    def late(self, stage: int) -> tuple[int, ...]:
        """Return the inputs that go into a vessel after it was started as they cook for less."""
        entries = self.stages[stage].inputs
        if not self.stages[stage].cooks or len(entries) == 1:
            return ()
        started = any(
            isinstance(e.source, FoodInSlot) and e.source.since is not None for e in entries
        )
        longest = max(entry.low for entry in entries)
        return tuple(
            index
            for index, entry in enumerate(entries)
            if not isinstance(entry.source, FoodInSlot) and (entry.high < longest or started)
        )

    @cached_property
    def set_aside(self) -> dict[int, set[int]]:
        """Return the vessels that get what their kind has cooked before, and the stages between.

        Those are on counters.
        """
        found: dict[int, set[int]] = {}
        for number, stage in enumerate(self.stages):
            if stage.rests and isinstance(source := stage.inputs[0].source, Made):
                vessel = self.consumer.get(number, (-1, 0))[0]
                onward = self.stages[vessel] if vessel >= 0 else None
                if onward and onward.cooks and onward.kind == self.stages[source.stage].kind:
                    found.setdefault(vessel, set()).add(number)
        return found

    @cached_property
    def listed(self) -> tuple[Task, ...]:
        """Return all tasks, those that are added to a running vessel excepted."""
        found: list[Task] = []
        for number, stage in enumerate(self.stages):
            late = self.late(number)
            for index, entry in enumerate(stage.inputs):
                if index not in late and isinstance(entry.source, Fetch | Held | Lying):
                    found.append(Task("input", number, index))
            if self.gathers(number) and not self._goes_in_late(number):
                found.append(Task("work", number))
        for number, delivery in enumerate(self.deliveries):
            if not isinstance(delivery.source, Made):
                found.append(Task("deliver", index=number))
        found.extend(Task("clear", index=number) for number in range(len(self.work.clears)))
        return tuple(found)

    def _goes_in_late(self, stage: int) -> bool:
        while stage in self.consumer:
            stage, index = self.consumer[stage]
            if self.gathers(stage):
                return index in self.late(stage)
        return False

    def holder(self, task: Task) -> int | None:
        """Return the worker in whose hand a task begins."""
        source = self.source(task)
        return source.worker if isinstance(source, Held) else None

    def owner(self, task: Task, workers: Sequence[str]) -> str | None:
        """Return the station or worker that has what a task begins with; None if none has.

        `workers` are the names of all workers.
        """
        holder = self.holder(task)
        if holder is not None:
            return workers[holder]
        spot = self.begins_at(task)
        if spot.stage < 0:
            return spot.station or None
        stage = self.stages[spot.stage]
        held = [e.source.worker for e in stage.inputs if isinstance(e.source, Held)]
        return workers[held[0]] if held else stage.station

    def source(self, task: Task) -> Source | None:
        """Return where the food of a task comes from; None where it begins with work or junk."""
        if task.kind == "input":
            return self.stages[task.stage].inputs[task.index].source
        return self.deliveries[task.index].source if task.kind == "deliver" else None

    def line(self, task: Task) -> str:
        """Return the order line that a task is for; junk is for none."""
        if task.kind == "deliver":
            return self.deliveries[task.index].line
        return "" if task.kind == "clear" else self.stages[task.stage].line

    def is_running(self, task: Task) -> bool:
        """Return whether a task begins with food that is cooking already: its times are fixed."""
        return task.kind == "work" and any(
            isinstance(entry.source, FoodInSlot) and entry.source.since is not None
            for entry in self.stages[task.stage].inputs
        )

    def put_in(self, task: Task) -> bool:
        """Return whether a task begins with food in an appliance that must be started soon.
        Otherwise a worker that starts other food there would start it too, or a worker holds food
        that is added while it cooks.
        """
        if task.kind != "work" or self.is_running(task):
            return False
        stage, late = self.stages[task.stage], self.late(task.stage)
        held = any(isinstance(stage.inputs[index].source, Held) for index in late)
        rest = [e.source for index, e in enumerate(stage.inputs) if index not in late]
        all_in = all(isinstance(source, FoodInSlot) for source in rest)
        return stage.cooks and all_in and (held or len(stage.inputs) == 1)

    def is_forced(self, task: Task) -> bool:
        """Return whether a task has to have its place before any other is thought of."""
        return self.is_running(task) or self.put_in(task) or self.holder(task) is not None

    def begins_at(self, task: Task) -> Spot:
        """Return where the first action of a task other than walking is done."""
        source = self.source(task)
        if task.kind == "work":
            return Spot(stage=task.stage)
        if task.kind == "clear":
            return Spot(station=self.work.clears[task.index].station)
        if isinstance(source, Fetch):
            return Spot(kind=source.kind)
        assert isinstance(source, Lying)
        return Spot(station=source.station)

    def find_unstarted(self, number: int) -> list[int]:
        """Return the inputs that lie in a running vessel without cooking."""
        entries = self.stages[number].inputs
        if not self.is_running(Task("work", number)):
            return []
        lying = [(i, e.source) for i, e in enumerate(entries) if isinstance(e.source, FoodInSlot)]
        return [index for index, source in lying if source.since is None]


def duration(stage: Stage) -> int:
    """Return the least number of timesteps from a full stage to a finished one."""
    return max(entry.low for entry in stage.inputs) if stage.cooks else len(stage.work)
