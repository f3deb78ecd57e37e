"""Play Collab Capture and Collab Escape without a model.

    python -m benchmarks.collab_games.baselines [PLAYS]

Each planner plays the map of the paper with PLAYS seeds, by default 1,000. The command writes the
rates of wins and the mean turns to a win into docs/reference/collab-games-rules.md, beside the
published ones (LLM-Coordination, Table 7).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from statistics import mean
from typing import Any

import cookmas
from benchmarks.page import DOCS, fill, table

PAGE = DOCS / "reference" / "collab-games-rules.md"
COLUMNS = "| player | capture rate | turns | escape rate | turns |"
PLANNERS = ("optimal", "greedy", "random")
GAMES = ("collab-capture", "collab-escape")

PUBLISHED = (
    "| published: CAC, GPT-4-turbo | 1.00 | 3.99 | 1.00 | 24.67 |",
    "| published: CAC, GPT-3.5-turbo | 0.50 | 8.49 | 0.00 | - |",
    "| published: CAC, Mixtral-8x7b | 0.75 | 3.88 | 0.00 | - |",
    "| published: greedy | 0.50 | 6.00 | 0.00 | - |",
)


def play_all(game: str, planner: str, plays: int) -> Iterator[int | None]:
    """Yield the turns until the win of each play; None for a play that is not won.

    Only the killer of Collab Escape and the planners `greedy` and `random` draw: without them all
    plays are equal, and one is played.
    """
    draws = game == "collab-escape" or planner != "optimal"
    for seed in range(plays if draws else 1):
        options: dict[str, Any] = {}
        if game == "collab-escape":
            options["seed"] = seed
        if planner != "optimal":
            options["planner_seed"] = seed
        run = cookmas.play(f"{game}/building", planner, **options)
        yield run.trace.end.timestep if run.success and run.trace.end else None


def describe(turns: list[int | None]) -> str:
    """Return the cells of a table for some plays: the rate of wins, and the mean turns to a win."""
    won = [each for each in turns if each is not None]
    return f"{len(won) / len(turns):.2f} | {mean(won):.2f}" if won else "0.00 | -"


def main(plays: int = 1000) -> None:
    """Play all planners in both games, and write the table."""
    rows = []
    for planner in PLANNERS:
        cells = [describe(list(play_all(game, planner, plays))) for game in GAMES]
        rows.append(f"| {planner}, {plays:,} plays | {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    fill(PAGE, "baselines", table(COLUMNS, [*rows, *PUBLISHED]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
