"""How fast the simulator is, beside overcooked-ai's in the same run, on one core.

    python -m benchmarks.simulator

Random legal joint actions that were drawn beforehand; only the steps are timed, in CPU seconds. The
standard kitchen, three busy workers, four fifths of the actions something else than walking or
waiting where that is legal. Theirs: `benchmarks/overcooked.py`.
"""

from __future__ import annotations

import random
import time

from benchmarks.overcooked import ROUNDS, TIMESTEPS, compare
from kitchen.actions import Action, Navigate, Wait
from kitchen.legal import legal_actions
from kitchen.simulator import step
from kitchen.state import KitchenState
from kitchen.world import Restaurant
from scenarios.kitchens import build_kitchen, kitchen_path
from scenarios.menu import load_menu


def ours() -> list[float]:
    """Joint timesteps a second of the kitchen, in each round."""
    kitchen = build_kitchen(kitchen_path("standard"), load_menu())
    world = Restaurant(kitchen)
    lines = [{"item": item} for item in kitchen.menu[:6]]
    order = {"kind": "new_order", "order": "o1", "lines": lines}
    opening, _ = world.apply(world.start(), order)
    plays = _draw(world, opening)
    speeds = []
    for _ in range(ROUNDS):
        state = opening
        begin = time.process_time()
        for joint in plays:
            state, _ = step(kitchen, state, joint)
        speeds.append(len(plays) / (time.process_time() - begin))
    return speeds


def _draw(world: Restaurant, state: KitchenState) -> list[list[Action]]:
    draw = random.Random(1)
    plays: list[list[Action]] = []
    for _ in range(TIMESTEPS):
        joint: list[Action] = []
        for worker in world.workers:
            legal = legal_actions(world.kitchen, state, worker)
            busy = [action for action in legal if not isinstance(action, Wait | Navigate)]
            joint.append(draw.choice(busy if busy and draw.random() < 0.8 else legal))
        plays.append(joint)
        state, _ = step(world.kitchen, state, joint)
    return plays


if __name__ == "__main__":
    compare("CookMAS, standard kitchen, 3 workers", ours())
