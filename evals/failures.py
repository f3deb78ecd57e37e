"""FAILs: how many there were, why, and whose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evals.evidence import Evidence
from evals.verdict import EPISODE, Check


def failures(evidence: Evidence) -> Iterator[Check]:
    """`fails` of the episode, `fails_by_reason` for each that occurred, `fails_by_worker`."""
    failed = [act for act in evidence.acts if not act.outcome.done]
    yield Check(
        name="fails",
        subject=EPISODE,
        value=len(failed),
        evidence="; ".join(f"{act.timestep}: {act.worker}, {act.outcome.why}" for act in failed),
    )
    reasons = Counter(str(act.outcome.fail) for act in failed)
    for reason in sorted(reasons):
        yield Check(name="fails_by_reason", subject=reason, value=reasons[reason])
    workers = Counter(act.worker for act in failed)
    for worker in evidence.world.workers:
        yield Check(name="fails_by_worker", subject=worker, value=workers[worker])
