"""Completeness: the check that each dish is as ordered, with no food missing, wrong or extra."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.evals.verdict import Check, make_check, make_unscored
from cookmas.worlds.restaurant.evaluators.evidence import NO_TRUTH, KitchenEvidence, LineEvidence


def completeness(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `complete` for every standing line, which is a line that was not cancelled.

    For each food that is not as wanted, also yield `missing`, `wrong` or `extra`.
    """
    for line in evidence.standing:
        yield from _judge(line, evidence)


def _judge(line: LineEvidence, evidence: KitchenEvidence) -> Iterator[Check]:
    if line.dish is None:
        why = evidence.refusals.get(line.name, "not served")
        yield make_check("complete", line.name, False, reason=why)
        return
    if line.wanted is None:
        yield make_unscored("complete", line.name, NO_TRUTH)
        return
    findings = evidence.findings[line.name]
    yield make_check(
        "complete",
        line.name,
        not findings,
        evidence=str(line.dish),
        reason="; ".join(map(str, findings)) or "every food as it should be, and no other",
    )
    for finding in findings:
        yield Check(
            name=finding.kind,
            subject=line.name,
            value=str(finding.wanted or finding.served),
            passed=False,
            evidence=str(finding.served or line.dish),
            reason=str(finding),
        )
