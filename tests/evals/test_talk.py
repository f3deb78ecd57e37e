"""Talk: which messages begin something and which answer, by hand."""

from __future__ import annotations

from typing import Any

from cookmas.episodes.trace import AnyRecord, MessageRecord, PlanRecord, Trace
from cookmas.evals.evidence import Evidence
from cookmas.evals.planning import talk
from tests.evals.test_judging import ended
from tests.worlds.rolls import RollsWorld


def said(agent: str, timestep: int = 0) -> MessageRecord:
    return MessageRecord(timestep=timestep, agent=agent, text="hm")


def decided(agent: str | None, timestep: int = 0) -> PlanRecord:
    return PlanRecord(timestep=timestep, agent=agent, reasoning="", schedule=[])


def counted(*records: AnyRecord) -> dict[str, dict[str, Any]]:
    first, *rest = ended("over", (1, 2)).records
    world = RollsWorld()
    evidence = Evidence(
        trace=Trace((first, *records, *rest)), truth={}, world=world, frames=(), final=world.start()
    )
    found: dict[str, dict[str, Any]] = {}
    for check in talk(evidence):
        found.setdefault(check.name, {})[check.subject] = check.value
    return found


def test_who_hears_somebody_and_speaks_answers() -> None:
    found = counted(said("ann"), said("ben"), decided("ben"), said("ann"), decided("ann"))
    assert found == {
        "talk_initiated": {"ann": 1, "ben": 0},
        "talk_responded": {"ann": 1, "ben": 1},
    }


def test_who_was_silent_when_it_was_asked_begins_anew_later() -> None:
    found = counted(said("ann"), decided("ann"), decided("ben"), said("ben", 9), decided("ben", 9))
    assert found["talk_initiated"] == {"ann": 1, "ben": 1}
    assert found["talk_responded"] == {"ann": 0, "ben": 0}


def test_who_goes_on_talking_answers_nobody() -> None:
    found = counted(said("ann"), said("ann"), decided("ann"))
    assert found["talk_initiated"] == {"ann": 2, "ben": 0}


def test_there_is_no_talk_without_a_team_or_without_words() -> None:
    assert counted(decided(None)) == {}
    assert counted(decided("ann")) == {}
