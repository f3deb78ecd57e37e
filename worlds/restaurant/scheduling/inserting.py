"""Inserting: lines are planned one after the other, in many orders.

Each line is planned as a whole, in the time that the lines before it leave free. So dishes never
wait half-made for each other, which often happens if a small kitchen plans them side by side.

| constraint | method |
|---|---|
| a stage may use a station until its next stage | `Resources.fills_gaps` |
| stations that are kept must become free soon | their lines come first: `_draw_order` |
| a task must not hold a station for longer than it needs | `FillingGaps.slack`, drawn at random |
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from worlds.restaurant.scheduling.filling_gaps import FillingGaps
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.search import Search
from worlds.restaurant.scheduling.states import HOPELESS, PartialSchedule, Solution

OPENINGS = 3
"""Greatest number of ways in which work in progress is planned."""

SLACKS = (None, 16)
"""Values of `FillingGaps.slack`, drawn for each order."""

BLURS = (0.0, 2.0)
"""Greatest noise, in timesteps, on the order of tasks, drawn for each order."""

WIDTH, WIDER = 1, 3
"""Width of the beam for a line, and its width if the first search finds no place for the line."""

UNIT = 0.4
"""Cost of trying a mode, since only the tasks of one line are planned at a time."""

MOST_ORDERS = 1000
"""Greatest number of orders that are tried."""


class Inserting:
    """A search over orders of the lines."""

    def __init__(self, problem: Problem) -> None:
        self.strategy = FillingGaps(problem, "lines one after the other")
        self.search = Search(problem, self.strategy)
        self.search.resources.fills_gaps = True
        self.search.unit = UNIT
        self.chance = Random(len(problem.entries))
        self._clears = sum(entry.bit for entry in self.strategy.clears)

    def best(self, most: float, good: float, shorter_than: float = HOPELESS) -> Solution | None:
        """Return the best schedule with fewer than `shorter_than` timesteps; None if none is found.

        The search costs about `most`, and stops at a schedule of at most `good` timesteps. Raises
        PlacementError.
        """
        best: PartialSchedule | None = None
        openings = self.search.open_states(OPENINGS)
        for run in range(MOST_ORDERS if self.strategy.lines else 0):
            if self.search.cost > most or (best and best.last <= good):
                break
            opening = self.chance.choice(openings)
            longest = best.last if best else shorter_than
            best = self._insert(opening, self._draw_order(opening), longest, run) or best
        return self.search.finish(best, WIDTH) if best else None

    def _draw_order(self, opening: PartialSchedule) -> list[str]:
        """Return the lines in a random order; lines that keep a station come first."""
        stages = self.search.problem.tasks.stages
        keeping = {stages[stage].line for stage in opening.open_at}
        lines = list(self.strategy.lines)
        self.chance.shuffle(lines)
        return sorted(lines, key=lambda line: line not in keeping)

    def _insert(
        self, opening: PartialSchedule, order: Sequence[str], shorter_than: float, run: int
    ) -> PartialSchedule | None:
        """Return the state in which all lines are planned; None if a line finds no place, or ends
        at `shorter_than` or later.
        """
        slack, self.strategy.blur = self.chance.choice(SLACKS), self.chance.choice(BLURS)
        state, left = opening, opening.todo
        for line in order:
            bits = self.strategy.lines[line].bits & left
            todo = bits | (left & self._clears)
            after = self._plan(state, todo, WIDTH, slack, run)
            after = after or self._plan(state, todo, WIDER, None, run)
            if after is None or after.last >= shorter_than:
                return None
            left &= after.todo | ~(bits | self._clears)
            state = after
        return state

    def _plan(
        self, state: PartialSchedule, todo: int, width: int, slack: int | None, run: int
    ) -> PartialSchedule | None:
        """Return the best state in which the needed tasks of `todo` are planned too, from now on;
        None if none is found.
        """
        begin = state.copy()
        begin.t, begin.todo, begin.ends = 0, todo, ()
        self.strategy.slack = slack
        self.search.needed = todo & self.search.problem.needed
        return self.search.extend([begin], width, run=run)
