"""Tasks: the beginning of each task of a workload, and its properties that no search changes.

A task is the work on one food, from where the food is to the next gathering stage or to the pass. A
gathering stage is one that takes several foods, has begun, or is a counter (`Tasks.gathers`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from cookmas.kitchen.stages import Delivery, Fetch, FoodInSlot, Held, Lying, Made, Source, Stage
from cookmas.solving.restaurant.scheduling.reuse import Remaining


class Spot(NamedTuple):
    """A place in a task: any station of a kind, the station of a stage, or a named station.

    Only one of the fields is set.
    """

    kind: str = ""
    stage: int = -1
    station: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A task, named by what it begins with.

    An "input" begins with the food of an input of a stage, "work" with the foods of a full
    gathering stage, "deliver" with a finished dish, and "clear" with a useless thing. `index` is
    the number of the input, of the delivery or of the removal.
    """

    kind: Literal["input", "work", "deliver", "clear"]
    stage: int = -1
    index: int = 0


class Tasks:
    """The tasks of a workload.

    `now` is the timestep of the kitchen. `places` and `kinds` have for each worker in service the
    station where it stands, and the kind of that station. `empty` are the workers with empty hands.
    `consumer` has for a stage the stage that its product goes into, and the number of the input.
    """

    def __init__(
        self,
        work: Remaining,
        now: int,
        places: Mapping[int, str],
        kinds: Mapping[int, str],
        empty: frozenset[int],
    ) -> None:
        self.work = work
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
        self._late = [_find_late(stage) for stage in work.stages]

    def gathers(self, stage: int) -> bool:
        """Return whether a stage is a gathering stage, at which tasks end: it has several inputs,
        has begun, or is on a counter.
        """
        gathered = self.stages[stage]
        return len(gathered.inputs) > 1 or gathered.station is not None or gathered.rests

    def late(self, stage: int) -> tuple[int, ...]:
        """Return the inputs of a stage that go into its vessel while it is running.

        They cook for less time than other inputs, or the vessel is running already.
        """
        return self._late[stage]

    @cached_property
    def set_aside(self) -> dict[int, set[int]]:
        """For each stage in a vessel, the stages on counters whose food has first cooked alone in a
        vessel of the same kind.
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
        """All tasks, except those that add food to a running vessel."""
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
        """Return the worker in whose hand a task begins; None if it begins in none."""
        source = self.source(task)
        return source.worker if isinstance(source, Held) else None

    def owner(self, task: Task, workers: Sequence[str]) -> str | None:
        """Return the station or worker that has the food a task begins with; None if none has.

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
        """Return the source of a task's food; None for a task that begins with a full stage or a
        removal.
        """
        if task.kind == "input":
            return self.stages[task.stage].inputs[task.index].source
        return self.deliveries[task.index].source if task.kind == "deliver" else None

    def line(self, task: Task) -> str:
        """Return the order line that a task is for; "" for a removal."""
        if task.kind == "deliver":
            return self.deliveries[task.index].line
        return "" if task.kind == "clear" else self.stages[task.stage].line

    def is_running(self, task: Task) -> bool:
        """Return whether a task begins with food that is cooking, so that its modes count their
        times from now.
        """
        return task.kind == "work" and any(
            isinstance(entry.source, FoodInSlot) and entry.source.since is not None
            for entry in self.stages[task.stage].inputs
        )

    def put_in(self, task: Task) -> bool:
        """Return whether a task begins with food that lies in an appliance, does not cook yet, and
        must be started soon.

        Otherwise a worker that starts other food in this appliance would start this food too; or a
        worker would have to hold what it must add while this food cooks.
        """
        if task.kind != "work" or self.is_running(task):
            return False
        stage, late = self.stages[task.stage], self.late(task.stage)
        held = any(isinstance(stage.inputs[index].source, Held) for index in late)
        rest = [e.source for index, e in enumerate(stage.inputs) if index not in late]
        all_in = all(isinstance(source, FoodInSlot) for source in rest)
        return stage.cooks and all_in and (held or len(stage.inputs) == 1)

    def is_forced(self, task: Task) -> bool:
        """Return whether a task cannot wait, so that it must be planned before all others."""
        return self.is_running(task) or self.put_in(task) or self.holder(task) is not None

    def begins_at(self, task: Task) -> Spot:
        """Return the spot of a task's first action other than walking.

        The task must not begin in a worker's hand.
        """
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
        """Return the inputs of a stage that lie in its running vessel but do not cook yet; none if
        the vessel is not running.
        """
        entries = self.stages[number].inputs
        if not self.is_running(Task("work", number)):
            return []
        lying = [(i, e.source) for i, e in enumerate(entries) if isinstance(e.source, FoodInSlot)]
        return [index for index, source in lying if source.since is None]


def _find_late(stage: Stage) -> tuple[int, ...]:
    """Return the inputs of a stage that go into its vessel while it is running."""
    entries = stage.inputs
    if not stage.cooks or len(entries) == 1:
        return ()
    started = any(isinstance(e.source, FoodInSlot) and e.source.since is not None for e in entries)
    longest = max(entry.low for entry in entries)
    return tuple(
        index
        for index, entry in enumerate(entries)
        if not isinstance(entry.source, FoodInSlot) and (entry.high < longest or started)
    )


def duration(stage: Stage) -> int:
    """Return the least number of timesteps that a stage takes once all its foods are in."""
    return max(entry.low for entry in stage.inputs) if stage.cooks else len(stage.work)
