"""Questions: the task and the situation of a request, read from its messages alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from cookmas.files.errors import InputError
from cookmas.modelserver.corruption import Cell
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.scripts import Scripts, Served
from cookmas.orchestrator.dialogue.answers import TIMESTEP, rows_of_columns
from cookmas.orchestrator.dialogue.blocks import (
    EFFECT,
    INFER,
    TOLD,
    VERIFY,
    blocks_in,
    call_in,
    collect_looked_up,
)
from cookmas.orchestrator.dialogue.prompt import SCHEDULE
from cookmas.worlds.base.script import Situation

TASKS = ("schedule", "step", "read", "turn", INFER, VERIFY)

TASKS_OF_AGENTS = ("turn", INFER, VERIFY)
"""Tasks of an agent of a team; `verify` can also be one of a central planner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestQuestion:
    """The question of a request, with the script that answers it."""

    served: Served
    """The world's script."""
    task: str
    """One of `TASKS`."""
    agent: str
    """Agent of a team that decides; empty for a central planner."""
    blocks: Mapping[str, Any]
    """All blocks of the request, by name."""
    situation: Situation
    """The situation that the prompt describes."""
    flagged: frozenset[Cell]
    """Places in the schedule that a repair message lists as violations."""
    previous: str | None
    """The model's last answer, which a repair has to change; None if there is none."""
    tool: bool
    """True if the request has the look-up tool."""
    lines: bool = False
    """True if the answer should be lines of text."""

    @property
    def kind(self) -> str:
        """The task to compute: for `step` it is `schedule`, of which the first timestep is used."""
        return "schedule" if self.task == "step" else self.task


def read_question(body: Mapping[str, Any], scripts: Scripts, faults: Faults) -> RequestQuestion:
    """Return the question of a request, whose body is `body`.

    The situation omits the special wishes for which the fault `dropped_customization` is drawn.
    Raise InputError if a block of the prompt is missing or unreadable.
    """
    messages = body["messages"]
    blocks = blocks_in(messages)
    call = call_in(blocks)
    task = call.get("task", "schedule")
    if task not in TASKS:
        raise InputError("prompt", f"block ### CALL: task should be one of {', '.join(TASKS)}")
    served = scripts.of(blocks)
    look_up = served.script.look_up
    looked_up = collect_looked_up(messages, look_up)
    deaf = partial(faults.strikes, "dropped_customization")
    known = served.script.recall(blocks, looked_up) if TOLD in call else blocks
    situation = served.script.situation(known, looked_up, task, deaf)
    if (effect := call.get(EFFECT)) is not None:
        underway = _read_underway(blocks, situation.timestep)
        situation = replace(situation, effect=effect, underway=underway)
    return RequestQuestion(
        served=served,
        task=task,
        agent=_read_agent(call) if task in TASKS_OF_AGENTS else "",
        blocks=blocks,
        situation=situation,
        flagged=_find_flagged_cells(call, situation.timestep),
        previous=_last_answer(messages),
        lines=call.get("form") == "text",
        tool=any(_tool_name(tool) == look_up.tool for tool in body.get("tools") or ()),
    )


def _read_agent(call: Mapping[str, Any]) -> str:
    """Return the agent that decides; empty if a decision of a central planner is verified.

    Raise InputError if the request has no such worker.
    """
    agent: str = call.get("agent", "")
    workers = call.get("workers", ())
    if not agent and call.get("task") == VERIFY:
        return ""
    if agent not in workers:
        raise InputError("prompt", "block ### CALL: agent should be one of its workers")
    return agent


def _read_underway(blocks: Mapping[str, Any], timestep: int) -> list[dict[str, str]]:
    """Return the rest of the active schedule from `timestep` on; empty if the prompt has none."""
    shown = blocks.get(SCHEDULE, ())
    rows = rows_of_columns(shown).rows if isinstance(shown, Mapping) else shown
    at = {row[TIMESTEP]: {k: v for k, v in row.items() if k != TIMESTEP} for row in rows}
    return [at.get(now, {}) for now in range(timestep, max(at, default=timestep - 1) + 1)]


def _find_flagged_cells(call: Mapping[str, Any], timestep: int) -> frozenset[Cell]:
    violations = call.get("violations") or ()
    return frozenset(
        (violation["timestep"] - timestep, violation["worker"])
        for violation in violations
        if "timestep" in violation and "worker" in violation
    )


def _last_answer(messages: Sequence[Mapping[str, Any]]) -> str | None:
    answers = [m.get("content") for m in messages if m.get("role") == "assistant"]
    return answers[-1] if answers and isinstance(answers[-1], str) else None


def _tool_name(tool: Mapping[str, Any]) -> Any:
    return tool.get("function", {}).get("name")
