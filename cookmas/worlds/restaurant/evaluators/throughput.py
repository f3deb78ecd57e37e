"""Throughput: how much an open kitchen serves in a given time, and how long each line takes."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from cookmas.evals.verdict import EPISODE, Check, make_unscored
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence


def throughput(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `throughput` (lines served in a hundred timesteps), `time_per_line` and `longest_line`.

    The time of a line is the number of timesteps from its order to its serving, both included. Only
    open episodes are scored; the makespan measures the others.
    """
    if evidence.trace.header.horizon is not None:
        return
    times = [
        line.served_at - line.ordered + 1
        for line in evidence.standing
        if line.served_at is not None
    ]
    names = ("throughput", "time_per_line", "longest_line")
    if not times:
        yield from (make_unscored(name, EPISODE, "nothing was served") for name in names)
        return
    timesteps = len(evidence.frames)
    values = (100 * len(times) / timesteps, fmean(times), max(times))
    for name, value in zip(names, values, strict=True):
        yield Check(
            name=name,
            subject=EPISODE,
            value=round(value, 2),
            reason=f"{len(times)} lines were served in {timesteps} timesteps",
        )
