"""Play Hanabi with the agents that ask a model, here the scripted one.

    python -m benchmarks.hanabi.agents [DEALS]

Each agent plays both hands of DEALS deals (3), with the scripted model at several rates of faults.
The command writes the scores, and the calls and tokens of an episode, into
docs/reference/hanabi-results.md, beside published scores. It is a test of the agents and their
commands, and no result of a model.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from statistics import mean

from benchmarks.page import DOCS, fill, table
from benchmarks.scripted_agents import COST, AskedAgent, play, write_rows
from benchmarks.serving import verdict_of
from cookmas.api import Run

PAGE = DOCS / "reference" / "hanabi-results.md"
SCENARIO = "hanabi/two"
RATES = (0.0, 0.1, 0.3)
SEED = 1000
"""Seed of the first deal."""

PRESETS = (
    "default",
    "cac",
    "cac-without-tom",
    "cac-without-verification",
    "cac-without-both",
    "watson",
    "sherlock",
    "mycroft",
)
COLUMNS = f"| agent in both seats | faults | mean score | {COST}"

PUBLISHED = (
    "| published: CAC, GPT-4-turbo | - | 13.33 ± 0.88 | - | - | - |",
    "| published: the same without theory of mind | - | 10.33 ± 0.88 | - | - | - |",
    "| published: the same without both | - | 0.0 ± 0.0 | - | - | - |",
    "| published: CAC, GPT-3.5-turbo | - | 1.33 ± 0.72 | - | - | - |",
    "| published: CAC, Mixtral-8x7b | - | 0.33 ± 0.27 | - | - | - |",
)
"""LLM-Coordination (arXiv 2310.03903v2), Tables 2 and 3."""


def describe(runs: Sequence[Run]) -> str:
    """Return the mean score."""
    return f"{mean(verdict_of(run).score or 0 for run in runs):.2f}"


def main(deals: int = 3) -> None:
    """Play all deals with all agents, and write the table."""
    agents = [AskedAgent(name, name) for name in PRESETS]
    played = play(agents, SCENARIO, range(SEED, SEED + deals), RATES)
    rows = write_rows(played, describe)
    fill(PAGE, "agents", table(COLUMNS, [*rows, *PUBLISHED]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
