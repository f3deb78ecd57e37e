"""How fast the simulator is, beside overcooked-ai's in the same run, on one core.

    python -m benchmarks.simulator

Both play random legal joint actions that were drawn beforehand; only the steps are timed, in CPU
seconds. Ours: the standard kitchen, three busy workers, four fifths of the actions something else
than walking or waiting where that is legal. Theirs: `cramped_room`, two agents, whose actions all
are legal. overcooked-ai needs an environment of its own (numpy below 2), which is made on the first
run in `.venv-overcooked`.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from kitchen.actions import Action, Navigate, Wait
from kitchen.legal import legal_actions
from kitchen.simulator import step
from kitchen.state import KitchenState
from kitchen.world import Restaurant
from scenarios.kitchens import build_kitchen, kitchen_path
from scenarios.menu import load_menu

TIMESTEPS = 4000
ROUNDS = 7
ENVIRONMENT = Path(".venv-overcooked")
PACKAGES = ("overcooked-ai==1.1.0", "numpy<2", "scipy")

THEIRS = """
import random, time
from overcooked_ai_py.mdp.actions import Action
from overcooked_ai_py.mdp.overcooked_env import OvercookedEnv
from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld
mdp = OvercookedGridworld.from_layout_name("cramped_room")
env = OvercookedEnv.from_mdp(mdp, horizon=400, info_level=0)
draw = random.Random(1)
actions = [tuple(draw.choice(Action.ALL_ACTIONS) for _ in range(2)) for _ in range(400)]
for _ in range({rounds}):
    begin = time.process_time()
    for _ in range({timesteps} // 400):
        env.reset()
        for joint in actions:
            env.step(joint)
    print({timesteps} / (time.process_time() - begin))
"""


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


def theirs() -> list[float]:
    """Joint timesteps a second of overcooked-ai, in each round."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        subprocess.run(
            [
                str(python),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                *PACKAGES,
            ],
            check=True,
        )
    code = THEIRS.format(rounds=ROUNDS, timesteps=TIMESTEPS)
    done = subprocess.run(
        [str(python), "-W", "ignore", "-c", code], check=True, capture_output=True, text=True
    )
    numbers = [line for line in done.stdout.splitlines() if line.replace(".", "", 1).isdigit()]
    return [float(line) for line in numbers]


def main() -> None:
    """Print both speeds and their ratio, as medians and ranges."""
    pairs = {
        "CookMAS, standard kitchen, 3 workers": ours(),
        "overcooked-ai, cramped_room": theirs(),
    }
    medians = []
    for name, speeds in pairs.items():
        medians.append(sorted(speeds)[len(speeds) // 2])
        print(
            f"{name}: {medians[-1]:,.0f} joint timesteps a second "
            f"({min(speeds):,.0f} to {max(speeds):,.0f})"
        )
    print(f"ratio of the medians: {medians[0] / medians[1]:.1f}")


if __name__ == "__main__":
    main()
