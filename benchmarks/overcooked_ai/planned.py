"""Print the scores of the joint planner beside the published ones, and beside an upper bound.

    python -m benchmarks.overcooked_ai.planned [LAYOUT...]

The planner plays with itself, with the dynamics `papers`. `published` is the best self-play of the
papers on the layout. The bound holds for every team (`benchmarks/overcooked_ai/bounds.py`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence

import cookmas
from benchmarks.overcooked_ai.bounds import bound_points
from benchmarks.serving import verdict_of
from cookmas.worlds.overcooked.rules.layout import load_kitchen

PUBLISHED: Mapping[str, int] = {
    "cramped_room": 220,
    "asymmetric_advantages": 280,
    "coordination_ring": 191,
    "forced_coordination": 200,
    "counter_circuit_o_1order": 160,
    "soup_passing_door": 240,
    "no_counter_door": 180,
}
"""The best published self-play on each layout."""

TIMESTEPS = 400
PLANNER = "joint-search"

HEAD = """\
| layout | published | greedy | joint-search | upper bound | bound / joint-search | CPU seconds |
|---|---:|---:|---:|---:|---:|---:|"""


def rows(layouts: Sequence[str], timesteps: int = TIMESTEPS) -> Iterator[str]:
    """Yield the row of each layout."""
    for layout in layouts:
        greedy = _score(layout, "greedy", timesteps)
        begin = time.process_time()
        score = _score(layout, PLANNER, timesteps)
        spent = time.process_time() - begin
        bound = bound_points(load_kitchen(layout, "papers"), timesteps)
        ratio = f"{bound / score:.2f}" if score else "-"
        yield (
            f"| {layout} | {PUBLISHED[layout]} | {greedy} | {score} | {bound} | {ratio} "
            f"| {spent:.0f} |"
        )


def _score(layout: str, planner: str, timesteps: int) -> int:
    settings = {"dynamics": "papers", "horizon": timesteps}
    score = verdict_of(cookmas.play(f"overcooked/{layout}", planner, settings=settings)).score
    assert score is not None
    return int(score)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Print the scores of the joint planner.")
    parser.add_argument("layouts", nargs="*", help="layouts; all of the papers without any")
    layouts = parser.parse_args(arguments).layouts or [*PUBLISHED]
    print(HEAD)
    for row in rows(layouts):
        print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
