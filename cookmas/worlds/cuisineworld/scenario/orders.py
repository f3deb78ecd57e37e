"""The orders of an episode, which are drawn by a seed; no planner may see them beforehand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from cookmas.files.errors import InputError
from cookmas.worlds.cuisineworld.rules.book import build_kitchen
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask
from cookmas.worlds.cuisineworld.rules.kitchen import EPISODES, STEPS, CuisineKitchen


def build_task(
    level: str, tau: str, agents: int, *, seed: int = 0, episode: int = 1
) -> CuisineTask:
    """Return the task of one episode of a run: the kitchen and its orders.

    Raise MissingError for an unknown level, InputError for another invalid argument.
    """
    kitchen = build_kitchen(level, tau, agents)
    return CuisineTask(kitchen=kitchen, stream=stream_of(kitchen, seed, episode))


def stream_of(kitchen: CuisineKitchen, seed: int, episode: int) -> tuple[str, ...]:
    """Return the dishes that are ordered in an episode of a run, one in each interval.

    The episodes of a run (1 to 3) draw their dishes from one random generator, one after the other.
    Raise InputError for another number of an episode.
    """
    if not 1 <= episode <= EPISODES:
        raise InputError("episode", f"{episode} is not between 1 and {EPISODES}")
    draw = random.Random(seed)
    return [draw_stream(draw, kitchen) for _ in range(episode)][-1]


def draw_stream(
    draw: random.Random, kitchen: CuisineKitchen, steps: int = STEPS
) -> tuple[str, ...]:
    """Draw and return the dishes that are ordered in the next episode, of `steps` timesteps."""
    return tuple(draw.choice(kitchen.dishes) for _ in range(steps // kitchen.interval + 1))


def order_events(
    kitchen: CuisineKitchen, stream: Sequence[str]
) -> list[tuple[int, dict[str, Any]]]:
    """Return an event with its timestep for each dish: one in each interval, from timestep 0 on."""
    return [
        (number * kitchen.interval, {"kind": "order", "dish": dish})
        for number, dish in enumerate(stream)
    ]
