"""The scripted model's answers to calls around a decision, and their faults at rates."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from cookmas.files.errors import InfrastructureError
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.dialogue.blocks import block
from cookmas.orchestrator.models.message import Message, Request
from cookmas.world_names import WORLDS
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld

WORLD = CorridorWorld(CorridorLevel())
DRAWS = 60


def asked(task: str, number: int = 0, agent: str | None = "walker_1", **blocks: Any) -> Request:
    state, _ = WORLD.apply(WORLD.start(), {"kind": "bell", "name": "red"})
    call = {"timestep": 1, "task": task, "workers": list(WORLD.workers), "number": number}
    if agent:
        call["agent"] = agent
    data = {"CORRIDOR": WORLD.setup(), "STATE": state, "TEXTS": {"red": "At 3."}, **blocks}
    shown = [block(name, each) for name, each in {**data, "CALL": call}.items()]
    return Request(messages=(Message(role="user", content="\n\n".join(shown)),))


def said(request: Request, **rates: float) -> str:
    model = ScriptedModel(WORLDS, Faults(rates=rates, seed=1))
    return asyncio.run(model.answer(request))[0].text


def test_the_partners_are_explained_by_what_they_did() -> None:
    did = {"walker_1": "left", "walker_2": "right"}
    told = json.loads(said(asked("infer", DID=did)))
    assert told["explanation"] == "walker_2 did right, which leads on."
    assert "walker_1" in told["needs"]
    assert "Nobody" in json.loads(said(asked("infer")))["explanation"]
    assert "left" not in json.loads(said(asked("infer", DID=did), wrong_inference=1))["explanation"]


@pytest.mark.parametrize("agent", ["walker_1", None])
@pytest.mark.parametrize(
    ("action", "result", "why"),
    [
        ("right", "okay", "can be carried out"),
        ("left", "not okay", "walker_1 stands at the wall."),
        ("fly", "not okay", "'fly' is no action"),
    ],
)
def test_a_decision_is_verified_in_the_world(
    agent: str | None, action: str, result: str, why: str
) -> None:
    proposed = [{"walker_1": action}, {"walker_1": "later"}]
    told = json.loads(said(asked("verify", agent=agent, PROPOSED=proposed)))
    assert told["verification"] == result
    assert why in told["reasoning"]


@pytest.mark.parametrize(("fault", "action"), [("false_alarm", "right"), ("overlooked", "left")])
def test_a_verifier_errs_at_the_rate_of_its_fault(fault: str, action: str) -> None:
    proposed = [{"walker_1": action}]
    right = json.loads(said(asked("verify", PROPOSED=proposed)))["verification"]
    model = ScriptedModel(WORLDS, Faults(rates={fault: 0.3}, seed=1))

    async def results() -> Counter[str]:
        requests = [asked("verify", number, PROPOSED=proposed) for number in range(DRAWS)]
        answers = [(await model.answer(request))[0].text for request in requests]
        return Counter(json.loads(text)["verification"] for text in answers)

    found = asyncio.run(results())
    assert 0.1 < 1 - found[right] / DRAWS < 0.5


@pytest.mark.parametrize("proposed", [None, [], ["left"], [{"walker_1": 3}], {"walker_1": "left"}])
def test_a_request_without_a_decision_is_answered_by_naming_the_block(proposed: Any) -> None:
    blocks = {} if proposed is None else {"PROPOSED": proposed}
    told = said(asked("verify", **blocks))
    assert told.startswith("I cannot verify this: prompt: block ### PROPOSED is not as expected")


def test_an_inference_for_nobody_is_refused() -> None:
    assert "agent should be one of its workers" in said(asked("infer", agent=None))
    assert "agent should be one of its workers" in said(asked("verify", agent="eve"))


def test_a_verification_that_fails_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("bug")

    monkeypatch.setattr("cookmas.modelserver.answers.compute_objection", fail)
    with pytest.raises(
        InfrastructureError, match=r"the planner failed: ZeroDivisionError\('bug'\)"
    ):
        said(asked("verify", PROPOSED=[{"walker_1": "right"}]))
