"""Strategies: in what a search for a schedule may differ from another one.

| decision | method |
|---|---|
| which tasks are tried, and in which order | `rank` |
| which states are kept | `score` |
| whether a gathering stage may be begun | `may_open` |
| in which of its modes a task is tried | `choose` |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from random import Random
from typing import Protocol

from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.ranking import RankedTask
from worlds.restaurant.scheduling.states import PartialSchedule

LINK_BONUS = 4
"""How many timesteps sooner a task counts whose worker stands there already."""

RANK_NOISE = 6
"""By how many timesteps at most the order of the tasks is blurred."""


class Strategy(Protocol):
    """What a search asks while it plans."""

    @property
    def name(self) -> str:
        """Return what the strategy is called in a result."""
        ...

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the tasks that may be begun, in the order in which they are tried."""
        ...

    def score(self, state: PartialSchedule) -> float:
        """Return a score of a state, the lowest for the best; HOPELESS if it is pruned."""
        ...

    def may_open(self, state: PartialSchedule, mode: Mode, bit: int) -> bool:
        """Return whether what a mode of the task with this `bit` begins causes no deadlock."""
        ...

    @property
    def choose(self) -> Callable[[Sequence[Mode]], Sequence[Mode]] | None:
        """Return what chooses the modes in which a task is tried; None for all it has."""
        ...


class Unordered:
    """Plans all lines beside each other, whichever is first; in this some strategies are alike."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def score(self, state: PartialSchedule) -> float:
        """Return about when all may be served: by the longest task left and by all the work."""
        end, energy = self.problem.soonest_end(state)
        return end + energy

    def may_open(self, state: PartialSchedule, mode: Mode, bit: int) -> bool:
        """Return whether a plating place may be begun (see `Problem.may_open`)."""
        return self.problem.may_open(state, mode)


class AllAtOnce(Unordered):
    """Plans all lines at once, the longest tasks first."""

    choose = None

    @property
    def name(self) -> str:
        """Return what the strategy is called in a result."""
        return "all lines at once"

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the tasks that are left, about the most urgent first."""
        todo, left, random = state.todo, state.left, noise.random
        rank: list[tuple[float, RankedTask]] = []
        for entry in self.problem.entries:
            about = random()
            if entry.bit & todo:
                bonus = LINK_BONUS if left.get(entry.takes) == 0 else 0
                rank.append((-entry.tail - bonus - about * RANK_NOISE, entry))
        rank.sort(key=itemgetter(0))
        return [entry for _, entry in rank]
