"""Urging: short schedules by many quick searches, each of which learns from the one before it.

What the last dish waited for longest is made more urgent in the next search, as in squeaky wheel
optimization (Joslin and Clements 1999). A task may be planned some timesteps ahead, which reserves
what it needs, so that others fill the time until then.

| constraint | method |
|---|---|
| the last dish is to be served sooner | `Urging._learn`: what it waited for gets an urgency |
| plating places must not wait for each other | `Problem.may_open` |
| a stage may fill a gap before another one | `Resources.fills_gaps` |
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.ranking import RankedTask, in_order
from worlds.restaurant.scheduling.search import Search
from worlds.restaurant.scheduling.states import PartialSchedule, Solution
from worlds.restaurant.scheduling.strategy import Unordered

MOST_RUNS = 400
"""How many searches there are at most."""

URGE = 4.0
"""By how many timesteps on average a task is made more urgent."""

FADING = 0.95
"""What is left of an urgency after each search."""

ALMOST_LAST = 2
"""A dish that is served at most this many timesteps before the last one is urged, too."""

ALMOST_LATEST = 4
"""A food that comes at most this many timesteps before the latest one for a dish is urged by half.
"""

FORESIGHTS = (0, 1, 1, 2, 4, 8)
"""How many timesteps ahead tasks are planned, each as likely as it is named here."""

NOISES = (0.0, 2.0, 6.0)
"""By how many timesteps at most the order of tasks is blurred."""

GAPS_FILLED = 0.3
"""How often a station may be used before another stage has it."""

BACK = 0.1
"""How often the urgencies of the best schedule are taken up again."""

SPREAD = 4.0
"""By how many timesteps they are changed then, as a standard deviation."""

SLOWER = 0.1
"""How often the quickest modes of a task are passed over."""


class Urgencies(Unordered):
    """Plans tasks that have an urgency of their own, by their bit.

    Their order is blurred by `blur` timesteps at most. As often as `slower` says the quickest modes
    of a task are passed over.
    """

    def __init__(self, problem: Problem, chance: Random) -> None:
        super().__init__(problem)
        self.chance = chance
        self.urgency = {entry.bit: 0.0 for entry in problem.entries}
        self.blur = 0.0
        self.slower = 0.0

    @property
    def name(self) -> str:
        """Return what the strategy is called in a result."""
        return "urgencies"

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the tasks that are left, about the most urgent first."""
        return in_order(
            (-entry.tail - self.urgency[entry.bit] - noise.random() * self.blur, entry.bit, entry)
            for entry in self.problem.entries
            if entry.bit & state.todo
        )

    def choose(self, modes: Sequence[Mode]) -> Sequence[Mode]:
        """Return all modes, now and then without the quickest ones."""
        if self.slower and len(modes) > 1 and self.chance.random() < self.slower:
            return modes[self.chance.randrange(1, len(modes)) :]
        return modes


class Urging:
    """Searches again and again with urgencies that it learns."""

    def __init__(self, problem: Problem) -> None:
        self.chance = Random(len(problem.entries))
        self.urgencies = Urgencies(problem, self.chance)
        self.search = Search(problem, self.urgencies)
        self._entry_of = {entry.task: entry for entry in problem.entries}

    def best_urged(self, tries: float, good: float, found: Solution | None) -> Solution | None:
        """Return the best of `found` and the schedules of searches that try about `tries` modes.

        One of at most `good` timesteps is not searched any further. Return None if there is no
        schedule. Raises PlacementError.
        """
        best, run, urgencies = found, 0, self.urgencies
        keep = dict(urgencies.urgency)
        while (
            run < MOST_RUNS and self.search.tried < tries and (best is None or best.length > good)
        ):
            self._set_about(run)
            new = self.search.best(1, run=run)
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
        """Choose how the next search goes about it."""
        chance, urgencies, search = self.chance, self.urgencies, self.search
        search.resources.fills_gaps = run > 0 and chance.random() < GAPS_FILLED
        search.foresight = chance.choice(FORESIGHTS) if run else 1
        urgencies.blur = chance.choice(NOISES) if run else 0.0
        urgencies.slower = SLOWER if run % 2 else 0.0

    def _learn(self, found: Solution) -> None:
        """Make more urgent what the last dishes waited for."""
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
        """Make a task more urgent, and what it waited for."""
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
