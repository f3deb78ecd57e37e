"""Print the fewest timesteps and actions of the published tasks, beside what was published.

    python -m benchmarks.collab_overcooked.optima [--most LEVEL]

There is one row for each process, that is each level and last utensil; the dishes of a process
differ in their ingredients alone. The table is in
`docs/reference/collab-overcooked-rules.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import groupby

from cookmas.api import load_scenario
from cookmas.solving.collab_overcooked.fewest_actions import references_of
from cookmas.solving.collab_overcooked.search import fewest_timesteps
from cookmas.solving.collab_overcooked.useful import goal_of
from cookmas.worlds.collab_overcooked.rules.book import DishEntry, book
from cookmas.worlds.collab_overcooked.scenario import CollabScenario

HEAD = """\
| level | last utensil | tasks | published time | fewest timesteps | fewest actions, bob / alice | sequences, bob / alice |
|---:|---|---:|---:|---:|---|---|"""  # noqa: E501


def rows(most: int = 6) -> Iterator[str]:
    """Yield the row of each process up to a level."""

    def process(item: tuple[str, DishEntry]) -> tuple[int, str]:
        return item[1].level, item[1].steps[-1].utensil

    scenario = load_scenario("collab-overcooked/level_1/01")
    assert isinstance(scenario, CollabScenario)
    for (level, utensil), some in groupby(sorted(book().dishes.items(), key=process), process):
        tasks = list(some)
        dish, entry = tasks[0]
        if level > most:
            return
        goal = goal_of(scenario.kitchen, dish, scenario.tables)
        assert goal is not None
        plan = fewest_timesteps(goal)
        known = references_of(goal)
        assert plan is not None
        assert known is not None
        bob, alice = known.by_cook
        yield (
            f"| {level} | {utensil.replace('_', ' ')} | {len(tasks)} | {entry.published} "
            f"| {len(plan.begun)} | {len(bob[0])} / {len(alice[0])} | {len(bob)} / {len(alice)} |"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Compute the optima of the published tasks.")
    parser.add_argument("--most", type=int, default=6, help="the last level")
    print(HEAD)
    for row in rows(parser.parse_args().most):
        print(row, flush=True)


if __name__ == "__main__":
    main()
