"""The last entry of a page: the verdict, and when each thing in it was decided."""

from __future__ import annotations

from typing import Any

from cookmas.display.page.feed import Entry
from episodes.trace import Trace
from evals.verdict import Check, Verdict


def verdict_entry(trace: Trace, verdict: Verdict) -> Entry:
    """A verdict with the timestep `at` which each goal and check was decided, where there is one.

    What was asked for is decided when it is reached, and at the end where it never is.
    """
    end = trace.end.timestep if trace.end else None
    decided = {goal.name: end if goal.when is None else goal.when for goal in verdict.goals}
    return {
        "kind": "verdict",
        "title": str(trace.header.scenario.get("title", "")),
        "group": verdict.group,
        "success": verdict.success,
        "score": verdict.score,
        "outcome": verdict.outcome,
        "why": verdict.why,
        "summary": verdict.summary,
        "goals": [{**goal.model_dump(), "at": decided[goal.name]} for goal in verdict.goals],
        "checks": [_check(check, decided) for check in verdict.checks],
        "measured": verdict.measured.model_dump() if verdict.measured else None,
    }


def unjudged_entry(trace: Trace, why: str) -> Entry:
    """What stands in the place of a verdict where there is nothing to judge by."""
    title = str(trace.header.scenario.get("title", ""))
    return {"kind": "verdict", "title": title, "success": None, "why": why}


def _check(check: Check, decided: dict[str, int | None]) -> dict[str, Any]:
    return {
        **check.model_dump(exclude_defaults=True),
        "at": decided.get(check.subject.partition(":")[0]),
    }
