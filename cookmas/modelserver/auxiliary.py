"""Answers to the calls around a decision: an inference about the partners, and a verification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cookmas.files.errors import InputError
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.scripts import script_of
from cookmas.orchestrator.dialogue.blocks import unexpected_error
from cookmas.orchestrator.dialogue.conversation import PROPOSED
from cookmas.orchestrator.dialogue.layouts import NOT_OKAY, OKAY
from cookmas.orchestrator.dialogue.prompt import DID
from cookmas.worlds.base.script import Situation, find_objection

NOTHING_DONE = "Nobody else has done anything that I can see."


def explain_partners(
    blocks: Mapping[str, Any], agent: str, faults: Faults, digest: str
) -> dict[str, str]:
    """Return an explanation of what the others did last, and what they need.

    With the fault `wrong_inference` the explanation is about an action that nobody did.
    """
    did = blocks.get(DID)
    others = (
        [f"{name} did {action}" for name, action in did.items() if name != agent]
        if isinstance(did, Mapping)
        else []
    )
    if faults.strikes("wrong_inference", digest):
        return {
            "explanation": "The others gave up.",
            "needs": f"The others need nothing from {agent}.",
        }
    return {
        "explanation": f"{' and '.join(others)}, which leads on." if others else NOTHING_DONE,
        "needs": f"The others need {agent} to do its part, and a free way.",
    }


def read_proposed(blocks: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the actions of the first timestep in the block PROPOSED.

    Raise InputError if the block is missing or has none.
    """
    found = blocks.get(PROPOSED)
    if not isinstance(found, Sequence) or not found or not isinstance(found[0], Mapping):
        raise unexpected_error(PROPOSED, "expected the actions of at least one timestep")
    if not all(isinstance(action, str) for action in found[0].values()):
        raise unexpected_error(PROPOSED, "expected each action as text")
    return found[0]


def verify(objection: str | None, faults: Faults, digest: str) -> dict[str, str]:
    """Return the answer of a verifier that has this `objection`, or none.

    The fault `overlooked` hides an objection, and `false_alarm` makes one up.
    """
    if objection is not None and faults.strikes("overlooked", digest):
        objection = None
    elif objection is None and faults.strikes("false_alarm", digest):
        objection = "This spoils everything."
    result = OKAY if objection is None else NOT_OKAY
    return {"reasoning": objection or "The decision can be carried out.", "verification": result}


def compute_objection(
    domain: str, situation: Situation, agent: str, proposed: Mapping[str, str]
) -> str | None:
    """Return why the world of a situation would refuse a decision; None if it would not.

    `domain` is the import path of the domain. `agent` is the agent that has decided, empty for a
    central planner.
    """
    try:
        return find_objection(script_of(domain), situation, agent or None, proposed)
    except InputError as error:
        return str(error)
