"""Rewards: the sum that a world gave each worker over an episode."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum

from cookmas.episodes.answered import rewards_of
from cookmas.episodes.capabilities import Rewarding
from cookmas.evals.evidence import Evidence
from cookmas.evals.verdict import EPISODE, Check

DIGITS = 6


def rewards(evidence: Evidence) -> Iterator[Check]:
    """Yield `reward` (of all workers together) and `reward_by_worker` if the world has rewards."""
    given = [
        rewards_of(frame.world, frame.before, frame.after, frame.outcomes)
        for frame in evidence.frames
        if isinstance(frame.world, Rewarding)
    ]
    if not given:
        return
    sums = {
        worker: round(fsum(each.get(worker, 0.0) for each in given), DIGITS)
        for worker in evidence.world.workers
    }
    yield Check(name="reward", subject=EPISODE, value=round(fsum(sums.values()), DIGITS))
    for worker, total in sums.items():
        yield Check(name="reward_by_worker", subject=worker, value=total)
