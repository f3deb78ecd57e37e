"""The problem of a search: a workload in a kitchen, with all values computed beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.stages import FoodInSlot
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.scheduling.ahead import Ahead
from cookmas.worlds.restaurant.scheduling.mode import Mode
from cookmas.worlds.restaurant.scheduling.modes import Modes
from cookmas.worlds.restaurant.scheduling.ranking import Ranking
from cookmas.worlds.restaurant.scheduling.resources import KeptStation, Resources
from cookmas.worlds.restaurant.scheduling.reuse import Remaining
from cookmas.worlds.restaurant.scheduling.states import PartialSchedule, Placed, Solution
from cookmas.worlds.restaurant.scheduling.tasks import Task, Tasks


class Problem:
    """A workload in a kitchen: its tasks with their modes, and the resources they need.

    `entries` are the tasks with their urgencies, the most urgent first. `needed` has the bits of
    the tasks that must be done. `after` has for each stage the least time from the moment when all
    its foods are in to the serving of its dish. `modes` are those of an earlier problem of the same
    workload, if there was one.
    """

    def __init__(
        self, kitchen: Kitchen, state: KitchenState, work: Remaining, modes: Modes | None = None
    ) -> None:
        self.kitchen = kitchen
        self.now = state
        self.in_service = [i for i, w in enumerate(kitchen.workers) if w not in state.out]
        places = {i: state.workers[i].station for i in self.in_service}
        kinds = {i: kitchen.stations[name].kind.name for i, name in places.items()}
        empty = frozenset(i for i in self.in_service if state.workers[i].holding is None)
        self.tasks = Tasks(work, state.timestep, places, kinds, empty)
        self.modes = modes or Modes(self.tasks)
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
