"""Inserting: lines are planned one after the other, in many orders.

Each line is planned as a whole, in the time that the lines before it leave free. So dishes never
wait half-made for each other, which often happens if a small kitchen plans them side by side.

| constraint | method |
|---|---|
| a stage may use a station until its next stage | `Resources.fills_gaps` |
| orders, margins and urgencies differ | all are drawn: `SerialGeneration.plan` |
"""

from __future__ import annotations

from random import Random

from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.search import Search
from cookmas.worlds.restaurant.scheduling.serial import SerialGeneration
from cookmas.worlds.restaurant.scheduling.states import HOPELESS, PartialSchedule, Solution

NAME = "lines one after the other"
"""Name of the search in a result."""

OPENINGS = 3
"""Greatest number of ways in which work in progress is planned."""

TRIED_ORDERS = 1000
"""Greatest number of orders that are tried."""


class Inserting:
    """A search over orders of the lines."""

    def __init__(self, problem: Problem, chance: Random) -> None:
        self.problem = problem
        self.chance = chance
        self.serial = SerialGeneration(problem, chance)

    def best(self, most: float, good: float, shorter_than: float = HOPELESS) -> Solution | None:
        """Return the best schedule with fewer than `shorter_than` timesteps; None if none is found.

        The search costs about `most`, and stops at a schedule of at most `good` timesteps. Raises
        PlacementError.
        """
        best: PartialSchedule | None = None
        openings = Search(self.problem).open_states(OPENINGS)
        lines = list(self.serial.lines)
        for _ in range(TRIED_ORDERS if lines else 0):
            if self.serial.cost > most or (best and best.last <= good):
                break
            opening = self.chance.choice(openings).copy()
            opening.forget_ends()
            opening = self.serial.clear(opening)
            before = best.last if best else shorter_than
            best = self.serial.plan(opening, lines, before) or best
        return self.problem.solution(best.placements(), best.last, NAME) if best else None
