"""Urging: short schedules by many quick searches, each of which learns from the one before it.

What the last dish waited for longest is made more urgent in the next search, as in squeaky wheel
optimization (Joslin and Clements 1999). A task may be planned some timesteps ahead, which reserves
what it needs, so that others fill the time until then.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from kitchen.layout import Kitchen
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.ranking import Entry, in_order
from worlds.restaurant.scheduling.reuse import Remaining
from worlds.restaurant.scheduling.search import Move, Search
from worlds.restaurant.scheduling.states import Solution, State

MOST_RUNS = 400
"""How many searches there are at most."""

URGE = 4.0
"""By how many timesteps on average a task is made more urgent."""

FADING = 0.95
"""What is left of an urgency after each search."""

ALMOST_LAST = 2
"""A dish that is served so many timesteps before the last one is urged, too."""

ALMOST_LATEST = 4
"""A food that comes so many timesteps before the latest one for a dish is urged, too, by half."""

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


class Urging(Search):
    """Finds schedules with tasks that have an urgency of their own."""

    def __init__(self, kitchen: Kitchen, state: KitchenState, work: Remaining) -> None:
        super().__init__(kitchen, state, work)
        self.chance = Random(len(self.entries))
        self.urgency = {entry.bit: 0.0 for entry in self.entries}
        self.blur = 0.0
        self.slower = 0.0
        self._entry_of = {entry.task: entry for entry in self.entries}

    def best_urged(self, tries: float, good: float, found: Solution | None) -> Solution | None:
        """Return the best of `found` and the schedules of searches that try about `tries` modes.

        One of at most `good` timesteps is not searched any further. Return None if there is no
        schedule. Raises PlacementError.
        """
        best, run, first = found, 0, self.seed
        keep = dict(self.urgency)
        while run < MOST_RUNS and self.tried < tries and (best is None or best.length > good):
            self._set_about(run)
            self.seed = first + run
            run += 1
            new = self.best(1, 0)
            if new is None:
                for bit in self.urgency:
                    self.urgency[bit] += URGE * self.chance.random()
            else:
                if best is None or new.length <= best.length:
                    best, keep = new, dict(self.urgency)
                self._learn(new)
                if self.chance.random() < BACK:
                    self.urgency = {
                        bit: urgency + self.chance.gauss(0, SPREAD) for bit, urgency in keep.items()
                    }
            for bit in self.urgency:
                self.urgency[bit] *= FADING
        return best

    @property
    def method(self) -> str:
        """What the search is called in a result."""
        return "urgencies"

    def _set_about(self, run: int) -> None:
        """Choose how the next search goes about it."""
        chance = self.chance
        self.fills_gaps = self.resources.fills_gaps = run > 0 and chance.random() < GAPS_FILLED
        self.foresight = chance.choice(FORESIGHTS) if run else 1
        self.blur = chance.choice(NOISES) if run else 0.0
        self.slower = SLOWER if run % 2 else 0.0

    def _learn(self, found: Solution) -> None:
        """Make more urgent what the last dishes waited for."""
        arrivals: dict[int, list[tuple[int, Entry]]] = {}
        last: list[Entry] = []
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

    def _urge(self, entry: Entry, arrivals: dict[int, list[tuple[int, Entry]]], by: float) -> None:
        """Make a task more urgent, and what it waited for."""
        urged = 0
        while not entry.bit & urged:
            urged |= entry.bit
            self.urgency[entry.bit] += by
            latest = sorted(arrivals.get(entry.takes, ()), key=lambda arrival: -arrival[0])
            for put, other in latest[1:2]:
                if put >= latest[0][0] - ALMOST_LATEST:
                    self.urgency[other.bit] += by / 2
            if latest:
                entry = latest[0][1]

    def _rank(self, state: State, noise: Random) -> list[Entry]:
        """The tasks in the order in which they are tried, about the most urgent first."""
        return in_order(
            (-entry.tail - self.urgency[entry.bit] - noise.random() * self.blur, entry.bit, entry)
            for entry in self.entries
            if entry.bit & state.todo
        )

    def _first_that_fits(
        self,
        state: State,
        entry: Entry,
        modes: Sequence[Mode],
        at: int,
        first: str | None = None,
        link: int | None = None,
    ) -> Move | None:
        """How a task can be planned, now and then not in its quickest modes."""
        if self.slower and len(modes) > 1 and self.chance.random() < self.slower:
            modes = modes[self.chance.randrange(1, len(modes)) :]
        return super()._first_that_fits(state, entry, modes, at, first, link)
