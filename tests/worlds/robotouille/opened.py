"""Worlds of shipped scenarios, and steps in them."""

from __future__ import annotations

from typing import Any

from cookmas.episodes.world import Command
from cookmas.worlds.robotouille.domain import DOMAIN
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleLevel, RobotouilleWorld


def level_of(name: str, **changes: Any) -> RobotouilleLevel:
    """Return the file of a scenario, with other values of some fields."""
    scenario: Any = DOMAIN.scenario(name, {})
    file: RobotouilleLevel = scenario.file.model_copy(update=changes)
    return file


def world_of(name: str, **changes: Any) -> RobotouilleWorld:
    """Return the world of a scenario, with other values of some fields."""
    return RobotouilleWorld(level_of(name, **changes))


def play(world: RobotouilleWorld, state: FactState, *actions: str) -> FactState:
    """Return the state after actions of the first robot, of which none may FAIL."""
    robot = world.workers[0]
    for action in actions:
        state, outcomes, _ = world.step(state, [Command(robot, action)])
        assert outcomes[robot].done, outcomes
    return state
