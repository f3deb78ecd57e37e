"""Talk: who began it and who answered, and the collaborations that depend on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from episodes.trace import MessageRecord, PlanRecord
from evals.evidence import Evidence
from evals.verdict import Check


def is_team(evidence: Evidence) -> bool:
    """Whether agents planned for themselves."""
    return any(plan.agent for plan in evidence.trace.of(PlanRecord))


def talk(evidence: Evidence) -> Iterator[Check]:
    """`talk_initiated` and `talk_responded` of each agent of a team: messages, counted.

    A message responds if somebody else has spoken since the agent's turn before, and initiates
    else.
    """
    said = list(evidence.trace.of(MessageRecord))
    if not said or not is_team(evidence):
        return
    agents = list(evidence.world.workers)
    heard: dict[str, bool] = dict.fromkeys(agents, False)
    counts: Counter[tuple[str, str]] = Counter()
    for record in evidence.trace.records:
        if isinstance(record, MessageRecord):
            kind = "talk_responded" if heard.get(record.agent) else "talk_initiated"
            counts[kind, record.agent] += 1
            heard = dict.fromkeys(heard, True)
        if isinstance(record, MessageRecord | PlanRecord) and record.agent in heard:
            heard[record.agent] = False
    for kind in ("talk_initiated", "talk_responded"):
        for agent in agents:
            yield Check(name=kind, subject=agent, value=counts[kind, agent])


class Collaboration(NamedTuple):
    """A task for which one agent needs to be told something by another one.

    `who` are the agents in words; `asked` says whether it was told in time, `answered` whether the
    other one then did it.
    """

    name: str
    who: str
    asked: bool
    answered: bool


def capabilities(needed: Iterable[Collaboration]) -> Iterator[Check]:
    """`initiated` and `responded` of each collaboration that a task needs.

    Their shares are the initiating and responding capability of Collab-Overcooked (Section 3.2).
    """
    for name, who, asked, answered in needed:
        yield Check(name="initiated", subject=name, value=asked, passed=asked, evidence=who)
        done = asked and answered
        yield Check(name="responded", subject=name, value=done, passed=done, evidence=who)
