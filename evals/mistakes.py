"""Mistakes in an episode, by kind, each with the timestep at which it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cookmas.episodes.base import NO_ACTION
from cookmas.evals.evidence import Act, Evidence
from cookmas.evals.verdict import EPISODE, Check

MISTAKE = "mistake"
"""Name of the checks of mistakes; the subject of such a check is the kind of mistake."""

RULES = "rule violation"
GAVE_UP = "gave up"

Occasions = Sequence[str]
"""Descriptions of all mistakes of one kind; each begins with the timestep."""


def mistakes(evidence: Evidence) -> Iterator[Check]:
    """Yield the checks `mistake` of the kinds that every world has: FAILs, and an early end."""
    failed = [occasion_of(act) for act in evidence.acts if is_mistake(act)]
    yield from list_mistakes({RULES: failed, GAVE_UP: gave_up(evidence)})


def is_mistake(act: Act) -> bool:
    """Return whether an action FAILed by a fault of the planner.

    It is no fault of the planner that a worker gives no action, because it or its device failed.
    """
    return not act.outcome.done and act.outcome.fail != NO_ACTION


def list_mistakes(found: Mapping[str, Occasions]) -> Iterator[Check]:
    """Yield a check for each kind of mistake that occurred: the number and the descriptions."""
    for kind, occasions in found.items():
        if occasions:
            yield Check(
                name=MISTAKE,
                subject=kind,
                value=len(occasions),
                passed=False,
                evidence="; ".join(occasions),
            )


def occasion_of(act: Act) -> str:
    """Return when and why the action of an act FAILed, as an entry of `Occasions`."""
    return f"{act.timestep}: {act.worker}, {act.outcome.why}"


def gave_up(evidence: Evidence) -> Occasions:
    """Return one description if the planner or a limit ended the episode early, else none."""
    end = evidence.end
    if end.termination in ("gave_up", "no_progress", "budget", "planner_failed"):
        return [f"{end.timestep}: {end.termination}, {end.why}"]
    return []


def recovery(evidence: Evidence) -> Iterator[Check]:
    """Yield a check `recovered` for every FAIL, and `recovery_time` if its worker recovered.

    A worker recovers from a FAIL with its next action that is neither a FAIL nor idling. The
    recovery time is the number of timesteps until then, at least 1.
    """
    for act, back in _pair_with_recovery(evidence):
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


def _pair_with_recovery(evidence: Evidence) -> Sequence[tuple[Act, Act | None]]:
    """Return every FAIL with the same worker's next action that is neither a FAIL nor idling."""
    failed: list[tuple[Act, Act | None]] = []
    next_of: dict[str, Act] = {}
    for act in reversed(evidence.acts):
        if not act.outcome.done:
            failed.append((act, next_of.get(act.worker)))
        elif not evidence.world.is_idle(act.action):
            next_of[act.worker] = act
    return failed[::-1]
