"""The answers: what is asked, the right answer to it, and what is wrong with that."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any

from episodes.errors import InfrastructureError, InputError
from modelserver import wire
from modelserver.corruption import Entry, Said, corrupt_reading, corrupt_schedule, corrupt_text
from modelserver.faults import Faults
from modelserver.planning import Planned, plan, read
from modelserver.questions import Question, read_question
from orchestrator.dialogue.answers import THINK, ScheduleAnswer
from orchestrator.dialogue.replies import Read, read_answer
from orchestrator.models.message import Answer, Usage

REMEMBERED = 20_000
"""How many plans are kept."""


class Scripted:
    """Answers requests, each from nothing but itself; plans are made in `pool`, and kept."""

    def __init__(self, faults: Faults, pool: Executor) -> None:
        self._faults = faults
        self._pool = pool
        self._plans: dict[str, asyncio.Task[Planned]] = {}

    async def answer(self, body: Mapping[str, Any], digested: str) -> dict[str, Any]:
        """The body of the answer to a request whose digest is `digested`.

        Raises InfrastructureError if the planner fails.
        """
        try:
            question = read_question(body, self._faults)
        except InputError as error:
            return wire.completion(body, digested, Said(f"I cannot answer this: {error}."))
        if question.unknown and question.tool:
            return wire.tool_calls(body, digested, question.unknown)
        if question.unknown:
            items = ", ".join(question.unknown)
            said = Said(f"I cannot answer this: block ### RECIPES has no recipe for {items}.")
            return wire.completion(body, digested, said)
        planned = await self._planned(question)
        if planned.gave_up:
            said = Said(f"I cannot answer this: {planned.gave_up}.")
            return wire.completion(body, digested, said)
        text = json.dumps(self._content(question, planned, body, digested), ensure_ascii=False)
        return wire.completion(body, digested, corrupt_text(text, self._faults, digested))

    async def _planned(self, question: Question) -> Planned:
        """The right answer; who asks for the same while it is being made waits for it."""
        how = read if question.task == "read" else plan
        key = f"{how.__name__} {question.situation}"
        if key not in self._plans:
            self._plans[key] = asyncio.create_task(self._make(how, question))
            if len(self._plans) > REMEMBERED:
                del self._plans[next(iter(self._plans))]
        try:
            return await asyncio.shield(self._plans[key])
        except Exception as error:
            self._plans.pop(key, None)
            raise InfrastructureError(f"the planner failed: {error!r}") from error

    async def _make(self, how: Callable[..., Planned], question: Question) -> Planned:
        asked = (question.setup, question.state, question.recipes)
        return await asyncio.get_running_loop().run_in_executor(self._pool, how, *asked)

    def _content(
        self, question: Question, planned: Planned, body: Mapping[str, Any], digested: str
    ) -> dict[str, Any]:
        if question.task == "read":
            lines = corrupt_reading(planned.lines, question.setup, self._faults, digested)
            return _shaped({"lines": lines}, planned.reasoning, body)
        schedule = self._schedule(question, planned, digested)
        return _shaped({"schedule": schedule}, planned.reasoning, body)

    def _schedule(self, question: Question, planned: Planned, digested: str) -> list[Entry]:
        right: list[Entry] = [dict(entry) for entry in planned.schedule] or [{}]
        length = 1 if question.task == "step" else len(right)
        previous = _schedule_in(question.previous) if question.flagged else None
        if previous is None:
            return corrupt_schedule(right, question.setup, self._faults, digested)[:length]
        made = [dict(entry) for entry in previous]
        for number, worker in sorted(question.flagged):
            if 0 <= number < len(made):
                put = right[number].get(worker) if number < len(right) else None
                if put:
                    made[number][worker] = put
                else:
                    made[number].pop(worker, None)
        return corrupt_schedule(made, question.setup, self._faults, digested, question.flagged)


def _shaped(answer: dict[str, Any], reasoning: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer with the texts beside it that the request's schema asks for."""
    wanted = wire.within(body, wire.PROPERTIES)
    if wanted is None:
        return {"reasoning": reasoning, **answer}
    texts = {"reasoning": reasoning, "lesson": ""}
    shaped = {name: texts.get(name, answer.get(name, "")) for name in wanted}
    if THINK in (wire.within(body, wire.ENTRY_PROPERTIES) or ()):
        shaped["schedule"] = [{THINK: "", **entry} for entry in shaped["schedule"]]
    return shaped


def _schedule_in(text: str | None) -> list[Entry] | None:
    """The schedule in an earlier answer, however it stands there."""
    nothing = Usage(prompt=0, completion=0)
    found = read_answer(Answer(text=text or "", model="", usage=nothing), ScheduleAnswer)
    return found.value.entries() if isinstance(found, Read) else None
