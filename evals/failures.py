"""FAILs: their number, by reason and by worker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evals.evidence import Evidence
from evals.verdict import EPISODE, Check


def failures(evidence: Evidence) -> Iterator[Check]:
    """Yield `fails` of the episode, `fails_by_reason` (if it occurred), and `fails_by_worker`."""
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
