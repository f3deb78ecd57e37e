"""What a request asks: read from its messages, and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from files.errors import InputError
from modelserver.corruption import Cell
from modelserver.faults import Faults
from modelserver.scripts import Scripts, Served
from orchestrator.dialogue.conversation import blocks_in, looked_up_in
from orchestrator.dialogue.forms import call_in
from worlds.script import Situation

TASKS = ("schedule", "step", "read", "turn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked for, and who answers.

    `flagged` are the places that a repair message complains of, `previous` the answer it is about.
    `agent` is the member of a team whose turn it is, and `tool` says whether texts can be looked
    up.
    """

    served: Served
    task: str
    agent: str
    situation: Situation
    flagged: frozenset[Cell]
    previous: str | None
    tool: bool

    @property
    def kind(self) -> str:
        """What has to be planned for it: one timestep is the first of a schedule."""
        return "schedule" if self.task == "step" else self.task


def read_question(body: Mapping[str, Any], scripts: Scripts, faults: Faults) -> Question:
    """What a request asks. Raises InputError with the block that is missing or cannot be read.

    Special wishes that the model does not hear (`dropped_customization`) are no part of it.
    """
    messages = body["messages"]
    blocks = blocks_in(messages)
    call = call_in(blocks)
    task = call.get("task", "schedule")
    if task not in TASKS:
        raise InputError("prompt", f"block ### CALL: task should be one of {', '.join(TASKS)}")
    served = scripts.of(blocks)
    look_up = served.script.look_up
    deaf = partial(faults.strikes, "dropped_customization")
    situation = served.script.situation(blocks, looked_up_in(messages, look_up), task, deaf)
    return Question(
        served=served,
        task=task,
        agent=_agent(call) if task == "turn" else "",
        situation=situation,
        flagged=_flagged(call, situation.timestep),
        previous=_previous(messages),
        tool=any(_tool_name(tool) == look_up.tool for tool in body.get("tools") or ()),
    )


def _agent(call: Mapping[str, Any]) -> str:
    """Whose turn it is."""
    agent: str = call.get("agent", "")
    workers = call.get("workers", ())
    if agent not in workers:
        raise InputError("prompt", "block ### CALL: agent should be one of its workers")
    return agent


def _flagged(call: Mapping[str, Any], timestep: int) -> frozenset[Cell]:
    violations = call.get("violations") or ()
    return frozenset(
        (violation["timestep"] - timestep, violation["worker"])
        for violation in violations
        if "timestep" in violation and "worker" in violation
    )


def _previous(messages: Sequence[Mapping[str, Any]]) -> str | None:
    said = [m.get("content") for m in messages if m.get("role") == "assistant"]
    return said[-1] if said and isinstance(said[-1], str) else None


def _tool_name(tool: Mapping[str, Any]) -> Any:
    return tool.get("function", {}).get("name")
