"""Verifier dependence: the actions that a refusal preceded, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.api import load_scenario
from cookmas.episodes.conversation import Usage
from cookmas.episodes.parts import OutcomeRecord
from cookmas.episodes.trace import AnyRecord, ModelCall, StepRecord, Trace
from cookmas.episodes.world import Command
from cookmas.evals.evidence import Evidence
from cookmas.evals.planning import verifier_dependence
from tests.evals.test_judging import ended
from tests.worlds.rolls import RollsWorld


def call(agent: str | None, number: int, purpose: Any, unusable: Any = None) -> ModelCall:
    return ModelCall(
        timestep=0,
        number=number,
        purpose=purpose,
        agent=agent,
        unusable=unusable,
        request="",
        model="m",
        messages=(),
        text="",
        finish_reason="stop",
        usage=Usage(prompt=1, completion=1),
    )


def step(fails: tuple[str, ...] = (), **actions: str) -> StepRecord:
    commands = [Command(worker, action) for worker, action in actions.items()]
    why = OutcomeRecord(fail="no", why="no")
    return StepRecord(timestep=0, commands=commands, fails=dict.fromkeys(fails, why), digest="")


def share(*records: AnyRecord) -> Any:
    first, *rest = ended("over", (1, 2)).records
    rest = [record for record in rest if not isinstance(record, StepRecord)]
    world = RollsWorld()
    trace = Trace((first, *records, *rest))
    evidence = Evidence(trace=trace, truth={}, world=world, frames=(), final=world.start())
    return [check.value for check in verifier_dependence(evidence)]


def test_actions_after_a_refusal_depend_on_the_verifier() -> None:
    assert share(
        call("ann", 1, "turn"),
        call("ann", 2, "repair"),
        call("ben", 1, "turn"),
        step(ann="take", ben="take"),
        step(ann="take", ben="pass"),
        call("ann", 1, "turn"),
        step(ann="take", ben="take"),
    ) == [pytest.approx(2 / 5)]


def test_an_unusable_answer_is_no_refusal_and_a_queued_action_can_be_refused() -> None:
    broken = (call("ann", 1, "turn", "unreadable"), call("ann", 2, "repair"))
    assert share(*broken, step(ann="take")) == [0.0]
    assert share(call("ann", 1, "repair"), step(ann="take")) == [1.0]


def test_a_refusal_of_a_verifying_model_counts_and_its_own_mistakes_do_not() -> None:
    before = (call("ann", 1, "infer", "unreadable"), call("ann", 2, "infer"))
    asked = (*before, call("ann", 3, "turn"), call("ann", 4, "verify", "unreadable"))
    assert share(*asked, call("ann", 5, "verify"), step(ann="take")) == [0.0]
    refused = (*asked, call("ann", 5, "verify"), call("ann", 6, "repair"))
    assert share(*refused, step(ann="take")) == [1.0]


def test_a_planner_of_all_answers_for_all_and_fails_do_not_count() -> None:
    refused = (call(None, 1, "plan"), call(None, 2, "repair"))
    assert share(*refused, step(ann="take", ben="take", fails=("ben",))) == [1.0]
    assert share(step(ann="take")) == []


def test_a_wait_is_no_action_however_long_it_is() -> None:
    refused = (call("bob", 1, "turn"), call("bob", 2, "repair"))
    steps = (step(bob="wait(3)"), step(bob="wait(1)"), step(bob="deliver()", alice="wait(5)"))
    world = load_scenario("collab-overcooked/level_1/01").world()
    first, *rest = ended("over", (1, 2)).records
    trace = Trace((first, *refused, *steps, rest[-1]))
    evidence = Evidence(trace=trace, truth={}, world=world, frames=(), final=world.start())
    (check,) = verifier_dependence(evidence)
    assert check.evidence == "1 of 1 actions"
