"""Planning: how often the planner was called, by what, and what was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from episodes.trace import PlanRecord, TriggerRecord
from evals.evidence import Evidence
from evals.verdict import EPISODE, Check


def planning(evidence: Evidence) -> Iterator[Check]:
    """`planner_calls`, `calls_by_trigger` for each kind that occurred, and `schedules_refused`.

    A call that answers triggers of several kinds counts once for each of them.
    """
    answers = list(evidence.trace.of(PlanRecord))
    yield Check(
        name="planner_calls",
        subject=EPISODE,
        value=len(answers),
        evidence=f"at timesteps {', '.join(str(answer.timestep) for answer in answers)}",
    )
    kinds: dict[int, set[str]] = {}
    for trigger in evidence.trace.of(TriggerRecord):
        kinds.setdefault(trigger.timestep, set()).add(trigger.trigger)
    calls = Counter(
        kind for answer in answers for kind in kinds.get(answer.timestep, {"no trigger"})
    )
    for kind in sorted(calls):
        yield Check(name="calls_by_trigger", subject=kind, value=calls[kind])
    refused = [answer for answer in answers if answer.refused is not None]
    yield Check(
        name="schedules_refused",
        subject=EPISODE,
        value=len(refused),
        evidence="; ".join(f"{answer.timestep}: {answer.refused}" for answer in refused),
    )
