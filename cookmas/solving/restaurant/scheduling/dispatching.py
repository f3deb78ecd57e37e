"""The strategy of a dispatching rule: the lines in the order of the rule, without noise.

The order is made for each decision, because the rest of a line shrinks. Within a line the most
urgent task comes first.

| constraint | method |
|---|---|
| useless things are removed if they are in the way | `rank` |
| lines with equal dishes come in the order of the rule | `arrange` |
| dishes must not wait for each other in a circle | `Window.may_open` |
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from cookmas.kitchen.state import KitchenState
from cookmas.solving.dispatching import RULES, Job
from cookmas.solving.restaurant.scheduling.bound import Wanted
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.states import LineTasks, PartialSchedule, RankedTask
from cookmas.solving.restaurant.scheduling.window import Window


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
