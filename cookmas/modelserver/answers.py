"""Answers of the scripted model: the right answer to a question, changed by random faults.

The calls around a decision get an inference about the partners, or a verification. A request about
no world gets the smallest answer that its schema or its tool allows.

`Scripted` answers a server's requests, `ScriptedModel` those of the calling process, without a
network.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType
from typing import Any, TypeVar

from cookmas.episodes.conversation import NOTHING, speech
from cookmas.episodes.parts import SCRIPTED
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.modelserver import wire
from cookmas.modelserver.corruption import (
    CorruptText,
    Entry,
    corrupt_reading,
    corrupt_schedule,
    corrupt_text,
)
from cookmas.modelserver.faults import FAULTS, OF_TRANSPORT, Faults
from cookmas.modelserver.scripts import Scripts, compute_answer, script_of
from cookmas.modelserver.wire import RequestQuestion, read_question
from cookmas.orchestrator.dialogue.answers import (
    PAD,
    TIMESTEP,
    ScheduleAnswer,
    columns_of,
    write_out,
)
from cookmas.orchestrator.dialogue.blocks import INFER, VERIFY, text_of, unexpected_error
from cookmas.orchestrator.dialogue.choices import ACTION, ACTIONS, OPTIONS
from cookmas.orchestrator.dialogue.conversation import PROPOSED
from cookmas.orchestrator.dialogue.layouts import NOT_OKAY, OKAY
from cookmas.orchestrator.dialogue.plans import ANALYSIS, PLAN, as_schedule, write_lines
from cookmas.orchestrator.dialogue.prompt import DID
from cookmas.orchestrator.dialogue.reading import Reader, Unusable, read_reply
from cookmas.orchestrator.models.budget import Prices
from cookmas.orchestrator.models.dialect import Dialect, to_wire
from cookmas.orchestrator.models.faults import Response
from cookmas.orchestrator.models.message import (
    CHARACTERS_OF_TOKEN,
    CallMeasurements,
    ModelAnswer,
    Request,
    Usage,
    estimate_tokens,
)
from cookmas.orchestrator.models.outcome import judge
from cookmas.worlds.base.script import Planned, Situation, find_objection

_BLOCK = "### "
_EMPTY: Mapping[str, Any] = MappingProxyType(
    {"object": {}, "array": [], "boolean": False, "integer": 0, "number": 0, "null": None}
)


def answer_by_example(body: Mapping[str, Any], digested: str, otherwise: str) -> dict[str, Any]:
    """Return an answer that calls the first tool, or follows the schema, or is a text.

    A request that has blocks is answered with the text `otherwise`. After the result of a tool none
    is called. An answer to a request without blocks is cut off at the request's limit.
    """
    messages = body["messages"]
    if any(_BLOCK in text_of(message.get("content")) for message in messages):
        return wire.completion(body, digested, CorruptText(otherwise))
    tools = body.get("tools") or []
    if tools and messages[-1].get("role") != "tool":
        function = tools[0].get("function", {})
        arguments = make_example(function.get("parameters"))
        called = arguments if isinstance(arguments, Mapping) else {}
        return wire.tool_calls(body, digested, [(str(function.get("name")), called)])
    schema = wire.value_at(body, wire.SCHEMA)
    text = json.dumps(make_example(schema)) if schema else otherwise
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if isinstance(limit, int) and estimate_tokens(text) > limit > 0:
        cut_off = text[: CHARACTERS_OF_TOKEN * limit]
        return wire.completion(body, digested, CorruptText(cut_off, "length"))
    return wire.completion(body, digested, CorruptText(text))


def make_example(schema: Any) -> Any:
    """Return the smallest value that a schema allows, as far as it is simple; else a text."""
    if not isinstance(schema, Mapping):
        return ""
    if "const" in schema:
        return schema["const"]
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return schema["enum"][0]
    fields = schema.get("properties")
    if isinstance(fields, Mapping):
        return {name: make_example(part) for name, part in fields.items()}
    kind = schema.get("type")
    return _EMPTY.get(kind, "") if isinstance(kind, str) else ""


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
    proposed = blocks.get(PROPOSED)
    if not isinstance(proposed, Sequence) or not proposed or not isinstance(proposed[0], Mapping):
        raise unexpected_error(PROPOSED, "expected the actions of at least one timestep")
    if not all(isinstance(action, str) for action in proposed[0].values()):
        raise unexpected_error(PROPOSED, "expected each action as text")
    return proposed[0]


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


T = TypeVar("T")

REMEMBERED = 20_000
"""Greatest number of right answers that are cached."""


class Scripted:
    """A model that answers each request from that request alone.

    It computes right answers in the executor `pool`, and caches them.
    """

    def __init__(self, scripts: Scripts, faults: Faults, pool: Executor) -> None:
        self._scripts = scripts
        self._faults = faults
        self._pool = pool
        self._plans: dict[str, asyncio.Task[Planned]] = {}

    async def answer(self, body: Mapping[str, Any], digested: str) -> dict[str, Any]:
        """Return the body of the answer to a request, as plain data.

        `body` is the body of the request, `digested` its digest. Raise InfrastructureError if the
        script of the world fails.
        """
        try:
            question = read_question(body, self._scripts, self._faults)
        except InputError as error:
            return answer_by_example(body, digested, f"I cannot answer this: {error}.")
        script, unknown = question.served.script, question.situation.unknown
        if unknown and question.tool:
            tool, key = script.look_up.tool, script.look_up.key
            return wire.tool_calls(body, digested, [(tool, {key: each}) for each in unknown])
        if unknown:
            missing = f"block ### {script.texts} has no {script.look_up.text} for"
            reply = CorruptText(f"I cannot answer this: {missing} {', '.join(unknown)}.")
            return wire.completion(body, digested, reply)
        if question.task in (INFER, VERIFY):
            return await self._answer_around(question, body, digested)
        planned = await self._plan(question)
        if planned.gave_up:
            reply = CorruptText(f"I cannot answer this: {planned.gave_up}.")
            return wire.completion(body, digested, reply)
        answer, reasoning = self._content(question, planned, digested)
        if question.lines:
            text = _write_in_lines(answer, reasoning, question.agent)
        else:
            shaped = _fit_to_schema(answer, reasoning, body, question)
            text = json.dumps(shaped, ensure_ascii=False)
        return wire.completion(body, digested, corrupt_text(text, self._faults, digested))

    async def _answer_around(
        self, question: RequestQuestion, body: Mapping[str, Any], digested: str
    ) -> dict[str, Any]:
        """Return the answer to a call that explains the partners, or verifies a decision."""
        if question.task == INFER:
            said = explain_partners(question.blocks, question.agent, self._faults, digested)
        else:
            try:
                proposed = read_proposed(question.blocks)
            except InputError as error:
                return wire.completion(
                    body, digested, CorruptText(f"I cannot verify this: {error}.")
                )
            objection = await self._compute(
                compute_objection,
                question.served.domain,
                question.situation,
                question.agent,
                proposed,
            )
            said = verify(objection, self._faults, digested)
        text = json.dumps(said, ensure_ascii=False)
        return wire.completion(body, digested, corrupt_text(text, self._faults, digested))

    async def _plan(self, question: RequestQuestion) -> Planned:
        """Return the right answer to a question.

        Equal questions share one computation, even if they come at the same time.
        """
        arguments = (question.served.domain, question.kind, question.situation, question.agent)
        key = f"{arguments[:2]} {question.agent} {question.situation.digest}"
        if key not in self._plans:
            self._plans[key] = asyncio.create_task(self._compute(compute_answer, *arguments))
            if len(self._plans) > REMEMBERED:
                del self._plans[next(iter(self._plans))]
        try:
            return await asyncio.shield(self._plans[key])
        except InfrastructureError:
            self._plans.pop(key, None)
            raise

    async def _compute(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return the value of a function of these arguments, computed in the pool.

        Raise InfrastructureError if the function fails.
        """
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, function, *arguments)
        except Exception as error:
            raise InfrastructureError(f"the planner failed: {error!r}") from error

    def _content(
        self, question: RequestQuestion, planned: Planned, digested: str
    ) -> tuple[dict[str, Any], str]:
        """Return the answer, changed by the drawn faults, and the reasoning of the right answer."""
        script, situation = question.served.script, question.situation
        match question.task:
            case "read":
                lines = corrupt_reading(planned.lines, script, situation, self._faults, digested)
                return {"lines": lines}, planned.reasoning
        turn = question.task == "turn"
        right = [dict(entry) for entry in planned.schedule] or ([] if turn else [{}])
        previous = _schedule_in(question)
        edited = self._schedule(question, right, previous, digested)
        length = 1 if question.task == "step" and previous is None else len(edited)
        said = {"say": planned.say, "requests": self._requests(question, planned, digested)}
        return {**(said if turn else {}), "schedule": edited[:length]}, planned.reasoning

    def _requests(self, question: RequestQuestion, planned: Planned, digested: str) -> list[str]:
        asked = [{f"request {place}": request} for place, request in enumerate(planned.requests)]
        struck = corrupt_schedule(
            asked, question.served.script, question.situation, self._faults, digested
        )
        return [f"request('{action}')" for entry in struck for action in entry.values()]

    def _schedule(
        self,
        question: RequestQuestion,
        right: Sequence[Entry],
        previous: Sequence[Entry] | None,
        digested: str,
    ) -> list[Entry]:
        """Return the schedule of the answer, changed by the drawn faults.

        Without a `previous` schedule it is the `right` one, and faults may change any action. In a
        repair it is the previous schedule, with the right actions at the places that the question
        flags as violations; faults may change only the actions at these places.
        """
        corrupted = partial(
            corrupt_schedule,
            script=question.served.script,
            situation=question.situation,
            faults=self._faults,
            digest=digested,
        )
        if previous is None:
            return corrupted(right)
        edited = [dict(entry) for entry in previous]
        for row, worker in sorted(question.flagged):
            if 0 <= row < len(edited):
                right_action = right[row].get(worker) if row < len(right) else None
                if right_action:
                    edited[row][worker] = right_action
                else:
                    edited[row].pop(worker, None)
        return corrupted(edited, only=question.flagged)


