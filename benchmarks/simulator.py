"""Measure the speed of the simulator and of overcooked-ai in the same run, on one core.

    python -m benchmarks.simulator

The play is in the standard kitchen, with three workers and six order lines. The actions are random
legal ones, drawn beforehand. Only the steps are timed, in CPU seconds:

- `step, busy`: at least four fifths of the actions are neither walking nor waiting, if there are
  other legal ones. Each action is legal by itself, but some FAIL because of the other workers.
- `step, no FAIL`: the same, but without joint actions in which an action FAILs.
- `World.step`: the busy actions as text, through the world protocol.
- `legal and step`: the step, after listing the legal actions of all three workers.

overcooked-ai is measured by `benchmarks/overcooked.py`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from benchmarks.overcooked import TIMESTEPS, compare
from cookmas.episodes.world import Command
from cookmas.kitchen.actions import Action, Navigate, Wait
from cookmas.kitchen.legal import legal_actions
from cookmas.kitchen.simulator import step
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu

Play = list[list[Action]]
"""The joint action of each timestep."""


def speeds() -> dict[str, Callable[[], float]]:
    """Return the functions, by name, that measure joint timesteps per CPU second."""
    world, opening, busy = make_busy_play()
    kitchen = world.kitchen
    smooth = draw(world, opening, failing=False)
    texts = [
        [Command(worker, str(action)) for worker, action in zip(world.workers, joint, strict=True)]
        for joint in busy
    ]

    def step_bare(play: Play) -> None:
        state = opening
        for joint in play:
            state, _ = step(kitchen, state, joint)

    def protocol() -> None:
        state = opening
        for commands in texts:
            state, _, _ = world.step(state, commands)

    def legal() -> None:
        state = opening
        for joint in busy:
            for worker in world.workers:
                legal_actions(kitchen, state, worker)
            state, _ = step(kitchen, state, joint)

    return {
        "step, busy": lambda: _speed(lambda: step_bare(busy)),
        "step, no FAIL": lambda: _speed(lambda: step_bare(smooth)),
        "World.step, busy": lambda: _speed(protocol),
        "legal and step, busy": lambda: _speed(legal),
    }


def make_busy_play() -> tuple[Restaurant, KitchenState, Play]:
    """Return the standard kitchen, its state with six order lines, and the busy actions."""
    kitchen = build_kitchen(kitchen_path("standard"), load_menu())
    world = Restaurant(kitchen)
    lines = [{"item": item} for item in kitchen.menu[:6]]
    order = {"kind": "new_order", "order": "o1", "lines": lines}
    opening, _ = world.apply(world.start(), order)
    return world, opening, draw(world, opening, failing=True)


def draw(world: Restaurant, state: KitchenState, *, failing: bool) -> Play:
    """Draw the joint actions of a play with a fixed seed.

    Each action is legal by itself. If not `failing`, joint actions with a FAIL are left out.
    """
    dice = random.Random(1)
    play: Play = []
    while len(play) < TIMESTEPS:
        joint = [_draw(dice, legal_actions(world.kitchen, state, w)) for w in world.workers]
        after, outcomes = step(world.kitchen, state, joint)
        if failing or all(outcome.done for outcome in outcomes):
            play.append(joint)
            state = after
    return play


def _draw(dice: random.Random, legal: Sequence[Action]) -> Action:
    busy = [action for action in legal if not isinstance(action, Wait | Navigate)]
    return dice.choice(busy if busy and dice.random() < 0.8 else legal)


def _speed(play: Callable[[], None]) -> float:
    begin = time.process_time()
    play()
    return TIMESTEPS / (time.process_time() - begin)


if __name__ == "__main__":
    compare(speeds())
