"""Compute the collaboration score: `python -m benchmarks.cuisineworld.collaboration TRACE...`.

A run has the traces of three episodes at each of the five order intervals. Traces with different
levels, numbers of agents or planners belong to different runs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from cookmas.episodes.replay import replay, replay_to_end
from cookmas.episodes.trace import Trace
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import CookMASError, TraceError
from cookmas.worlds.cuisineworld.judging import (
    OrderTally,
    collaboration_score,
    pool,
    tally_of,
)
from cookmas.worlds.cuisineworld.world import CuisineWorld

Run = tuple[str, int, str]
"""Level, number of agents and planner."""


def by_interval(traces: Iterable[Trace]) -> dict[Run, dict[str, OrderTally]]:
    """Return the tallies of each run by order interval, summed over the episodes of the run.

    Raises TraceError if a trace is of another world, has no end or does not replay.
    """
    found: dict[Run, dict[str, list[OrderTally]]] = {}
    for trace in traces:
        header = trace.header
        if header.world != CuisineWorld.name or trace.end is None:
            raise TraceError(f"expected a whole trace of CuisineWorld, not one of {header.world}")
        world = CuisineWorld.of_setup(header.setup)
        if not all(frame.equal for frame in replay(trace, world)):
            raise TraceError(f"the trace of {header.scenario_name} does not replay")
        kitchen = world.kitchen
        run = (kitchen.level, kitchen.agents, header.planner)
        tally = tally_of(replay_to_end(trace, world)[1])
        found.setdefault(run, {}).setdefault(kitchen.tau, []).append(tally)
    return {
        run: {tau: pool(tallies) for tau, tallies in intervals.items()}
        for run, intervals in found.items()
    }


def main(paths: Sequence[str]) -> int:
    """Print the score of each run in the traces, with its parts; return the exit code."""
    if not paths:
        print("usage: python -m benchmarks.cuisineworld.collaboration TRACE...", file=sys.stderr)
        return 2
    try:
        runs = by_interval(read_trace(Path(path)) for path in paths)
    except CookMASError as error:
        print(error, file=sys.stderr)
        return 2
    for (level, agents, planner), tallies in runs.items():
        score = collaboration_score(tallies)
        shown = "unscored: not every order interval is there" if score is None else f"{score:.3f}"
        parts = ", ".join(
            f"tau {tau} {tally.successes}/{tally.successes + tally.failures}"
            for tau, tally in sorted(tallies.items())
        )
        print(f"{level}, {agents} agents, {planner}: CoS {shown} ({parts})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
