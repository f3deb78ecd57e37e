"""Urging: many quick searches, each of which learns from the one before it.

The food for which the last dish waited longest becomes more urgent in the next search, as in
squeaky wheel optimization (Joslin and Clements 1999). A task may be planned some timesteps ahead.
This reserves its resources, and other tasks fill the time until then.

| constraint | method |
|---|---|
| the last dish is to be served sooner | `Urging._learn`: the food it waited for becomes urgent |
| plating places must not wait for each other | `Problem.may_open` |
| a stage may use a station before another stage | `Resources.fills_gaps` |
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from cookmas.worlds.restaurant.scheduling.mode import Mode
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.ranking import RankedTask, in_order
from cookmas.worlds.restaurant.scheduling.search import Search
from cookmas.worlds.restaurant.scheduling.states import PartialSchedule, Solution
from cookmas.worlds.restaurant.scheduling.strategy import Unordered

SEARCHES = 400
"""Greatest number of searches."""

URGE = 4.0
"""Average number of timesteps by which a task becomes more urgent."""

FADING = 0.95
"""Factor by which each urgency is multiplied after a search."""

ALMOST_LAST = 2
"""A dish that is served at most this many timesteps before the last one becomes more urgent, too.
"""

ALMOST_LATEST = 4
"""A food that arrives at most this many timesteps before the latest one gets half the urgency."""

FORESIGHTS = (0, 1, 1, 2, 4, 8)
"""Numbers of timesteps that tasks are planned ahead, drawn evenly from these."""

NOISES = (0.0, 2.0, 6.0)
"""Greatest noise, in timesteps, on the order of tasks, drawn evenly from these."""

GAPS_FILLED = 0.3
"""How often a stage may use a station before another stage."""

BACK = 0.1
"""How often a search starts again from the urgencies of the best schedule."""

SPREAD = 4.0
"""Standard deviation, in timesteps, of the random change to the urgencies of the best schedule when
a search starts again from them.
"""

SLOWER = 0.1
"""How often the quickest modes of a task are skipped, in every second search."""


class Urgencies(Unordered):
    """A strategy in which each task has an urgency, by its bit.

    The order of the tasks has a noise of at most `blur` timesteps. With probability `slower`, the
    quickest modes of a task are skipped.
    """

    def __init__(self, problem: Problem, chance: Random) -> None:
        super().__init__(problem)
        self.chance = chance
        self.urgency = {entry.bit: 0.0 for entry in problem.entries}
        self.blur = 0.0
        self.slower = 0.0

    @property
    def name(self) -> str:
        """Name of the strategy in a result."""
        return "urgencies"

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the remaining tasks, roughly the most urgent first."""
        return in_order(
            (-entry.tail - self.urgency[entry.bit] - noise.random() * self.blur, entry.bit, entry)
            for entry in self.problem.entries
            if entry.bit & state.todo
        )

    def choose(self, modes: Sequence[Mode]) -> Sequence[Mode]:
        """Return all modes, sometimes without the quickest ones."""
        if self.slower and len(modes) > 1 and self.chance.random() < self.slower:
            return modes[self.chance.randrange(1, len(modes)) :]
        return modes


class Urging:
    """A series of searches that learns urgencies."""

    def __init__(self, problem: Problem) -> None:
        self.chance = Random(len(problem.entries))
        self.urgencies = Urgencies(problem, self.chance)
        self.search = Search(problem, self.urgencies)
        self._entry_of = {entry.task: entry for entry in problem.entries}
        self._opening: list[PartialSchedule] = []
        self._tight = False

    def best_urged(self, tries: float, good: float, found: Solution | None) -> Solution | None:
        """Return the best of `found` and of the schedules that searches find while they try `tries`
        modes.

        The search stops at a schedule of at most `good` timesteps. Return None if there is no
        schedule. Raises PlacementError.
        """
        best, run, urgencies = found, 0, self.urgencies
        keep = dict(urgencies.urgency)
        self._opening = self.search.open_states(1)
        self._tight = self.search.resources.fills_gaps
        while run < SEARCHES and self.search.tried < tries and (best is None or best.length > good):
            self._set_about(run)
            new = self.search.best(1, opening=[state.copy() for state in self._opening], run=run)
            run += 1
            if new is None:
                for bit in urgencies.urgency:
                    urgencies.urgency[bit] += URGE * self.chance.random()
            else:
                if best is None or new.length <= best.length:
                    best, keep = new, dict(urgencies.urgency)
                self._learn(new)
                if self.chance.random() < BACK:
                    urgencies.urgency = {
                        bit: urgency + self.chance.gauss(0, SPREAD) for bit, urgency in keep.items()
                    }
            for bit in urgencies.urgency:
                urgencies.urgency[bit] *= FADING
        return best

    def _set_about(self, run: int) -> None:
        """Draw the parameters of the next search."""
        chance, urgencies, search = self.chance, self.urgencies, self.search
        fills_gaps = run > 0 and chance.random() < GAPS_FILLED
        search.resources.fills_gaps = self._tight or fills_gaps
        search.foresight = chance.choice(FORESIGHTS) if run else 1
        urgencies.blur = chance.choice(NOISES) if run else 0.0
        urgencies.slower = SLOWER if run % 2 else 0.0

    def _learn(self, found: Solution) -> None:
        """Make those tasks more urgent for which the last dishes waited."""
        arrivals: dict[int, list[tuple[int, RankedTask]]] = {}
        last: list[RankedTask] = []
        for placed in found.placed:
            task = placed.mode.task
            entry = self._entry_of.get(task) if task else None
            if entry is None:
                continue
            for filling in placed.mode.fillings:
                arrival = placed.start + filling.put, entry
                arrivals.setdefault(filling.stage, []).append(arrival)
            served = placed.mode.served is not None
            if served and placed.start + placed.mode.end >= found.length - ALMOST_LAST:
                last.append(entry)
        for entry in last:
            self._urge(entry, arrivals, 2 * URGE * self.chance.random())

    def _urge(
        self, entry: RankedTask, arrivals: dict[int, list[tuple[int, RankedTask]]], by: float
    ) -> None:
        """Make a task more urgent `by` a number of timesteps, and the tasks for which it waited.

        `arrivals` has for each gathering stage the tasks that bring its foods, with the times.
        """
        urged = 0
        while not entry.bit & urged:
            urged |= entry.bit
            self.urgencies.urgency[entry.bit] += by
            latest = sorted(arrivals.get(entry.takes, ()), key=lambda arrival: -arrival[0])
            for put, other in latest[1:2]:
                if put >= latest[0][0] - ALMOST_LATEST:
                    self.urgencies.urgency[other.bit] += by / 2
            if latest:
                entry = latest[0][1]
