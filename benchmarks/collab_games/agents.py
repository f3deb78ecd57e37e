"""Play Collab Capture and Collab Escape with the agents that ask a model, here the scripted one.

    python -m benchmarks.collab_games.agents [PLAYS]

Each agent plays both players on the map of the paper with PLAYS seeds (20), with the scripted model
at several rates of faults; without chance it plays once. The command writes the rates of wins, the
turns, and the calls and tokens of an episode into docs/reference/collab-games-rules.md. It is a
test of the agents and their commands, and no result of a model.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.collab_games.baselines import GAMES, PAGE, describe
from benchmarks.page import fill, table
from benchmarks.scripted_agents import COST, AskedAgent, play, write_rows
from cookmas.api import Run

RATES = (0.0, 0.1, 0.3)

AGENTS = (
    AskedAgent("llm-co", "llm-co"),
    AskedAgent("cac", "cac"),
    AskedAgent("cac, --no-theory-of-mind", "cac", {"theory_of_mind": False}),
    AskedAgent("cac, --verify 0", "cac", {"verify": 0}),
)
COLUMNS = f"| agent in both seats | faults | wins | turns | {COST}"


def describe_runs(runs: Sequence[Run]) -> str:
    """Return the rate of wins, and the mean turns to a win."""
    return describe(
        [run.trace.end.timestep if run.success and run.trace.end else None for run in runs]
    )


def main(plays: int = 20) -> None:
    """Play both games with all agents, and write a table for each."""
    for game in GAMES:
        seeds = range(plays if game == "collab-escape" else 1)
        rows = write_rows(play(AGENTS, f"{game}/building", seeds, RATES), describe_runs)
        fill(PAGE, f"agents of {game}", table(COLUMNS, rows))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