def _write_in_lines(answer: Mapping[str, Any], reasoning: str, agent: str) -> str:
    plan = [*_plans(answer["schedule"], ()), *answer["requests"]]
    fields = {ANALYSIS: reasoning, PLAN: plan, "say": answer["say"] or NOTHING, "lesson": ""}
    return write_lines(agent, fields)


def _fit_to_schema(
    answer: dict[str, Any], reasoning: str, body: Mapping[str, Any], question: RequestQuestion
) -> dict[str, Any]:
    """Return the answer in the form that the request's schema demands.

    `keep_until` is the present timestep, so the answer keeps and moves nothing of the active
    schedule.
    """
    timestep = question.situation.timestep
    requests = answer.pop("requests", [])
    wanted = wire.value_at(body, wire.PROPERTIES)
    planned = wire.workers_of_plan(body)
    if planned is None and requests:
        answer["say"] = speech(answer["say"], requests)
    if wanted is None:
        return {"reasoning": reasoning, **answer}
    beside: dict[str, Any] = {"reasoning": reasoning, "lesson": "", "shift": []}
    beside["keep_until"] = _fill(wanted.get("keep_until"), timestep)
    beside[PAD] = _fill(wanted.get(PAD), f"as at timestep {timestep}")
    if planned is not None:
        plans = _plans(answer["schedule"], planned)
        beside |= {ANALYSIS: reasoning, PLAN: [*plans, *requests] if requests else plans}
        beside["say"] = answer.get("say") or NOTHING
    shaped: dict[str, Any] = {name: beside.get(name, answer.get(name, "")) for name in wanted}
    if {ACTION, ACTIONS} & {*wanted}:
        return {**shaped, **_choose(answer["schedule"], question)}
    if TIMESTEP in wire.fields_of_rows(body):
        shaped["schedule"] = _rows(shaped["schedule"], timestep)
    elif workers := wire.columns(body):
        shaped["schedule"] = columns_of(_rows(shaped["schedule"], timestep), workers)
    return shaped


