"""Play a planner through an episode, without the orchestrator."""

from __future__ import annotations

from collections.abc import Callable

from episodes.engine import Play
from worlds.cuisineworld.engine import CuisineTask
from worlds.cuisineworld.kitchen import STEPS, CuisineKitchen
from worlds.cuisineworld.orders import order_events
from worlds.cuisineworld.state import CuisineState
from worlds.cuisineworld.world import CuisineWorld

Planner = Callable[[CuisineKitchen, CuisineState], list[str]]
"""Returns the commands of one timestep for a kitchen and its state."""


def run(task: CuisineTask, planner: Planner, steps: int = STEPS) -> CuisineState:
    """Return the state after an episode that a planner played.

    The planner sees neither the order stream nor the seed. An order that arrives at the end of the
    last timestep counts as arrived.
    """
    world = CuisineWorld(task.kitchen)
    play = Play(world, order_events(task.kitchen, task.stream))
    for _ in range(steps):
        lines = planner(task.kitchen, play.state)
        play.step(world.commands(lines))
    state: CuisineState = play.state
    return state
