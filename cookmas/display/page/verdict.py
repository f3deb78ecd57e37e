"""The last entry of a page: the verdict, and when each of its goals and checks was decided."""

from __future__ import annotations

from typing import Any

from cookmas.display.page.feed import Entry
from cookmas.evals.verdict import Check, Judged


def verdict_entry(run: Judged) -> Entry:
    """Return the verdict of a run as an entry.

    In the entry, `at` is the timestep at which a goal or a check was decided. A goal is decided
    when it is reached, or else at the end of the episode. If the run has no verdict, the entry says
    why.
    """
    trace, verdict = run.trace, run.verdict and run.verdict.without_repeats()
    title = str(trace.header.scenario.get("title", ""))
    if verdict is None:
        return {"kind": "verdict", "title": title, "success": None, "why": run.unjudged}
    end = trace.end.timestep if trace.end else None
    decided = {goal.name: end if goal.when is None else goal.when for goal in verdict.goals}
    return {
        "kind": "verdict",
        "title": title,
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


def _check(check: Check, decided: dict[str, int | None]) -> dict[str, Any]:
    return {
        **check.model_dump(exclude_defaults=True),
        "at": decided.get(check.subject.partition(":")[0]),
    }
