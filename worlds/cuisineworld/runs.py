"""Play a planner through an episode, without the orchestrator."""

from __future__ import annotations

from collections.abc import Callable

from worlds.cuisineworld.engine import Task, play, start
from worlds.cuisineworld.kitchen import STEPS, Kitchen
from worlds.cuisineworld.state import State

Planner = Callable[[Kitchen, State], list[str]]
"""Answers a kitchen and its state with the commands of one timestep."""


def run(task: Task, planner: Planner, steps: int = STEPS) -> State:
    """The state after an episode that a planner played. It is shown neither stream nor seed."""
    state = start(task)
    for _ in range(steps):
        state, _ = play(task, state, planner(task.kitchen, state))
    return state
