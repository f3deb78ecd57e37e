"""The last entry of a page: the verdict, and when each thing in it was decided."""

from __future__ import annotations

from typing import Any

from cookmas.page.feed import Entry
from episodes.trace import Trace
from evals.verdict import Check, JudgedLine, Verdict


def verdict_entry(trace: Trace, verdict: Verdict) -> Entry:
    """A verdict with the timestep `at` which each line and check was decided, where there is one.

    What was asked for is decided when it is served, and at the end where it never is.
    """
    end = trace.end.timestep if trace.end else None
    served = {line.name: _decided(line, end) for line in verdict.lines}
    return {
        "kind": "verdict",
        "title": str(trace.header.scenario.get("title", "")),
        "level": verdict.level,
        "success": verdict.success,
        "why": verdict.why,
        "summary": verdict.summary,
        "lines": [_line(line, served[line.name]) for line in verdict.lines],
        "checks": [_check(check, served) for check in verdict.checks],
        "measured": verdict.measured.model_dump() if verdict.measured else None,
    }


def unjudged_entry(trace: Trace, why: str) -> Entry:
    """What stands in the place of a verdict where there is nothing to judge by."""
    title = str(trace.header.scenario.get("title", ""))
    return {"kind": "verdict", "title": title, "success": None, "why": why}


def _decided(line: JudgedLine, end: int | None) -> int | None:
    return end if line.served_at is None else line.served_at


def _line(line: JudgedLine, at: int | None) -> dict[str, Any]:
    return {**line.model_dump(exclude={"served_at"}), "served": line.served_at, "at": at}


def _check(check: Check, served: dict[str, int | None]) -> dict[str, Any]:
    return {
        **check.model_dump(exclude_defaults=True),
        "at": served.get(check.subject.partition(":")[0]),
    }
