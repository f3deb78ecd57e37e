"""Talk: which agents begin to talk, and which respond."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cookmas.episodes.trace import MessageRecord, PlanRecord
from cookmas.evals.evidence import Evidence
from cookmas.evals.verdict import Check


def is_team(evidence: Evidence) -> bool:
    """Return whether a team played the episode: each agent planned for itself."""
    return any(plan.agent for plan in evidence.trace.of(PlanRecord))


def talk(evidence: Evidence) -> Iterator[Check]:
    """Yield the number of messages of each agent in a team, as `talk_initiated`, `talk_responded`.

    A message responds if another agent has spoken since the sender's last turn. Otherwise the
    message initiates.
    """
    messages = list(evidence.trace.of(MessageRecord))
    if not messages or not is_team(evidence):
        return
    agents = list(evidence.world.workers)
    addressed: dict[str, bool] = dict.fromkeys(agents, False)
    counts: Counter[tuple[str, str]] = Counter()
    for record in evidence.trace.records:
        if isinstance(record, MessageRecord):
            kind = "talk_responded" if addressed.get(record.agent) else "talk_initiated"
            counts[kind, record.agent] += 1
            addressed = dict.fromkeys(addressed, True)
        if isinstance(record, MessageRecord | PlanRecord) and record.agent in addressed:
            addressed[record.agent] = False
    for kind in ("talk_initiated", "talk_responded"):
        for agent in agents:
            yield Check(name=kind, subject=agent, value=counts[kind, agent])
