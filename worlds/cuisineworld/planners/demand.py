"""How many orders dishes on the table would serve: those that wait, and guesses of those to come.

A level's dishes are drawn evenly, which is public; what is drawn is not, so the guesses are drawn
here, from a generator with a seed of the planner's own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from worlds.cuisineworld.kitchen import STEPS, Kitchen
from worlds.cuisineworld.state import State

GUESSES = 16


class Demand(NamedTuple):
    """For each guess and dish, the orders as (first, last) timestep that can serve them."""

    guesses: tuple[dict[str, list[tuple[int, int]]], ...]

    def served(self, put: Sequence[tuple[int, str]]) -> float:
        """Orders served on average, if dishes are put on the table in these timesteps.

        A later timestep of serving counts a little less.
        """
        by_dish: dict[str, list[int]] = {}
        for timestep, dish in put:
            by_dish.setdefault(dish, []).append(timestep)
        total = 0.0
        for guess in self.guesses:
            for dish, timesteps in by_dish.items():
                total += _match(timesteps, guess[dish])
        return total / len(self.guesses)


def _match(timesteps: Sequence[int], orders: Sequence[tuple[int, int]]) -> float:
    served, at = 0.0, 0
    for timestep in timesteps:
        while at < len(orders) and orders[at][1] < timestep:
            at += 1
        if at == len(orders):
            break
        served += 1.0 - 0.001 * max(timestep, orders[at][0])
        at += 1
    return served


def demand_of(kitchen: Kitchen, state: State, seed: int, guesses: int = GUESSES) -> Demand:
    """What may be ordered from here to the end of the episode."""
    now = state.timestep
    known: dict[str, list[tuple[int, int]]] = {dish: [] for dish in kitchen.dishes}
    for lifetime, dish in state.orders:
        known[dish].append((now, min(now + lifetime, STEPS) - 1))
    interval = kitchen.interval
    times = range((now // interval + 1) * interval, STEPS, interval)
    draw = random.Random(seed * 1000 + now)
    made = []
    for _ in range(guesses if times else 1):
        guess = {dish: list(orders) for dish, orders in known.items()}
        for time in times:
            dish = draw.choice(kitchen.dishes)
            guess[dish].append((time, min(time + kitchen.lifetimes[dish], STEPS) - 1))
        made.append(guess)
    return Demand(tuple(made))
