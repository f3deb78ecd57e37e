"""Write docs/reference/cuisineworld-results.md, with every planner on every level.

    python -m benchmarks.cuisineworld.tables [FILE]

Each planner plays the three episodes of a run with seed 0, on each of the thirteen levels, for each
order interval and for one to four agents. The page also has the upper bounds. The command takes
about three minutes of CPU time.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import NamedTuple

from benchmarks.cuisineworld.published import PublishedCount, load_published
from benchmarks.page import write_details
from cookmas.episodes.play import Play
from cookmas.solving.cuisineworld.bound import upper_bound
from cookmas.solving.cuisineworld.planners import greedy, noop, share_greedily
from cookmas.solving.cuisineworld.search import SearchPolicy
from cookmas.worlds.cuisineworld.judging import (
    OrderTally,
    collaboration_score,
    pool,
    tally_of,
)
from cookmas.worlds.cuisineworld.rules.book import ORIGINAL_LEVELS
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask, legal_commands
from cookmas.worlds.cuisineworld.rules.kitchen import (
    EPISODES,
    MOST_AGENTS,
    STEPS,
    TAUS,
    CuisineKitchen,
    CuisineState,
)
from cookmas.worlds.cuisineworld.scenario import build_task, order_events
from cookmas.worlds.cuisineworld.world import CuisineWorld

Planner = Callable[[CuisineKitchen, CuisineState], list[str]]
"""Function that returns the commands of one timestep for a kitchen and its state."""


def run(task: CuisineTask, planner: Planner, steps: int = STEPS) -> CuisineState:
    """Play an episode with a planner; return its last state.

    The planner sees neither future orders nor the seed. An order that comes at the end of the last
    timestep counts as arrived.
    """
    world = CuisineWorld(task.kitchen)
    play = Play(world, order_events(task.kitchen, task.stream))
    for _ in range(steps):
        lines = planner(task.kitchen, play.state)
        play.step(world.commands(lines))
    state: CuisineState = play.state
    return state


class Random:
    """A policy that draws a legal command for each agent."""

    def __init__(self, seed: int = 0) -> None:
        self._draw = random.Random(seed)

    def __call__(self, kitchen: CuisineKitchen, state: CuisineState) -> list[str]:
        """Return a command for each agent."""
        return [
            self._draw.choice(legal_commands(kitchen, state, agent))
            for agent in range(kitchen.agents)
        ]


PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cuisineworld-results.md"

PLANNERS: Mapping[str, Callable[[], Planner]] = {
    "embedded": SearchPolicy,
    "shared greedy": lambda: share_greedily,
    "greedy": lambda: greedy,
    "random": Random,
    "noop": lambda: noop,
}

ALL = (6, 7, 8)
"""The tables of the paper with GPT-4 on all levels; the others are of level_3."""

HEAD = """\
# CuisineWorld: results

`python -m benchmarks.cuisineworld.tables` plays all episodes and writes this page. The rules are in
[cuisineworld-rules](../explanation/cuisineworld-rules.md).

Each entry pools the three episodes of a run with seed 0. *came* is the number of all orders;
*bound* is an upper bound of the served orders, even with all orders known beforehand. It is a
relaxation; for dishes that are cooked in one step it searches all states
([bound.py](../../cookmas/solving/cuisineworld/bound.py)).

- *embedded*: a search over the dishes to cook next; sees neither seed nor future orders.
- *shared greedy*: the work for the order that expires soonest is assigned first.
- *greedy*: one agent for each order, the order that expires soonest first.
- *random*: legal commands at random. *noop*: nothing at all.

In `level_12` the frenchFries cannot be served, since it has no fryer; its bound leaves them out.
"""

SCORES = """\
## Collaboration scores

The mean over the five order intervals of completed / (completed + failed), as MindAgent prints it:
orders still open at the end count in neither, and orders that fail in the same timestep count as
one failure, as in the original. [Each order interval by itself](cuisineworld-results.csv). *GPT-4*
is of Tables 6 to 8 of MindAgent, which have no row for level_6, and none for one agent. Random and
noop have 0.
"""

PRINTED = """\
## Published results of MindAgent's other models

