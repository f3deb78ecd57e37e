"""How many orders dishes on the table would serve: those that wait, and guesses of those to come.

That a level's dishes are drawn evenly is public; what is drawn is not. So the guesses are drawn
here, from a seed of the planner's own.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from worlds.cuisineworld.kitchen import STEPS, Kitchen
from worlds.cuisineworld.state import State

GUESSES = 16
_LATER = 0.001
"""What a serving loses for each timestep that it comes later: of equal plans the earlier wins."""

Window = tuple[int, int]
"""The first and the last timestep in which an order can be served."""


class Demand(NamedTuple):
    """For each guess, the windows of each dish's orders, in the order of arrival."""

    guesses: tuple[Mapping[str, Sequence[Window]], ...]

    def of_dish(self, dish: str, timesteps: Sequence[int]) -> float:
        """Orders of a dish that are served on average, if it is put on the table then."""
        served = sum(_served(timesteps, guess[dish]) for guess in self.guesses)
        return served / len(self.guesses)

    def served(self, put: Sequence[tuple[int, str]]) -> float:
        """Orders that are served on average, if dishes are put on the table as said."""
        by_dish: dict[str, list[int]] = {}
        for timestep, dish in put:
            by_dish.setdefault(dish, []).append(timestep)
        return sum(self.of_dish(dish, timesteps) for dish, timesteps in by_dish.items())


def _served(timesteps: Sequence[int], windows: Sequence[Window]) -> float:
    served, at = 0.0, 0
    for timestep in timesteps:
        while at < len(windows) and windows[at][1] < timestep:
            at += 1
        if at == len(windows):
            break
        served += 1 - _LATER * max(timestep, windows[at][0])
        at += 1
    return served


def demand_of(kitchen: Kitchen, state: State, seed: int) -> Demand:
    """What may be ordered until the end of the episode, as a planner may guess it."""
    now = state.timestep
    known: dict[str, list[Window]] = {dish: [] for dish in kitchen.dishes}
    for lifetime, dish in state.orders:
        known[dish].append((now, min(now + lifetime, STEPS) - 1))
    interval = kitchen.interval
    times = range((now // interval + 1) * interval, STEPS, interval)
    draw = random.Random(seed * (STEPS + 1) + now)
    guesses = []
    for _ in range(GUESSES if times else 1):
        guess = {dish: list(windows) for dish, windows in known.items()}
        for time in times:
            dish = draw.choice(kitchen.dishes)
            guess[dish].append((time, min(time + kitchen.lifetimes[dish], STEPS) - 1))
        guesses.append(guess)
    return Demand(tuple(guesses))
