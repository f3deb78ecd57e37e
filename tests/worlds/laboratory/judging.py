"""The judge: each job that was not cancelled is reported in time, as its protocol says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, Judging
from cookmas.evals.verdict import Check, Goal, make_check

TRUTH = {
    "elisa": [("pipette", 2, 2), ("incubate", 10, 15), ("read", 1, 1)],
    "pcr prep": [("pipette", 3, 3), ("centrifuge", 4, 4), ("incubate", 5, 8), ("read", 2, 2)],
    "quick smear": [("centrifuge", 3, 5), ("read", 2, 2)],
}
"""The steps of each protocol, with the least and the most minutes."""


def handled(evidence: Evidence) -> Iterator[Check]:
    for name, job in evidence.final["jobs"].items():
        if job["status"] == "cancelled":
            continue
        steps, did = evidence.truth[job["protocol"]], job["done"]
        right = len(did) == len(steps) and all(
            does == kind and least <= minutes <= most
            for (does, minutes), (kind, least, most) in zip(did, steps, strict=True)
        )
        yield make_check("protocol", name, right, evidence=f"{did}", reason=f"asked for {steps}")
        timely = job["status"] == "reported" and job["closed"] <= job["due"]
        why = f"{job['status']} at {job['closed']}, due at {job['due']}"
        yield make_check("in_time", name, timely, reason=why)


class LabJudging(Judging):
    evaluators: Mapping[str, Evaluator] = {**COMMON, "handled": handled}

    def goals(self, evidence: Evidence) -> Sequence[Goal]:
        jobs = evidence.final["jobs"].items()
        return [
            Goal(name=n, what=j["protocol"], status=j["status"], when=j["closed"]) for n, j in jobs
        ]

    def success(self, evidence: Evidence, checks: Sequence[Check]) -> tuple[bool | None, str]:
        ended, why = super().success(evidence, checks)
        wrong = [
            f"{c.subject}: {c.reason}"
            for c in checks
            if c.name in ("protocol", "in_time") and c.passed is False
        ]
        return (False, "; ".join(wrong)) if ended and wrong else (ended, why)


JUDGING = LabJudging()
