"""Demand: the number of orders that dishes would serve, both open orders and guessed future ones.

A planner may know that all dishes of a level are equally likely to be ordered, but not the orders
themselves. So this module makes several guesses of the future orders, with the planner's own seed.
For the order of each timestep all dishes are about equally frequent among the guesses, and every
call makes the same guesses. So the values of two plans differ by their dishes and not by luck.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, CuisineKitchen
from cookmas.worlds.cuisineworld.rules.state import CuisineState

GUESSES = 32
"""Number of guesses."""
_LATER = 0.001
"""Value that a served order loses with each timestep, so the earlier of two equal plans wins."""

Window = tuple[int, int]
"""The first and the last timestep at which an order can be served."""


class OrderForecast(NamedTuple):
    """The open orders, with several guesses of the future ones."""

    guesses: tuple[Mapping[str, Sequence[Window]], ...]
    """Each guess maps a dish to the windows of its orders, in the order of arrival."""

    def of_dish(self, dish: str, timesteps: Sequence[int]) -> float:
        """Return the mean number of orders for a dish that are served, over all guesses.

        The dish comes to the table at each of `timesteps`, which are sorted. A served order counts
        1, less `_LATER` for each timestep from 0 until it is served.
        """
        served = sum(_count_served(timesteps, guess[dish]) for guess in self.guesses)
        return served / len(self.guesses)

    def mean_served(self, put: Sequence[tuple[int, str]]) -> float:
        """Return the mean number of orders that are served, over all guesses.

        `put` has the dishes that come to the table, each with its timestep.
        """
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
    """Return guesses of the orders until the end of the episode, from what a planner may know."""
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
    """Return a random dish for each guess, so that all dishes are about equally frequent."""
    deck = [*dishes] * -(-GUESSES // len(dishes))
    draw.shuffle(deck)
    return deck
