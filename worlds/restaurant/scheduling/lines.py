"""Order lines as the search sees them: what is left of each, and which of it may be begun.

| constraint | method |
|---|---|
| a task must not hold a station for longer than it needs | it waits within a slack: `begun_now` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.ranking import Entry
from worlds.restaurant.scheduling.states import State


class _Rest(NamedTuple):
    """What is left of an order line: the tasks, their work, and how long the longest takes.

    `at_hand` is the longest of those that need not wait for foods to be gathered, `gathered` are
    the others.
    """

    entries: list[Entry]
    work: int
    longest: int
    at_hand: int
    gathered: list[Entry]


class Line:
    """An order line: its tasks with their bits, and the gathering stages of its dish.

    `after` is the least time from a stage's being full to the serving of its dish.
    """

    def __init__(self, entries: list[Entry], stages: list[int], after: Sequence[int]) -> None:
        self.entries = entries
        self.stages = stages
        self.after = after
        self.bits = sum(entry.bit for entry in entries)
        self.work = sum(entry.work for entry in entries)
        self.longest = max(entry.tail for entry in entries)
        self._rests: dict[int, _Rest] = {}

    def rest(self, bits: int) -> _Rest:
        """Return what is left of the line where the tasks of these bits are."""
        rest = self._rests.get(bits)
        if rest is None:
            left = [entry for entry in self.entries if entry.bit & bits]
            rest = self._rests[bits] = _Rest(
                left,
                sum(entry.work for entry in left),
                max((entry.tail for entry in left), default=0),
                max((entry.tail for entry in left if entry.takes < 0), default=0),
                [entry for entry in left if entry.takes >= 0],
            )
        return rest

    def begun_now(self, state: State, slack: int) -> list[Entry]:
        """Return the tasks that cannot begin more than `slack` timesteps later without a delay.

        All that are left where everything planned has ended.
        """
        full_at, left, t = state.full_at, state.left, state.t
        waits = slack if t < state.last else state.last
        rest = self.rest(self.bits & state.todo)
        longest = rest.at_hand
        for entry in rest.gathered:
            if entry.tail > longest and not left[entry.takes]:
                longest = entry.tail
        for stage in self.stages:
            if stage in full_at:
                longest = max(longest, full_at[stage] + self.after[stage] - t)
        return [entry for entry in rest.entries if longest - entry.tail <= waits]


def lines_of(problem: Problem) -> Mapping[str, Line]:
    """Return the lines of a problem that have tasks, by their names."""
    tasks = problem.tasks
    entries: dict[str, list[Entry]] = {delivery.line: [] for delivery in tasks.deliveries}
    for entry in problem.entries:
        if entry.task.kind != "clear":
            entries[tasks.line(entry.task)].append(entry)
    stages: dict[str, list[int]] = {line: [] for line in entries}
    for number, stage in enumerate(tasks.stages):
        if tasks.gathers(number):
            stages[stage.line].append(number)
    return {line: Line(own, stages[line], problem.after) for line, own in entries.items() if own}
