"""What agents announced, and whether they did it."""

from __future__ import annotations

import cookmas
from benchmarks.central_or_many import ARMS, WORLDS, Commitments, count_commitments, disclosing
from cookmas.episodes.trace import PlanRecord, StepRecord, Trace
from cookmas.episodes.world import Command

TRACE = cookmas.play("corridor/one").trace


def act(timestep: int, action: str, **fails: str) -> StepRecord:
    (step, *_) = TRACE.of(StepRecord)
    commands = [Command("a", action)]
    return step.model_copy(update={"timestep": timestep, "commands": commands, "fails": fails})


def announce(timestep: int, *actions: str, agent: str | None = "a") -> PlanRecord:
    schedule = [[Command("a", action)] for action in actions]
    return PlanRecord(timestep=timestep, agent=agent, reasoning="", schedule=schedule)


def count(*records: PlanRecord | StepRecord) -> Commitments:
    return count_commitments(Trace((TRACE.header, *records)), "wait")


def test_the_worked_example() -> None:
    records = (announce(0, "chop", "pick", "place"), act(0, "chop"), announce(1, "wait", "pick"))
    assert count(*records) == Commitments(announced=3, kept=1, broken=1)
    assert count(*records, act(1, "wait"), act(2, "pick")) == Commitments(3, 2, 1)


def test_what_fails_is_not_kept() -> None:
    assert count(announce(0, "chop"), act(0, "chop", a="no_knife")) == Commitments(1, 0, 0)


def test_a_schedule_that_names_a_worker_no_more_breaks_all() -> None:
    assert count(announce(0, "chop"), announce(1, agent="a")) == Commitments(1, 0, 1)
    assert count(announce(0, "chop"), announce(1, agent="b")) == Commitments(1, 0, 0)
    assert count(announce(0, "chop"), announce(1, agent=None)) == Commitments(1, 0, 1)


def test_an_arm_decides_what_agents_see_of_each_other() -> None:
    for kitchens in WORLDS:
        for arm in ARMS:
            scenario = disclosing(kitchens.domain, arm.discloses).scenario(
                kitchens.scenarios[0], {}
            )
            assert scenario.world().discloses_decisions is arm.discloses
