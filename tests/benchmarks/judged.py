"""Verdicts by hand, of which tables are made."""

from __future__ import annotations

from cookmas.evals.verdict import Check, Verdict


def judged(group: str, *checks: tuple[str, str, float], won: bool = True) -> Verdict:
    """Return a verdict with checks, each with a name, a subject and a value."""
    found = [
        Check(name=name, subject=subject, value=value, passed=bool(value))
        for name, subject, value in checks
    ]
    world, group = group.split("/")
    return Verdict(
        world=world,
        scenario=f"{group}/01",
        scenario_digest="",
        group=group,
        planner="p",
        planner_class="embedded",
        judges="1",
        termination="won" if won else "horizon",
        success=won,
        why="",
        summary={"planner_calls": 3},
        goals=(),
        checks=tuple(found),
    )
