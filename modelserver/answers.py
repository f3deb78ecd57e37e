"""The answers: what is asked, the right answer to it, and what is wrong with that."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any, TypeVar

from episodes.errors import InputError
from episodes.world import digest
from modelserver import wire
from modelserver.corruption import Entry, Said, corrupt_reading, corrupt_schedule, corrupt_text
from modelserver.faults import Faults
from modelserver.planning import Planned, foresee, plan, read
from modelserver.questions import Question, read_question
from orchestrator.models.message import Answer, Usage
from orchestrator.planners.answers import THINK, ScheduleAnswer
from orchestrator.replies import Read, read_answer

T = TypeVar("T")

REMEMBERED = 20_000
"""How many plans are kept."""


class Scripted:
    """Answers requests; plans are made in `pool`, each situation once.

    A schedule is a pure function of the request. A request for a single step in a state that an
    earlier plan foresaw gets that plan's next step: a planner that is asked anew at every timestep
    would else change its mind at every timestep, and not get done.
    """

    def __init__(self, faults: Faults, pool: Executor) -> None:
        self._faults = faults
        self._pool = pool
        self._plans: dict[str, asyncio.Future[Planned]] = {}
        self._foreseen: dict[str, Planned] = {}

    async def answer(self, body: Mapping[str, Any], digested: str) -> dict[str, Any]:
        """The body of the answer to a request whose digest is `digested`."""
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
        key = question.situation
        if question.task == "read":
            return await self._plan("read " + key, question, read)
        if question.task == "schedule":
            return await self._plan(key, question, plan)
        if key not in self._foreseen:
            planned = await self._plan(key, question, plan)
            self._foreseen[key] = planned
            if not planned.gave_up:
                await self._foresee(question, planned)
        _shrink(self._foreseen)
        return self._foreseen[key]

    async def _foresee(self, question: Question, planned: Planned) -> None:
        states = await self._in_pool(foresee, question.setup, question.state, planned.schedule)
        for number, state in enumerate(states, start=1):
            open_items = {line[0] for line in state["lines"].values() if line[3] == "open"}
            recipes = {i: text for i, text in question.recipes.items() if i in open_items}
            then = digest([question.setup, state, recipes])
            rest = planned._replace(schedule=planned.schedule[number:])
            self._foreseen.setdefault(then, rest)

    async def _plan(self, key: str, question: Question, how: Callable[..., Planned]) -> Planned:
        if key not in self._plans:
            self._plans[key] = asyncio.ensure_future(
                self._in_pool(how, question.setup, question.state, question.recipes)
            )
        future = self._plans[key]
        _shrink(self._plans)
        try:
            return await asyncio.shield(future)
        except Exception:
            self._plans.pop(key, None)
            raise

    async def _in_pool(self, function: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, function, *arguments)

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
        for number, worker in question.flagged:
            if 0 <= number < len(made):
                put = right[number].get(worker) if number < len(right) else None
                made[number].pop(worker, None)
                made[number].update({worker: put} if put else {})
        return corrupt_schedule(made, question.setup, self._faults, digested, question.flagged)


def _shaped(answer: dict[str, Any], reasoning: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer with the texts beside it that the request's schema asks for."""
    try:
        wanted = body["response_format"]["json_schema"]["schema"]["properties"]
    except (KeyError, TypeError):
        return {"reasoning": reasoning, **answer}
    texts = {"reasoning": reasoning, "lesson": ""}
    shaped = {name: texts.get(name, answer.get(name, "")) for name in wanted}
    if THINK in wanted.get("schedule", {}).get("items", {}).get("properties", ()):
        shaped["schedule"] = [{THINK: "", **entry} for entry in shaped["schedule"]]
    return shaped


def _schedule_in(text: str | None) -> list[Entry] | None:
    """The schedule in an earlier answer, however it stands there."""
    nothing = Usage(prompt=0, completion=0)
    found = read_answer(Answer(text=text or "", model="", usage=nothing), ScheduleAnswer)
    return found.value.entries() if isinstance(found, Read) else None


def _shrink(kept: dict[str, Any]) -> None:
    """Forget the oldest where there is too much."""
    while len(kept) > REMEMBERED:
        del kept[next(iter(kept))]
