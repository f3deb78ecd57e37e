"""Measure the speed of the CuisineWorld engine and of overcooked-ai in the same run, on one core.

    python -m benchmarks.cuisineworld.speed

On each of the thirteen levels, with two agents, the engine plays an episode of the shared greedy
planner and an episode of random commands. The commands are prepared beforehand, and only the steps
are timed, in CPU seconds. `benchmarks/overcooked.py` measures overcooked-ai.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.cuisineworld.tables import Planner, Random
from benchmarks.overcooked import compare
from cookmas.solving.cuisineworld.planners import share_greedily
from cookmas.worlds.cuisineworld.rules.book import ORIGINAL_LEVELS
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask, play, start
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS
from cookmas.worlds.cuisineworld.scenario import build_task

AGENTS = 2
TIMES = 3


def speed() -> Callable[[], float]:
    """Return a function that measures joint timesteps per CPU second."""
    plays = [
        (task, _draw_up(task, planner))
        for level in ORIGINAL_LEVELS
        for task in [build_task(level, "1.0", AGENTS)]
        for planner in (share_greedily, Random(1))
    ]

    def measure() -> float:
        begin = time.process_time()
        for _ in range(TIMES):
            for task, lists in plays:
                state = start(task)
                for commands in lists:
                    state, _ = play(task, state, commands)
        return TIMES * STEPS * len(plays) / (time.process_time() - begin)

    return measure


def _draw_up(task: CuisineTask, planner: Planner) -> list[list[str]]:
    state, lists = start(task), []
    for _ in range(STEPS):
        lists.append(planner(task.kitchen, state))
        state, _ = play(task, state, lists[-1])
    return lists


if __name__ == "__main__":
    compare({"CuisineWorld, 13 levels, 2 agents": speed()})
