"""Demand: the orders that dishes would serve, both waiting ones and guesses of those to come.

It is public that a level's dishes are drawn evenly; the draws are not. So this module draws guesses
from the planner's own seed. For one timestep each dish is guessed equally often, and a timestep's
guesses are the same in every call. So two plans differ by what they serve and not by luck.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from worlds.cuisineworld.kitchen import STEPS, CuisineKitchen
from worlds.cuisineworld.state import CuisineState

GUESSES = 32
"""Number of guesses."""
_LATER = 0.001
"""Loss of a serving per timestep that it comes later: of equal plans the earlier wins."""

Window = tuple[int, int]
"""The first and the last timestep at which an order can be served."""


class OrderForecast(NamedTuple):
    """The orders that may come, in several guesses."""

    guesses: tuple[Mapping[str, Sequence[Window]], ...]
    """For each guess, the windows of each dish's orders, in the order of arrival."""

    def of_dish(self, dish: str, timesteps: Sequence[int]) -> float:
        """Return the mean number of orders that a dish serves if it comes to the table at
        `timesteps`.
        """
        served = sum(_count_served(timesteps, guess[dish]) for guess in self.guesses)
        return served / len(self.guesses)

    def mean_served(self, put: Sequence[tuple[int, str]]) -> float:
        """Return the mean number of orders served if dishes come to the table as in `put`."""
        by_dish: dict[str, list[int]] = {}
        for timestep, dish in put:
            by_dish.setdefault(dish, []).append(timestep)
        return sum(self.of_dish(dish, timesteps) for dish, timesteps in by_dish.items())


def _count_served(timesteps: Sequence[int], windows: Sequence[Window]) -> float:
    served, at = 0.0, 0
    for timestep in timesteps:
        while at < len(windows) and windows[at][1] < timestep:
            at += 1
        if at == len(windows):
            break
        served += 1 - _LATER * max(timestep, windows[at][0])
        at += 1
    return served


def demand_of(kitchen: CuisineKitchen, state: CuisineState, seed: int) -> OrderForecast:
    """Return guesses of the orders until the end of the episode, as a planner may make them."""
    now = state.timestep
    known: dict[str, list[Window]] = {dish: [] for dish in kitchen.dishes}
    for lifetime, dish in state.orders:
        known[dish].append((now, min(now + lifetime, STEPS) - 1))
    interval = kitchen.interval
    times = range((now // interval + 1) * interval, STEPS, interval)
    guesses = [
        {dish: list(windows) for dish, windows in known.items()}
        for _ in range(GUESSES if times else 1)
    ]
    for time in times:
        dishes = _shuffle(kitchen.dishes, random.Random(seed * (STEPS + 1) + time))
        for guess, dish in zip(guesses, dishes, strict=False):
            guess[dish].append((time, min(time + kitchen.lifetimes[dish], STEPS) - 1))
    return OrderForecast(tuple(guesses))


def _shuffle(dishes: Sequence[str], draw: random.Random) -> list[str]:
    """Return a dish for each guess; the numbers of the dishes differ by at most one."""
    deck = [*dishes] * -(-GUESSES // len(dishes))
    draw.shuffle(deck)
    return deck
