"""Our greedy cooks beside those of overcooked-ai, on the same layouts and in the same dynamics.

    python -m benchmarks.overcooked_ai.greedy [--seeds N]

Two of our greedy cooks play the five layouts with the dynamics `current`. Two of overcooked-ai's
`GreedyHumanModel` play the same layouts in overcooked-ai 1.1.0, which has its own environment
(`benchmarks/overcooked.py`). They draw when they are stuck (`auto_unstuck`); ours draw nothing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

import cookmas
from benchmarks.overcooked import ENVIRONMENT, PACKAGES, prepare_python
from benchmarks.overcooked_ai.published import LAYOUTS

SEEDS = 20

THEIRS = """
import json, random, sys
import numpy
from overcooked_ai_py.agents.agent import AgentPair, GreedyHumanModel
from overcooked_ai_py.mdp.overcooked_env import OvercookedEnv
from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld
from overcooked_ai_py.planning.planners import MediumLevelActionManager, NO_COUNTERS_PARAMS
found = {}
for name in sys.argv[2:]:
    mdp = OvercookedGridworld.from_layout_name(name)
    plans = MediumLevelActionManager.from_pickle_or_compute(
        mdp, NO_COUNTERS_PARAMS, force_compute=True)
    env = OvercookedEnv.from_mdp(mdp, horizon=400, info_level=0)
    for seed in range(int(sys.argv[1])):
        random.seed(seed)
        numpy.random.seed(seed)
        agents = AgentPair(*(GreedyHumanModel(plans, auto_unstuck=True) for _ in range(2)))
        agents.set_mdp(mdp)
        env.reset()
        found.setdefault(name, []).append(float(env.run_agents(agents)[2]))
print("scores " + json.dumps(found))
"""


class GreedyScores(NamedTuple):
    """Mean points of two greedy cooks on a layout."""

    layout: str
    ours: float
    theirs: float


def play_theirs(seeds: int) -> dict[str, list[float]]:
    """Return the points of each episode of overcooked-ai's greedy agents, by layout."""
    python = prepare_python(ENVIRONMENT, PACKAGES)
    command = [str(python), "-W", "ignore", "-c", THEIRS, str(seeds), *LAYOUTS]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line for line in ended.stdout.splitlines() if line.startswith("scores ")]
    found: dict[str, list[float]] = json.loads(lines[0].partition(" ")[2])
    return found


def play_ours(layout: str) -> float:
    """Return the points of two of our greedy cooks, which draw nothing."""
    verdict = cookmas.play(f"overcooked/current/{layout}", "greedy").verdict
    assert verdict is not None
    assert verdict.score is not None
    return verdict.score


def compare_greedy(seeds: int = SEEDS) -> list[GreedyScores]:
    """Return the mean points of both on the five layouts."""
    theirs = play_theirs(seeds)
    return [GreedyScores(name, play_ours(name), mean(theirs[name])) for name in LAYOUTS]


def main(arguments: Sequence[str]) -> int:
    """Print the mean points of both."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.overcooked_ai.greedy")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    for row in compare_greedy(parser.parse_args(arguments).seeds):
        print(f"{row.layout}: ours {row.ours:g}, overcooked-ai's {row.theirs:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