def _fill(schema: Any, value: object) -> Any:
    """Return a value, or an object of the schema's form that has the value in each place."""
    parts = wire.value_at(schema, ("properties",)) if isinstance(schema, Mapping) else None
    return {name: _fill(part, value) for name, part in parts.items()} if parts else value


def _choose(schedule: Sequence[Entry], question: RequestQuestion) -> dict[str, Any]:
    """Return the first actions of a schedule as a choice: options, as letters if they have them."""
    entry = schedule[0] if schedule else {}
    offered = question.blocks.get(OPTIONS)
    if question.agent:
        return {ACTION: entry.get(question.agent) or _idle(question)}
    options = offered if isinstance(offered, Mapping) else {}
    return {ACTIONS: {name: _letter(action, options.get(name)) for name, action in entry.items()}}


def _idle(question: RequestQuestion) -> str:
    idle: str = question.served.script.rebuild(question.situation)[0].idle
    return idle


def _letter(action: str, offered: Any) -> str:
    """Return the letter of an action among the options offered, or the action itself."""
    options = offered if isinstance(offered, Mapping) else {}
    return next((letter for letter, each in options.items() if each == action), action)


def _plans(schedule: Sequence[Entry], workers: Collection[str]) -> Any:
    """Return a schedule as plans: the actions of each of these workers, without timesteps.

    If `workers` is empty, return the actions of the only agent in the schedule.
    """
    if not workers:
        return [action for entry in schedule for action in entry.values()]
    return {worker: [entry.get(worker, "") for entry in schedule] for worker in workers}


