"""Measure the speed of Collab-Overcooked and of overcooked-ai in the same run, on one core.

    python -m benchmarks.collab_overcooked.speed

A task of level 6 with prepared acts; only the steps are timed, in CPU seconds:

- `low level`: one low-level act of each cook per step, drawn from the six that overcooked-ai has.
- `World.step`: high-level actions as text through the protocol of worlds, legal ones that are drawn
  at each cook's move.

overcooked-ai is measured by `benchmarks/overcooked.py`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from benchmarks.overcooked import TIMESTEPS, compare
from cookmas.api import load_scenario
from cookmas.episodes.world import Command
from cookmas.worlds.collab_overcooked.rules.engine import step
from cookmas.worlds.collab_overcooked.rules.kitchen import opening
from cookmas.worlds.collab_overcooked.rules.timestep import INTERACT, START, STAY, CookAct
from cookmas.worlds.collab_overcooked.scenario import HORIZON, CollabScenario
from cookmas.worlds.grids.grid import DIRECTIONS

TASK = "collab-overcooked/level_6/01"
MOVES = [*DIRECTIONS, STAY, INTERACT]


def speeds() -> dict[str, Callable[[], float]]:
    """Return functions by name that measure joint timesteps per CPU second."""
    scenario = load_scenario(TASK)
    assert isinstance(scenario, CollabScenario)
    kitchen, tables, order = scenario.kitchen, scenario.tables, scenario.order
    draw = random.Random(1)
    names = [START, "", *sorted(kitchen.raw)[:4]]
    acts = [
        [CookAct(draw.choice(MOVES), draw.choice(names)) for _ in kitchen.cooks]
        for _ in range(TIMESTEPS)
    ]
    world = scenario.world()
    state = world.start()
    for _, event in scenario.events():
        state, _ = world.apply(state, event)
    first = state
    play: list[list[Command]] = []
    for timestep in range(TIMESTEPS):
        state = first if timestep % HORIZON == 0 else state
        play.append(
            [Command(name, draw.choice(world.legal(state, name))) for name in world.movers(state)]
        )
        state, _, _ = world.step(state, play[-1])

    def low() -> float:
        scene = opening(kitchen)
        begin = time.process_time()
        for joint in acts:
            scene, _ = step(kitchen, scene, joint, order, tables)
        return TIMESTEPS / (time.process_time() - begin)

    def protocol() -> float:
        state = first
        begin = time.process_time()
        for timestep, commands in enumerate(play):
            state = first if timestep % HORIZON == 0 else state
            state, _, _ = world.step(state, commands)
        return TIMESTEPS / (time.process_time() - begin)

    return {"low level": low, "World.step": protocol}


if __name__ == "__main__":
    compare(speeds())
