"""Measure the speed of our Overcooked kitchen and of overcooked-ai in the same run, on one core.

    python -m benchmarks.overcooked_ai.speed

`cramped_room` with random joint acts, which are drawn beforehand, in CPU seconds:

- `step`: the bare transition of our engine.

overcooked-ai is measured by `benchmarks/overcooked.py`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from benchmarks.overcooked import TIMESTEPS, compare
from worlds.overcooked.kitchen import ACTS
from worlds.overcooked.layout import load_kitchen
from worlds.overcooked.steps import step

LAYOUT = "cramped_room"
HORIZON = 400


def speeds() -> dict[str, Callable[[], float]]:
    """Return functions by name that measure joint timesteps per CPU second."""
    kitchen = load_kitchen(LAYOUT, "current")
    draw = random.Random(1)
    acts = [[draw.choice(ACTS) for _ in range(kitchen.cooks)] for _ in range(TIMESTEPS)]

    def play_steps() -> float:
        scene = kitchen.first
        begin = time.process_time()
        for timestep, joint in enumerate(acts):
            scene = kitchen.first if timestep % HORIZON == 0 else scene
            scene, _ = step(kitchen, scene, joint)
        return TIMESTEPS / (time.process_time() - begin)

    return {"step": play_steps}


if __name__ == "__main__":
    compare(speeds())
