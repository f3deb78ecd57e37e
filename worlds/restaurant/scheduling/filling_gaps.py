"""The strategy for lines that use the time that a schedule leaves free.

It plans lines again while others stay unchanged (`reworking`), and lines one after the other
(`inserting`).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from worlds.restaurant.scheduling.lines import lines_of
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.ranking import RankedTask, in_order
from worlds.restaurant.scheduling.states import HOPELESS, PartialSchedule
from worlds.restaurant.scheduling.strategy import Unordered


class FillingGaps(Unordered):
    """A strategy that plans the remaining tasks without exceeding `longest` timesteps.

    The order of the tasks has a noise of at most `blur` timesteps. With a `slack`, a task waits
    while it could begin more than `slack` timesteps later without a delay of its line.
    """

    choose = None

    def __init__(self, problem: Problem, name: str) -> None:
        super().__init__(problem)
        self.name = name
        """Name of the strategy in a result."""
        self.blur = 0.0
        self.slack: int | None = None
        self.longest = HOPELESS
        self.lines = lines_of(problem)
        self.clears = [entry for entry in problem.entries if entry.task.kind == "clear"]

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the remaining tasks, roughly the most urgent first."""
        return in_order(
            (-entry.tail - noise.random() * self.blur, entry.bit, entry)
            for entry in self._find_startable(state)
            if entry.bit & state.todo
        )

    def _find_startable(self, state: PartialSchedule) -> Sequence[RankedTask]:
        """Return the tasks that may begin now. Tasks that already began may be among them."""
        if self.slack is None:
            return self.problem.entries
        entries = list(self.clears)
        for line in self.lines.values():
            if line.bits & state.todo:
                entries += line.find_startable(state, self.slack)
        return entries

    def score(self, state: PartialSchedule) -> float:
        """Return the score of `Unordered`; HOPELESS if serving would end after `longest`."""
        end, energy = self.problem.soonest_end(state)
        return HOPELESS if end > self.longest else end + energy