def _rows(schedule: Sequence[Entry], timestep: int) -> list[dict[str, Any]]:
    return [{TIMESTEP: now, **entry} for now, entry in enumerate(schedule, start=timestep)]


@dataclass(frozen=True)
class _Previous(Reader[ScheduleAnswer]):
    """How a previous answer of this model is read, which may be a plan."""

    form = ScheduleAnswer
    core = PLAN

    agent: str
    lines: bool

    @property
    def in_lines(self) -> bool:
        return self.lines

    def read(self, data: Mapping[str, Any], noted: set[str]) -> ScheduleAnswer:
        return super().read(as_schedule(data, (self.agent,), noted), noted)


def _schedule_in(question: RequestQuestion) -> list[Entry] | None:
    """Return the schedule in the previous answer, which the model has to repair.

    The previous answer may have rows or columns. Return None if the question is not a repair, or
    the previous answer has no schedule.
    """
    if not question.flagged:
        return None
    nothing = Usage(prompt=0, completion=0)
    before = ModelAnswer(text=question.previous or "", model="", usage=nothing)
    reply = read_reply(before, _Previous(question.agent, question.lines))
    if isinstance(reply, Unusable):
        return None
    return write_out(reply.value, (), question.situation.timestep)[0]


class ScriptedModel:
    """The scripted model for the given worlds.

    `worlds` are import paths `package.module:Domain` by name. The constructor raises InputError for
    an unknown fault, and for a fault that needs a network.
    """

    name = SCRIPTED

    def __init__(
        self, worlds: Mapping[str, str], faults: Faults, prices: Prices | None = None
    ) -> None:
        for fault in faults.rates:
            if fault not in FAULTS or fault in OF_TRANSPORT:
                possible = ", ".join(name for name in FAULTS if name not in OF_TRANSPORT)
                raise InputError(f"fault {fault!r}", f"expected one of {possible}")
        self._scripted = Scripted(Scripts(worlds), faults, _pool())
        self._prices = prices

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        began = time.perf_counter()
        body = {"model": self.name, **to_wire(request, Dialect())}
        completion = await self._scripted.answer(body, wire.request_digest(body))
        answer = judge(Response(body=completion), request, self.name)
        cost = self._prices.cost(answer.usage) if self._prices else None
        return answer, CallMeasurements(seconds=time.perf_counter() - began, cost=cost)


@cache
def _pool() -> ThreadPoolExecutor:
    """Return the thread pool that computes answers one at a time.

    Scripts run in a thread of their own, because they start event loops.
    """
    return ThreadPoolExecutor(max_workers=1)
