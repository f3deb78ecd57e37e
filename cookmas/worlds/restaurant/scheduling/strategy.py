"""Strategies: the decisions in which searches for a schedule differ.

| decision | method |
|---|---|
| which tasks are tried, and in which order | `rank` |
| which states are kept | `score` |
| whether a gathering stage may be begun | `may_open` |
"""

from __future__ import annotations

from operator import itemgetter
from random import Random
from typing import Protocol

from cookmas.worlds.restaurant.scheduling.mode import Mode
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.ranking import RankedTask
from cookmas.worlds.restaurant.scheduling.states import PartialSchedule

LINK_BONUS = 4
"""Timesteps by which a task is more urgent if it begins with a full gathering stage."""

RANK_NOISE = 6
"""Greatest noise, in timesteps, on the order of tasks."""


class Strategy(Protocol):
    """The decisions that a search asks for while it plans."""

    @property
    def name(self) -> str:
        """Name of the strategy in a result."""
        ...

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the tasks that may be begun, in the order in which they are tried."""
        ...

    def score(self, state: PartialSchedule) -> float:
        """Return the score of a state, the lowest for the best; HOPELESS if the state is pruned."""
        ...

    def may_open(self, state: PartialSchedule, mode: Mode, bit: int) -> bool:
        """Return whether a mode can begin its gathering stages without a deadlock; `bit` marks the
        mode's task.
        """
        ...


class AllAtOnce:
    """A strategy that plans all lines at once, the longest tasks first."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def score(self, state: PartialSchedule) -> float:
        """Return a score: the estimated end by all limits, plus the estimated end by the work
        alone.
        """
        end, energy = self.problem.soonest_end(state)
        return end + energy

    def may_open(self, state: PartialSchedule, mode: Mode, bit: int) -> bool:
        """Return whether a mode can begin stages on plating places (see `Problem.may_open`)."""
        return self.problem.may_open(state, mode)

    @property
    def name(self) -> str:
        """Name of the strategy in a result."""
        return "all lines at once"

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the remaining tasks, roughly the most urgent first."""
        todo, left, random = state.todo, state.left, noise.random
        rank: list[tuple[float, RankedTask]] = []
        for entry in self.problem.entries:
            about = random()
            if entry.bit & todo:
                bonus = LINK_BONUS if entry.takes >= 0 and left[entry.takes] == 0 else 0
                rank.append((-entry.tail - bonus - about * RANK_NOISE, entry))
        rank.sort(key=itemgetter(0))
        return [entry for _, entry in rank]
