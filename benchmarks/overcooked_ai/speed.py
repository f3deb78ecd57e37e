"""Measure the speed of our Overcooked kitchen and of overcooked-ai in the same run, on one core.

    python -m benchmarks.overcooked_ai.speed

`cramped_room` with random joint acts, which are drawn beforehand, in CPU seconds:

- `step`: the bare transition of our engine.
- `training environment`: the environment for training, with observations and masks.

overcooked-ai is measured by `benchmarks/overcooked.py`, also with its observations (`featurize`).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from benchmarks.overcooked import TIMESTEPS, compare
from cookmas.bridges.pettingzoo import parallel_env
from cookmas.worlds.overcooked.rules.kitchen import ACTS
from cookmas.worlds.overcooked.rules.layout import load_kitchen
from cookmas.worlds.overcooked.rules.steps import step

LAYOUT = "cramped_room"
HORIZON = 400


def speeds() -> dict[str, Callable[[], float]]:
    """Return functions by name that measure joint timesteps per CPU second."""
    kitchen = load_kitchen(LAYOUT, "current")
    draw = random.Random(1)
    acts = [[draw.choice(ACTS) for _ in range(kitchen.cooks)] for _ in range(TIMESTEPS)]

    def play_steps() -> float:
        scene = kitchen.opening
        begin = time.process_time()
        for timestep, joint in enumerate(acts):
            scene = kitchen.opening if timestep % HORIZON == 0 else scene
            scene, _ = step(kitchen, scene, joint)
        return TIMESTEPS / (time.process_time() - begin)

    env = parallel_env(f"overcooked/{LAYOUT}", settings={"dynamics": "current"}, horizon=HORIZON)
    env.reset()
    numbers = {act: number for number, act in enumerate(env.actions)}
    agents = env.possible_agents
    joints = [dict(zip(agents, map(numbers.__getitem__, joint), strict=True)) for joint in acts]

    def train() -> float:
        begin = time.process_time()
        for timestep, joint in enumerate(joints):
            if timestep % HORIZON == 0:
                env.reset()
            env.step(joint)
        return TIMESTEPS / (time.process_time() - begin)

    return {"step": play_steps, "training environment": train}


if __name__ == "__main__":
    compare(speeds(), observing=True)