On level_3. Collaboration scores as printed, with the numbers of the paper's tables; the
[counts](../../benchmarks/cuisineworld/published.yaml) stand beside the command. The tables disagree
in places: for GPT-4 with two agents on level_3, Table 6 has 0.764 where Table 9 has 0.686.
"""


class TableCell(NamedTuple):
    """A level with a number of agents and an order interval."""

    level: str
    agents: int
    tau: str


class PlayedLevel(NamedTuple):
    """The sums over the episodes of a cell: the bound, and the tally of each planner."""

    bound: int
    tallies: Mapping[str, OrderTally]


def play_cell(cell: TableCell) -> PlayedLevel:
    """Play the three episodes of a cell with each planner; return the sums."""
    tasks = [
        build_task(cell.level, cell.tau, cell.agents, episode=episode + 1)
        for episode in range(EPISODES)
    ]
    tallies = {}
    for name, make in PLANNERS.items():
        tallies[name] = pool(tally_of(run(task, make())) for task in tasks)
    return PlayedLevel(sum(upper_bound(task) for task in tasks), tallies)


def page(results: Mapping[TableCell, PlayedLevel]) -> str:
    """Return the text of the whole page."""
    published = load_published()
    return "\n".join([HEAD, _summary(results), _scores(results, published), _print(published)])


def _summary(results: Mapping[TableCell, PlayedLevel]) -> str:
    bound = sum(result.bound for result in results.values())
    total = {name: pool(result.tallies[name] for result in results.values()) for name in PLANNERS}
    rows = []
    best = total["embedded"].successes
    for name, tally in total.items():
        times = f"{best / tally.successes:.2f}" if tally.successes else "-"
        rows.append((name, tally.successes, tally.came, f"{tally.successes / bound:.1%}", times))
    columns = ("planner", "completed", "came", "of the bound", "embedded completes times")
    by_agents = [
        (
            agents,
            sum(r.bound for c, r in results.items() if c.agents == agents),
            *(
                sum(r.tallies[name].successes for c, r in results.items() if c.agents == agents)
                for name in PLANNERS
            ),
        )
        for agents in sorted({cell.agents for cell in results})
    ]
    return "\n".join(
        [
            f"## All levels, order intervals and numbers of agents\n\nThe bound is {bound}.\n",
            *_table(columns, rows),
            "\nCompleted, by the number of agents:\n",
            *_table(("agents", "bound", *PLANNERS), by_agents),
            "",
        ]
    )


def list_counts(results: Mapping[TableCell, PlayedLevel]) -> Iterator[Sequence[object]]:
    """Yield the counts of each cell."""
    for cell, result in results.items():
        counts = [_count(result.tallies[name]) for name in PLANNERS]
        yield (*cell, result.tallies["noop"].came, result.bound, *counts)


def _scores(results: Mapping[TableCell, PlayedLevel], published: Sequence[PublishedCount]) -> str:
    printed = {(row.level, row.agents): f"{row.cos:g}" for row in published if row.table in ALL}
    names = [name for name in PLANNERS if name not in ("random", "noop")]
    rows: list[Sequence[object]] = []
    for level, agents in dict.fromkeys((cell.level, cell.agents) for cell in results):
        mine = {c.tau: r for c, r in results.items() if (c.level, c.agents) == (level, agents)}
        scores = [
            collaboration_score({tau: result.tallies[name] for tau, result in mine.items()})
            for name in names
        ]
        rows.append((level, agents, *map(_score, scores), printed.get((level, agents), "")))
    return "\n".join([SCORES, *_table(("level", "agents", *names, "GPT-4"), rows), ""])


def _print(rows: Iterable[PublishedCount]) -> str:
    made = [
        (row.table, row.model, row.agents, f"{row.cos:g}") for row in rows if row.table not in ALL
    ]
    return "\n".join([PRINTED, *_table(("table", "model", "agents", "CoS"), made), ""])


def _count(tally: OrderTally) -> str:
    return f"{tally.successes}/{tally.successes + tally.failures}"


def _score(score: float | None) -> str:
    return "unscored" if score is None else f"{score:.3f}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def main(arguments: Sequence[str]) -> int:
    """Play all cells and write the page."""
    path = Path(arguments[0]) if arguments else PAGE
    cells = [
        TableCell(level, agents, tau)
        for level, agents, tau in product(ORIGINAL_LEVELS, range(1, MOST_AGENTS + 1), TAUS)
    ]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(cells, pool.map(play_cell, cells), strict=True))
    path.write_text(page(results), encoding="utf-8")
    columns = ("level", "agents", "tau", "came", "bound", *PLANNERS)
    write_details(path, columns, list_counts(results))
    print(f"{path}: {len(cells)} cells")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
