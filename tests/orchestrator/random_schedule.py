"""Schedules of random legal actions, for episodes without a planner."""

from __future__ import annotations

import random

from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import commands_of
from cookmas.scenarios.scenario import KitchenScenario


def random_schedule(scenario: KitchenScenario, timesteps: int, seed: int) -> list[dict[str, str]]:
    """Return timesteps of actions that are legal for each worker by itself."""
    chance = random.Random(seed)
    world: Restaurant = scenario.world()
    state = world.start()
    schedule = []
    for timestep in range(timesteps):
        for at, event in scenario.events():
            if at == timestep:
                state, _ = world.apply(state, event)
        actions = {w: chance.choice(world.legal(state, w)) for w in world.workers}
        schedule.append(actions)
        state, _, _ = world.step(state, commands_of(actions))
    return schedule
