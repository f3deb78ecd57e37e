"""Commands of CuisineWorld that are drawn, to compare planners with."""

from __future__ import annotations

import random

from cookmas.worlds.cuisineworld.rules.engine import legal_commands
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen, CuisineState


class Random:
    """A policy that draws a legal command for each agent."""

    def __init__(self, seed: int = 0) -> None:
        self._draw = random.Random(seed)

    def __call__(self, kitchen: CuisineKitchen, state: CuisineState) -> list[str]:
        """Return a command for each agent."""
        return [
            self._draw.choice(legal_commands(kitchen, state, agent))
            for agent in range(kitchen.agents)
        ]
