"""Requests as the server reads them, and answers as it writes them.

A request has the chat-completions format. Its task and its situation are read from its messages
alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from cookmas.episodes.parts import SCRIPTED
from cookmas.episodes.world import digest
from cookmas.files.errors import InputError
from cookmas.files.lines import has_lone_surrogate
from cookmas.modelserver.corruption import Cell, CorruptText
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
from cookmas.orchestrator.models.message import estimate_tokens
from cookmas.worlds.base.script import Situation

NOT_ASKED = ("stream", "stream_options", "user")
"""Fields of a request that do not change its answer."""

SCHEMA = ("response_format", "json_schema", "schema")
"""Path in a request to the schema of the answer."""

PROPERTIES = (*SCHEMA, "properties")
"""Path in a request to the schemas of the fields that the answer should have."""

ROWS = (*PROPERTIES, "schedule", "items")
"""Path in a request to the schema of a row, if the schedule should have rows."""

PLANS = (*PROPERTIES, "plan")
"""Path in a request to the schema of the plan, if the answer should have a plan."""

COLUMNS = (*PROPERTIES, "schedule", "properties")
"""Path in a request to the schemas of the columns, if the schedule should have columns."""

_Path = tuple[str, ...]
_OPTIONS = ("stream_options",)
_OBJECTS: tuple[_Path, ...] = (
    _OPTIONS,
    *(ROWS[:length] for length in range(1, len(ROWS) + 1)),
)
_SWITCHES: tuple[_Path, ...] = (("stream",), (*_OPTIONS, "include_usage"))


def request_digest(body: Mapping[str, Any]) -> str:
    """Return the digest of a request, without the fields that do not change its answer."""
    return digest({name: value for name, value in body.items() if name not in NOT_ASKED})


def problem_with(body: Any) -> str | None:
    """Return why a request cannot be answered; None if it can."""
    if not isinstance(body, Mapping):
        return "the request should be a JSON object"
    if has_lone_surrogate(body):
        return "the request should have no lone surrogates"
    if not isinstance(body.get("model"), str):
        return "model should be a string"
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return "messages should be a list with at least one message"
    if not all(isinstance(message, Mapping) for message in messages):
        return "each message should be a JSON object"
    if not all(_is_content(message.get("content")) for message in messages):
        return "the content of a message should be text, or a list of parts with text"
    tools = body.get("tools") or []
    if not _are_objects(tools) or not _are_objects([t.get("function", {}) for t in tools]):
        return "tools should be a list of JSON objects, and the function of each a JSON object"
    for path in _OBJECTS:
        if not isinstance(value_at(body, path), Mapping | None):
            return f"{'.'.join(path)} should be a JSON object"
    for path in _SWITCHES:
        if not isinstance(value_at(body, path), bool | None):
            return f"{'.'.join(path)} should be true or false"
    return None


def value_at(body: Any, path: Sequence[str]) -> Any:
    """Return the value at a path of fields in a request; None if it is missing."""
    for name in path:
        body = None if body is None else body.get(name)
    return body


def columns(body: Mapping[str, Any]) -> Collection[str]:
    """Return the workers for whom the schema demands a column; empty if it demands no columns."""
    workers = value_at(body, COLUMNS)
    return workers if isinstance(workers, Mapping) else ()


def workers_of_plan(body: Mapping[str, Any]) -> Collection[str] | None:
    """Return the workers for whom a request wants a plan; None if it wants no plans.

    `body` is the body of the request, whose schema says it. The result is empty if it wants the
    plan of the agent that answers, which has no name in the schema.
    """
    plan = value_at(body, PLANS)
    if not isinstance(plan, Mapping):
        return None
    workers = plan.get("properties")
    return workers if isinstance(workers, Mapping) else ()


def fields_of_rows(body: Mapping[str, Any]) -> Collection[str]:
    """Return the fields that the schema demands in a row; empty if it demands no rows."""
    rows = value_at(body, ROWS) or {}
    alternatives = rows.get("anyOf")
    kinds = alternatives if isinstance(alternatives, list) and alternatives else [rows]
    fields = kinds[0].get("properties") if isinstance(kinds[0], Mapping) else None
    return fields if isinstance(fields, Mapping) else ()


def _is_content(content: Any) -> bool:
    if isinstance(content, str | None):
        return True
    return _are_objects(content) and all(isinstance(p.get("text", ""), str) for p in content)


def _are_objects(data: Any) -> bool:
    return isinstance(data, list) and all(isinstance(entry, Mapping) for entry in data)


def error(message: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    """Return the JSON body of an error response."""
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


def completion(body: Mapping[str, Any], digested: str, reply: CorruptText) -> dict[str, Any]:
    """Return the JSON body of an answer with a text or a refusal; token counts are estimates."""
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    if reply.refusal:
        message["content"] = None
    return _completion(
        body, digested, message, reply.finish_reason, reply.text or reply.refusal or ""
    )


def tool_calls(
    body: Mapping[str, Any], digested: str, called: Sequence[tuple[str, Mapping[str, Any]]]
) -> dict[str, Any]:
    """Return the JSON body of an answer that calls tools; each has a name and its arguments.

    `digested` is the digest of the request, from which the ids of answer and calls are made.
    """
    calls = [
        {
            "id": f"call_{digested}_{place}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for place, (name, arguments) in enumerate(called)
    ]
    message = {"role": "assistant", "content": None, "refusal": None, "tool_calls": calls}
    return _completion(body, digested, message, "tool_calls", json.dumps(calls))


def _completion(
    body: Mapping[str, Any],
    digested: str,
    message: Mapping[str, Any],
    finish_reason: str,
    written: str,
) -> dict[str, Any]:
    asked = json.dumps([body["messages"], body.get("tools")], ensure_ascii=False)
    prompt, answer = estimate_tokens(asked), estimate_tokens(written)
    return {
        "id": f"chatcmpl-{digested}",
        "object": "chat.completion",
        "created": 0,
        "model": SCRIPTED,
        "choices": [
            {"index": 0, "message": message, "finish_reason": finish_reason, "logprobs": None}
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": answer,
            "total_tokens": prompt + answer,
        },
    }


def chunks(answer: Mapping[str, Any], with_usage: bool, size: int = 400) -> Iterator[bytes]:
    """Yield an answer as server-sent events, each with at most `size` characters of its text.

    If `with_usage`, the last event before the end has the number of tokens.
    """
    for choice in answer["choices"]:
        for delta in _deltas(choice["message"], size):
            yield _event(answer, [{"index": 0, "delta": delta, "finish_reason": None}])
        ended = {name: value for name, value in choice.items() if name not in ("message", "index")}
        yield _event(answer, [{"index": 0, "delta": {}, **ended}])
    if with_usage:
        yield _event(answer, [], answer["usage"])
    yield b"data: [DONE]\n\n"


def _deltas(message: Mapping[str, Any], size: int) -> Iterator[dict[str, Any]]:
    """Yield the pieces of a message: its role, its text, other fields, and its tool calls."""
    text = message["content"] or ""
    yield {"role": "assistant", "content": ""}
    yield from ({"content": text[at : at + size]} for at in range(0, len(text), size))
    for name, value in message.items():
        if value and name not in ("role", "content", "tool_calls"):
            yield {name: value}
    if calls := message.get("tool_calls"):
        yield {"tool_calls": [{"index": number, **call} for number, call in enumerate(calls)]}


def _event(answer: Mapping[str, Any], choices: list[Any], usage: Any = None) -> bytes:
    same = {name: answer[name] for name in ("id", "created", "model")}
    data = {**same, "object": "chat.completion.chunk", "choices": choices}
    if usage:
        data["usage"] = usage
    return b"data: " + json.dumps(data).encode() + b"\n\n"


TASKS = ("schedule", "step", "read", "turn", INFER, VERIFY)

TASKS_OF_AGENTS = ("turn", INFER, VERIFY)
"""Tasks of an agent of a team; `verify` can also be one of a central planner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestQuestion:
    """The question of a request, with the script that answers it."""

    served: Served
    task: str
    """One of `TASKS`."""
    agent: str
    """Agent of a team that decides; empty for a central planner."""
    blocks: Mapping[str, Any]
    """All blocks of the request, by name."""
    situation: Situation
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
    visible = served.script.recall(blocks, looked_up) if TOLD in call else blocks
    situation = served.script.situation(visible, looked_up, task, deaf)
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
