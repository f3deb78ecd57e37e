"""The strategies for many lines: a moving window over the first unfinished lines, and the lines in
the order of a dispatching rule.

If many dishes were planned at once, those that take longest would all be begun first, and fill the
kitchen with half-made dishes. So only the first lines with unplanned tasks are in the window. The
next line enters when all tasks of one of them are planned.

| constraint | method |
|---|---|
| few dishes are in progress at a time | the window: `_front` |
| a task must not hold a station for longer than it needs | SLACK, in `_front` |
| a full stage makes room | `FULL_BONUS` in `rank` |
| dishes must not wait for each other in a circle | `Safety.safe` in `may_open` |

The order of a dispatching rule is made for each decision, because the rest of a line shrinks, and
without noise. Within a line the most urgent task comes first.

| constraint | method |
|---|---|
| useless things are removed if they are in the way | `rank` |
| lines with equal dishes come in the order of the rule | `arrange` |
| dishes must not wait for each other in a circle | `Window.may_open` |
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from cookmas.kitchen.stages import Fetch, Made, Source
from cookmas.kitchen.state import KitchenState
from cookmas.solving.dispatching import RULES, Job
from cookmas.solving.restaurant.scheduling.bound import Wanted
from cookmas.solving.restaurant.scheduling.mode import Mode
from cookmas.solving.restaurant.scheduling.problem import Problem, lines_of
from cookmas.solving.restaurant.scheduling.search import RANK_NOISE
from cookmas.solving.restaurant.scheduling.states import (
    HOPELESS,
    LineTasks,
    PartialSchedule,
    RankedTask,
    in_order,
)
from cookmas.solving.restaurant.scheduling.tasks import Task, Tasks, duration

AGE = 3
"""Timesteps by which each line is less urgent than the line before it. With more, dishes are
finished in order; with less, workers are idle less often.
"""

FULL_BONUS = 10
"""Timesteps by which a task is more urgent if it empties a full stage and so makes room. A lower
bonus leaves workers for long tasks.
"""

VISIT = 2
"""Timesteps between two visits of a station by different workers. With more, lines of many foods
count as needing a station for longer, and come early or late in the turns.
"""


Order = Literal["turns", "arrival", "longest"]
"""The order of the lines without work in progress: in turns a line that needs much and a line that
needs little of the scarcest kind of station, in relation to its work; in order of arrival; or the
longest first.
"""

ORDERS: Sequence[Order] = ("turns", "arrival", "longest")
"""The orders that are searched along; the best schedule wins."""

MORE = 2
"""Lines in the window besides one for each plating place. With more lines fewer workers are idle,
with fewer lines the kitchen holds fewer half-made dishes.
"""

STATION_COST = 1.0
"""Timesteps by which a state is worse for each station that it keeps. A higher cost keeps stations
free, a lower one gets more dishes ahead.
"""

SLACK = 8
"""A task waits if it can begin more timesteps later than these without delaying its line. With
less slack food lies about for less time, with more a worker has more tasks to choose from.
"""


class Window:
    """A strategy that plans the first unfinished lines, in the order of `set_up`."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        resources = self.resources = problem.resources
        units = {kind: len(names) for kind, names in resources.by_kind.items()}
        units["counter"] = resources.slots("counter")
        self.safety = Safety(problem.tasks, problem.bits, units)
        self.by_name = lines_of(problem)
        self.order: Order = "arrival"
        self.size = MORE + len(resources.by_kind.get("plating", ()))
        self.shorter_than = HOPELESS
        self.lines: Sequence[LineTasks] = ()
        self._behind: Sequence[tuple[int, int]] = ()
        self.clears = [entry for entry in problem.entries if entry.task.kind == "clear"]

    def set_up(self, order: Order, shorter_than: float) -> None:
        """Set the order of the lines.

        States whose schedule would take `shorter_than` timesteps or more are pruned.
        """
        self.order, self.shorter_than = order, shorter_than
        self.lines = [self.by_name[line] for line in self._order_lines()]
        self._behind = _sums(self.lines)

    def _order_lines(self) -> list[str]:
        """Return the lines in order, those in progress first."""
        begun = self._under_way()
        first = [line for line in self.by_name if line in begun]
        rest = [line for line in self.by_name if line not in begun]
        if self.order == "longest":
            rest.sort(key=lambda line: -self.by_name[line].longest)
        elif self.order == "turns":
            need = self._need_of_the_scarcest()
            rest.sort(key=lambda line: -need.get(line, 0) / self.by_name[line].work)
            rest = [rest.pop(-(number % 2)) for number in range(len(rest))]
        return first + rest

    def _under_way(self) -> set[str]:
        """Return the lines that use a thing in the kitchen."""
        tasks = self.problem.tasks
        used = [(stage.line, e.source) for stage in tasks.stages for e in stage.inputs]
        used += [(delivery.line, delivery.source) for delivery in tasks.deliveries]
        return {line for line, source in used if not isinstance(source, Fetch | Made)}

    def _need_of_the_scarcest(self) -> dict[str, int]:
        """Return for each line the timesteps for which it needs a station of the scarcest kind."""
        loads: dict[str, dict[str, int]] = {}
        for stage in self.problem.tasks.stages:
            load = loads.setdefault(stage.kind, {})
            stay = duration(stage) + VISIT * len(stage.inputs)
            load[stage.line] = load.get(stage.line, 0) + stay
        slots = self.resources.slots
        scarcest = max(
            loads, key=lambda kind: sum(loads[kind].values()) / max(1, slots(kind)), default=""
        )
        return loads.get(scarcest, {})

    @property
    def name(self) -> str:
        """Name of the strategy in a result."""
        return f"rolling window of {self.size} lines, order {self.order}"

    def _front(self, state: PartialSchedule) -> Iterator[tuple[int, RankedTask]]:
        """Yield the tasks that may begin now, each with the position of its line in the window,
        from 0.
        """
        number = 0
        for line in self.lines:
            if line.bits & state.todo:
                for entry in line.find_startable(state, SLACK):
                    yield number, entry
                number += 1
                if number == self.size:
                    return

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the tasks of the window, roughly the most urgent first, after those that remove
        things.
        """
        clears = [entry for entry in self.clears if entry.bit & state.todo]
        full = {stage for stage, left in state.left.items() if not left}
        return clears + in_order(
            (
                AGE * number
                - e.tail
                - FULL_BONUS * (e.takes in full)
                - RANK_NOISE * noise.random(),
                e.bit,
                e,
            )
            for number, e in self._front(state)
        )

    def score(self, state: PartialSchedule) -> float:
        """Return a score from estimated ends of the window and of all work; HOPELESS if they are
        too late.
        """
        workers, t, todo = self.resources.workers, state.t, state.todo
        work, longest, number, window = 0, 0, 0, self.size
        for line, (bits, sum_of_work) in zip(self.lines, self._behind, strict=True):
            if number >= window and bits & todo == bits:
                work += sum_of_work
                break
            left = line.bits & todo
            if left:
                rest = line.find_rest(left)
                work += rest.work
                if number < window and rest.longest > longest:
                    longest = rest.longest
                number += 1
        energy = t + (work + self.resources.count_busy_after(state.levels, t)) / workers
        if max(energy, state.last) >= self.shorter_than:
            return HOPELESS
        return max(t + longest, energy, state.last) + energy + STATION_COST * len(state.open_at)

    def may_open(self, state: PartialSchedule, mode: Mode, bit: int) -> bool:
        """Return whether everything that is begun can still be finished if this mode is planned."""
        opened = [f.stage for f in mode.fillings if not state.begun >> f.stage & 1]
        if not opened:
            return True
        begun = state.begun
        for stage in opened:
            begun |= 1 << stage
        emptied = {stage for stage, _ in mode.leaves}
        held = [stage for stage in (*state.open_at, *opened) if stage not in emptied]
        return self.safety.safe(begun, held, state.todo & ~bit)


def _sums(lines: Sequence[LineTasks]) -> list[tuple[int, int]]:
    """Return for each line the bits and the work of this line and all later ones."""
    sums: list[tuple[int, int]] = []
    bits = work = 0
    for line in reversed(lines):
        bits, work = bits | line.bits, work + line.work
        sums.append((bits, work))
    return sums[::-1]


Units = dict[str, int]
"""Stations by kind."""


@dataclass(slots=True)
class _Branch:
    """The stages and tasks that lead to one input of a line's last stage.

    `gathers` are the gathering stages of the branch. `passes` has the kinds of station through
    which its tasks carry food, each with the bit of the task.
    """

    gathers: list[int] = field(default_factory=list)
    passes: list[tuple[int, str]] = field(default_factory=list)


class Safety:
    """A check whether partial schedules of a workload are safe.

    `bits` maps each task to the bit by which a state marks it as not yet planned. `units` has the
    number of stations of each kind.
    """

    def __init__(self, tasks: Tasks, bits: Mapping[Task, int], units: Mapping[str, int]) -> None:
        self.tasks = tasks
        self.bits = bits
        self.kind = [stage.kind for stage in tasks.stages]
        self.line = [stage.line for stage in tasks.stages]
        kept = {self.kind[n] for n in range(len(self.kind)) if tasks.gathers(n)}
        self.units = {kind: units.get(kind, 0) for kind in sorted(kept)}
        self.lasts: dict[str, int] = {}
        self.branches: dict[str, list[_Branch]] = {}
        self._concerns: dict[str, tuple[int, int]] = {}
        self._known: dict[tuple[str, int, int], Units] = {}
        for delivery in tasks.deliveries:
            if isinstance(delivery.source, Made):
                last = delivery.source.stage
                self.lasts[delivery.line] = last
                self.branches[delivery.line] = [
                    self._branch(last, index) for index in range(len(tasks.stages[last].inputs))
                ]
                self._concerns[delivery.line] = self._masks_of(delivery.line)

    def _branch(self, stage: int, index: int) -> _Branch:
        branch = _Branch()
        self._follow(branch, stage, index, Task("work", stage))
        return branch

    def _follow(self, branch: _Branch, stage: int, index: int, onward: Task) -> None:
        """Add to a branch the stages and tasks that lead to an input of a stage; `onward` is the
        task that empties this stage.
        """
        source: Source = self.tasks.stages[stage].inputs[index].source
        task = Task("input", stage, index)
        passed: list[str] = []
        while isinstance(source, Made):
            stage, index = source.stage, 0
            if self.tasks.gathers(stage):
                task = Task("work", stage)
                break
            passed.append(self.kind[stage])
            source = self.tasks.stages[stage].inputs[0].source
            task = Task("input", stage, 0)
        bit = self.bits.get(task, self.bits.get(onward, 0))
        branch.passes.extend((bit, kind) for kind in passed if kind in self.units)
        if task.kind == "work":
            branch.gathers.append(stage)
            for number in range(len(self.tasks.stages[stage].inputs)):
                self._follow(branch, stage, number, task if task in self.bits else onward)

    def _masks_of(self, line: str) -> tuple[int, int]:
        """Return the gathering stages and the tasks that decide what a line needs, as bit masks."""
        stages, tasks = 1 << self.lasts[line], 0
        for branch in self.branches[line]:
            for stage in branch.gathers:
                stages |= 1 << stage
            for bit, _ in branch.passes:
                tasks |= bit
        return stages, tasks

    def safe(self, begun: int, held: Collection[int], todo: int) -> bool:
        """Return whether all lines can be finished.

        `begun` has the bits of the stages begun so far. `held` are those of them that keep a
        station. `todo` has the bits of the tasks that are not planned.
        """
        free = dict(self.units)
        waiting: dict[str, Units] = {}
        for stage in held:
            kind = self.kind[stage]
            free[kind] -= 1
            holds = waiting.setdefault(self.line[stage], {})
            holds[kind] = holds.get(kind, 0) + 1
        while waiting:
            able = [
                line
                for line, holds in waiting.items()
                if self._fits(line, holds, free, begun, todo)
            ]
            if not able:
                return False
            for line in able:
                for kind, units in waiting.pop(line).items():
                    free[kind] += units
        return True

    def _fits(self, line: str, holds: Units, free: Units, begun: int, todo: int) -> bool:
        """Return whether a line can be finished, one branch after the other.

        `holds` are the stations that the line has, `free` those that no line has.
        """
        if line not in self.lasts:
            return True
        for kind, units in self._needs(line, begun, todo).items():
            if free[kind] < units and free[kind] < self.units[kind] - holds.get(kind, 0):
                return False
        return True

    def _needs(self, line: str, begun: int, todo: int) -> Units:
        """Return the greatest number of stations of each kind that a branch of a line needs at a
        time.
        """
        stages, tasks = self._concerns[line]
        key = (line, begun & stages, todo & tasks)
        if key not in self._known:
            needs = self._known[key] = Units()
            last = self.lasts[line]
            first = None if begun >> last & 1 else self.kind[last]
            for branch in self.branches[line]:
                need = self._need(branch, begun, todo)
                if first:
                    need[first] = need.get(first, 0) + 1
                for kind, units in need.items():
                    needs[kind] = max(needs.get(kind, 0), units)
        return self._known[key]

    def _need(self, branch: _Branch, begun: int, todo: int) -> Units:
        """Return the greatest number of stations of each kind that a branch needs at a time."""
        need: Units = {}
        for stage in branch.gathers:
            if not begun >> stage & 1:
                need[self.kind[stage]] = need.get(self.kind[stage], 0) + 1
        for bit, kind in branch.passes:
            if bit & todo:
                need.setdefault(kind, 1)
        return need


class Dispatching(Window):
    """A strategy that ranks all lines by the rule of this name, for `Search.dispatch`."""

    def __init__(self, problem: Problem, rule: str) -> None:
        super().__init__(problem)
        self.rule = rule
        self._arrivals = _number(problem.now)

    @property
    def name(self) -> str:
        """Name of the strategy in a result."""
        return f"rule {self.rule}"

    def rank(self, state: PartialSchedule, noise: Random | None = None) -> list[RankedTask]:
        """Return the remaining tasks, those that remove things first, then line by line."""
        ranked = [entry for entry in self.clears if entry.bit & state.todo]
        key = RULES[self.rule]
        jobs = [
            (key(self._job(name, line, state)), line)
            for name, line in self.by_name.items()
            if line.bits & state.todo
        ]
        for _, line in sorted(jobs, key=lambda job: job[0]):
            rest = line.find_rest(line.bits & state.todo)
            ranked += sorted(rest.entries, key=lambda entry: (-entry.tail, entry.bit))
        return ranked

    def _job(self, name: str, line: LineTasks, state: PartialSchedule) -> Job:
        """Return what the rule knows of a line at a state."""
        rest = line.find_rest(line.bits & state.todo)
        due = self.problem.now.lines[name].due
        return Job(self._arrivals[name], rest.work, rest.longest, due)


def arrange(state: KitchenState, wanted: Wanted, rule: str) -> Wanted:
    """Return the same wishes, with the order lines sorted by a dispatching rule.

    Of equal tasks of such lines the one of the first line comes first (`RankedTask.earlier`).
    """
    key, arrivals = RULES[rule], _number(state)
    return dict(
        sorted(
            wanted.items(),
            key=lambda one: key(Job(arrivals[one[0]], 0, 0, state.lines[one[0]].due)),
        )
    )


def _number(state: KitchenState) -> Mapping[str, int]:
    """Return the place of each line in the order in which the lines came in."""
    return {name: place for place, name in enumerate(state.lines)}
