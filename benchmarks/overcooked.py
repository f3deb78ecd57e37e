"""overcooked-ai as a measure: its speed in the same run, beside which ours is set.

Two agents in `cramped_room` play random joint actions, which are drawn beforehand and all legal;
only the steps are timed, in CPU seconds. It needs an environment of its own (numpy below 2), which
is made on the first run in `.venv-overcooked`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

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


def compare(name: str, ours: Sequence[float]) -> None:
    """Print our speed in each round, theirs, and the ratio of the medians."""
    medians = []
    for whose, speeds in ((name, ours), ("overcooked-ai, cramped_room", theirs())):
        medians.append(sorted(speeds)[len(speeds) // 2])
        print(
            f"{whose}: {medians[-1]:,.0f} joint timesteps a second "
            f"({min(speeds):,.0f} to {max(speeds):,.0f})"
        )
    print(f"ratio of the medians: {medians[0] / medians[1]:.1f}")
