"""Repairing: after an event the schedule under way is planned again.

Most of it is still good (Vieira, Herrmann and Lin 2003, "Rescheduling manufacturing systems"). So
the foods of the present workload are looked up among the products of the schedule. Their tasks are
planned at the same times as before, or as soon afterwards as they fit. At last come the lines that
the schedule does not serve.

| constraint | method |
|---|---|
| equal foods are exchangeable | `_Matching`, by what they are made of |
| equal tasks are planned in the order of their lines | `_swap_twins` |
| a station is not free before others leave it | `_plan_steps` tries waiting steps again |
| useless things are in the way | `SerialGeneration.clear_stations` |
| a line finds no place | it is planned after all others: `Repairing.best` |
| a new line may keep a station already | it is planned first: `_list_steps` |
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from operator import attrgetter
from random import Random
from typing import NamedTuple

from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.stages import Fetch, FoodInSlot, Held, Lying, Made, Source
from cookmas.worlds.restaurant.scheduling.clearing import put_down
from cookmas.worlds.restaurant.scheduling.handling import Handling
from cookmas.worlds.restaurant.scheduling.mode import Mode
from cookmas.worlds.restaurant.scheduling.planned import PlannedTimes
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.ranking import RankedTask
from cookmas.worlds.restaurant.scheduling.serial import SerialGeneration
from cookmas.worlds.restaurant.scheduling.states import HOPELESS, PartialSchedule, Solution
from cookmas.worlds.restaurant.scheduling.tasks import Task, Tasks
from cookmas.worlds.restaurant.scheduling.tracking import BEFORE, Product, Tracked, keeps_apart

NAME = "the schedule under way, repaired"
"""Name of the search in a result."""

TRIES_OF_AN_ORDER = 4
"""Greatest number of times that the lines are planned in one order of their tasks."""

WAITING_STEPS = 10
"""Greatest number of steps that wait for others; with more, they probably wait for each other."""

INSERTIONS = 10
"""Number of ways in which the lines that the earlier schedule does not serve are planned."""

SLACK = 3
"""Timesteps by which a task that the earlier schedule lacks begins before it must."""

Look = tuple[object, ...]
"""The ingredients and stations of a food. Foods with equal looks are exchangeable."""


def handling_of(tracked: Tracked, lines: Collection[str], kitchen: Kitchen) -> Handling:
    """Return how a schedule treats the work in progress that `lines` can use."""
    users: dict[str, set[str]] = {}
    for line, put in tracked.served.items():
        for origin in put.product.find_origins():
            if line in lines:
                users.setdefault(origin, set()).add(line)
    put_by, discarded = (
        {origin for product in products for origin in product.find_origins()}
        for products in (tracked.put_by, tracked.discarded)
    )
    return Handling(
        put_by=frozenset(put_by.difference(kitchen.of_kind("counter"))),
        given_up=frozenset(discarded - users.keys()),
        withheld=frozenset(
            (line, origin) for origin, own in users.items() for line in lines if line not in own
        ),
    )


def _look_at(product: Product) -> Look:
    """Return the look of a product; to wait on a counter does not change it."""
    if not product.puts:
        return (product.name, product.slot)
    looks = sorted((_look_at(put.product) for put in product.puts), key=repr)
    was_there = product.puts[0].time == BEFORE
    if looks[0] == looks[-1] and (product.kind == "counter" or was_there):
        return looks[0]
    return (product.kind, *looks)


class _Matching:
    """The tasks of a workload in an earlier schedule.

    `planned` has their times, `stations` the station of each stage.
    """

    def __init__(self, tasks: Tasks, kitchen: Kitchen, tracked: Tracked) -> None:
        self.tasks = tasks
        self.kitchen = kitchen
        self.planned: dict[Task, PlannedTimes] = {}
        self.stations: dict[int, str] = {}
        self._looks: dict[int, Look] = {}
        for number, delivery in enumerate(tasks.deliveries):
            served = tracked.served.get(delivery.line)
            if served and isinstance(delivery.source, Made):
                self._match(delivery.source.stage, served.product, served.time)
            elif served and self._look_of(delivery.source) == _look_at(served.product):
                self._plan(Task("deliver", index=number), served.time, served.time)

    def _plan(self, task: Task, first: int, last: int) -> None:
        self.planned[task] = PlannedTimes(task, first, last)

    def _match(self, number: int, product: Product, last: int) -> None:
        """Match a stage with the product that is put into the next gathering stage, or served, at
        `last`; and the stages before it.
        """
        stage = self.tasks.stages[number]
        if stage.rests != (product.kind == "counter"):
            if not stage.rests:
                self._match(number, product.puts[0].product, last)
            elif isinstance(source := stage.inputs[0].source, Made):
                self._match(source.stage, product, last)
            return
        self.stations[number] = product.station
        gathers = self.tasks.gathers(number)
        if gathers:
            self._plan(Task("work", number), product.time, last)
        puts = sorted(product.puts, key=attrgetter("time"))
        looks = [_look_at(put.product) for put in puts]
        for index, entry in enumerate(stage.inputs):
            look = self._look_of(entry.source, number)
            if look not in looks:
                continue
            put = puts.pop(looks.index(look))
            looks.remove(look)
            end = put.time if gathers else last
            if isinstance(entry.source, Made):
                self._match(entry.source.stage, put.product, end)
            else:
                self._plan(Task("input", number, index), put.time, end)

    def _look_of(self, source: Source, stage: int = -1) -> Look:
        """Return the look of the food of a source that goes into a `stage`."""
        match source:
            case Fetch():
                return (source.name, 0)
            case Held():
                return (self.kitchen.workers[source.worker], 0)
            case Lying():
                return self._look_of_lying(source.station, source.slot)
            case FoodInSlot():
                return self._look_of_lying(self.tasks.stages[stage].station or "", source.slot)
            case Made():
                if source.stage not in self._looks:
                    self._looks[source.stage] = self._look_of_stage(source.stage)
                return self._looks[source.stage]

    def _look_of_lying(self, station: str, slot: int) -> Look:
        return (station, slot if keeps_apart(self.kitchen.stations[station]) else 0)

    def _look_of_stage(self, number: int) -> Look:
        stage = self.tasks.stages[number]
        looks = sorted((self._look_of(e.source, number) for e in stage.inputs), key=repr)
        was_there = isinstance(stage.inputs[0].source, FoodInSlot)
        if looks[0] == looks[-1] and (stage.rests or was_there):
            return looks[0]
        return (stage.kind, *looks)


class _Step(NamedTuple):
    """The planning of something for a line, in the order of `time` and `number`.

    `plan` returns the next state, or None if there is no place yet.
    """

    time: float
    number: int
    line: str
    plan: Callable[[PartialSchedule], PartialSchedule | None]


class Repairing:
    """A search that plans the lines of a problem as an earlier schedule does."""

    def __init__(self, problem: Problem, tracked: Tracked, chance: Random) -> None:
        self.problem = problem
        self.serial = SerialGeneration(problem, chance)
        matching = _Matching(problem.tasks, problem.kitchen, tracked)
        self.planned = matching.planned
        self._stations = matching.stations
        self._served = {line: put.time for line, put in tracked.served.items()}
        self._swap_twins()

    def best(self) -> Solution | None:
        """Return the best schedule found; None if there is none.

        The tasks are planned in the order in which they end, and in that in which they begin.
        """
        best: PartialSchedule | None = None
        for by_end in (True, False):
            later = {line for line in self.serial.lines if line not in self._served}
            for _ in range(TRIES_OF_AN_ORDER):
                before = best.last if best else HOPELESS
                state, stuck = self._plan_steps(self._list_steps(later, before, by_end), later)
                if state is not None:
                    best = self._plan_later(state, later, before) or best
                if stuck not in self.serial.lines:
                    break
                later.add(stuck)
        return self.problem.solution(best.placements(), best.last, NAME) if best else None

    def _swap_twins(self) -> None:
        """Exchange the times of equal tasks, so that they follow in the order of their lines."""
        roots: dict[int, int] = {}
        twins: dict[int, list[Task]] = {}
        for entry in sorted(self.problem.entries, key=attrgetter("bit")):
            roots[entry.bit] = roots.get(entry.earlier, entry.bit)
            if entry.task in self.planned:
                twins.setdefault(roots[entry.bit], []).append(entry.task)
        for tasks in twins.values():
            for task, times in zip(
                tasks, sorted(self.planned[task][1:] for task in tasks), strict=True
            ):
                self.planned[task] = PlannedTimes(task, *times)

    def _list_steps(self, later: Collection[str], before: float, by_end: bool) -> list[_Step]:
        """Return the steps that plan all but the lines in `later`, in order.

        Those of the lines in `later` that keep a station already are planned, too.
        """
        problem, tasks = self.problem, self.problem.tasks
        steps = list(self._list_junk())
        entries = {entry.task: entry for entry in problem.entries}
        for number, task in enumerate(tasks.listed):
            line = tasks.line(task)
            if tasks.is_forced(task):
                modes: Sequence[Mode] = problem.modes.of(task)
                times = self.planned.get(task, PlannedTimes(task, 0, 0))
                if task in self.planned:
                    modes = sorted(modes, key=times.distance)
                time = times.last if by_end else max(0, times.first - 2)
                steps.append(_Step(time, number, line, partial(self._force, modes)))
            elif task.kind != "clear" and line not in later:
                times = self._times_of(entries[task])
                time = times.last if by_end else times.begin(entries[task].modes[0])
                plan = partial(self._plan_task, entries[task], times, before)
                steps.append(_Step(time, number, line, plan))
        keeping = self._find_keeping()
        for line in sorted(keeping.intersection(later)):
            steps.append(_Step(0.5, 0, line, partial(self._insert, line, before)))
        return sorted(steps, key=lambda step: step[:2])

    def _list_junk(self) -> Iterator[_Step]:
        """Yield the steps in which workers put away what is in their hands."""
        for worker, counter in self.problem.junk.items():
            drafts = put_down(worker, self.problem.tasks.places[worker], counter)
            yield _Step(0, -1, "", partial(self._force, [Mode(draft, None) for draft in drafts]))

    def _find_keeping(self) -> set[str]:
        """Return the lines that keep a station from the start."""
        tasks = self.problem.tasks
        return {tasks.stages[stage].line for stage in self.problem.root().open_at}

    def _times_of(self, entry: RankedTask) -> PlannedTimes:
        """Return the times of a task; if it has none, times at which its line can be served as
        before.
        """
        task = entry.task
        if task in self.planned:
            return self.planned[task]
        served = self._served[self.problem.tasks.line(task)]
        begin = max(0, served - entry.tail - SLACK)
        return PlannedTimes(task, begin, begin + entry.modes[0].end)

    def _plan_steps(
        self, steps: Sequence[_Step], later: Collection[str]
    ) -> tuple[PartialSchedule | None, str]:
        """Return the state after all steps, and ""; or None and a line that finds no place.

        Each stage has the station of the earlier schedule. At last the remaining steps may use
        others.
        """
        state = self.problem.root()
        waiting: list[_Step] = []
        self.serial.prescribe(self._stations)
        for step in steps:
            waiting.append(step)
            state = _take(waiting, state)
            if len(waiting) > WAITING_STEPS:
                break
        self.serial.prescribe({})
        if len(waiting) <= WAITING_STEPS:
            state = _take(waiting, state)
            if not waiting:
                return state, ""
        return None, next((step.line for step in waiting if step.line not in later), "")

    def _plan_later(
        self, state: PartialSchedule, later: Collection[str], before: float
    ) -> PartialSchedule | None:
        """Return the best state in which the remaining lines are planned, too."""
        state.forget_ends()
        state = self.serial.clear(state)
        lines = sorted(set(later) - self._find_keeping())
        if not lines:
            return state if state.last < before else None
        best: PartialSchedule | None = None
        for _ in range(INSERTIONS):
            best = self.serial.plan(state, lines, best.last if best else before) or best
        return best

    def _force(self, modes: Sequence[Mode], state: PartialSchedule) -> PartialSchedule | None:
        """Plan work that cannot wait, in the first of some modes that fits."""
        for mode in modes:
            on = mode.on_spot
            chosen = () if on is None else (self.problem.now.workers[on].station,)
            if not state.lacks(mode):
                placed = self.problem.resources.place(state.levels, mode, 0, state.open_at, chosen)
                if placed:
                    return state.start(mode, 0, *placed, None, 0)
        return None

    def _plan_task(
        self, entry: RankedTask, times: PlannedTimes, before: float, state: PartialSchedule
    ) -> PartialSchedule | None:
        """Plan a task at its times; if there is no place, remove useless things that may be in the
        way.
        """
        after = self.serial.plan_at(state, entry, times, before)
        if after is None:
            cleared = self.serial.clear_stations(state, entry.modes[0])
            after = None if cleared is state else self.serial.plan_at(cleared, entry, times, before)
        return after

    def _insert(self, line: str, before: float, state: PartialSchedule) -> PartialSchedule | None:
        """Plan a whole line."""
        state = state.copy()
        state.forget_ends()
        return self.serial.plan(state, [line], before)


def _take(waiting: list[_Step], state: PartialSchedule) -> PartialSchedule:
    """Return the state after those waiting steps that have a place now; the others still wait."""
    for step in tuple(waiting):
        after = step.plan(state)
        if after is not None:
            state = after
            waiting.remove(step)
    return state
