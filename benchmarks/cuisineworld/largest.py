"""Count the episodes for which the largest number of orders is proven.

    python -m benchmarks.cuisineworld.largest

The episodes are those of the papers' levels with seed 0, for all order intervals.
"""

from __future__ import annotations

from cookmas.solving.cuisineworld.bound import can_complete, upper_bound
from cookmas.worlds.cuisineworld.rules.book import ORIGINAL_LEVELS
from cookmas.worlds.cuisineworld.rules.kitchen import EPISODES, MOST_AGENTS, TAUS
from cookmas.worlds.cuisineworld.scenario import build_task


def main() -> None:
    """Print a row for each number of agents, and one for all."""
    print("| agents | episodes | proven |\n|---|---|---|")
    rows = []
    for agents in range(1, MOST_AGENTS + 1):
        tasks = [
            build_task(level, tau, agents, episode=episode)
            for level in ORIGINAL_LEVELS
            for tau in TAUS
            for episode in range(1, EPISODES + 1)
        ]
        rows.append((len(tasks), sum(can_complete(task, upper_bound(task)) for task in tasks)))
        print(f"| {agents} | {rows[-1][0]} | {rows[-1][1]} |")
    episodes, proven = (sum(each) for each in zip(*rows, strict=True))
    print(f"| all | {episodes} | {proven} |")


if __name__ == "__main__":
    main()
