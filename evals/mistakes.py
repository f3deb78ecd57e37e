"""Mistakes: what went wrong in an episode, told apart by kind, with when it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evals.evidence import Act, Evidence
from evals.verdict import EPISODE, Check

MISTAKE = "mistake"
"""The name of the checks; the subject is the kind."""

RULES = "rule violation"
GAVE_UP = "gave up"

Occasions = Sequence[str]
"""When a mistake was made, and what: a text for each time, the timestep first."""


def mistakes(evidence: Evidence) -> Iterator[Check]:
    """`mistake` of every kind that was made in any world: FAILs, and giving up."""
    failed = [act for act in evidence.acts if not act.outcome.done]
    yield from told({RULES: list(map(said, failed)), GAVE_UP: gave_up(evidence)})


def told(found: Mapping[str, Occasions]) -> Iterator[Check]:
    """A check for each kind of mistake that was made: how often, and the occasions."""
    for kind, occasions in found.items():
        if occasions:
            yield Check(
                name=MISTAKE,
                subject=kind,
                value=len(occasions),
                passed=False,
                evidence="; ".join(occasions),
            )


def said(act: Act) -> str:
    """A FAIL as an occasion."""
    return f"{act.timestep}: {act.worker}, {act.outcome.why}"


def gave_up(evidence: Evidence) -> Occasions:
    """Whether the episode ended before everything was done."""
    end = evidence.trace.end
    assert end is not None
    if end.termination in ("gave_up", "no_progress", "budget", "planner_failed"):
        return [f"{end.timestep}: {end.termination}, {end.why}"]
    return []


def recovery(evidence: Evidence) -> Iterator[Check]:
    """`recovered` and `recovery_time` of every FAIL.

    A FAIL is recovered from when the same worker next does something that is done and not idle;
    `recovery_time` is the number of timesteps until then, 1 at the least.
    """
    for act, back in _failed(evidence):
        subject = f"{EPISODE} at {act.timestep}, {act.worker}"
        yield Check(
            name="recovered",
            subject=subject,
            value=back is not None,
            passed=back is not None,
            reason=f"{back.action} at {back.timestep}" if back else "nothing more was done",
        )
        if back:
            yield Check(name="recovery_time", subject=subject, value=back.timestep - act.timestep)


def _failed(evidence: Evidence) -> Sequence[tuple[Act, Act | None]]:
    """Return every FAIL, with what the same worker next does that is done and not idle."""
    failed: list[tuple[Act, Act | None]] = []
    next_of: dict[str, Act] = {}
    for act in reversed(evidence.acts):
        if not act.outcome.done:
            failed.append((act, next_of.get(act.worker)))
        elif act.action != evidence.world.idle:
            next_of[act.worker] = act
    return failed[::-1]
