"""The answers: what is asked, the right answer to it, and what is wrong with that."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any

from files.errors import InfrastructureError, InputError
from modelserver import wire
from modelserver.corruption import Entry, Said, corrupt_reading, corrupt_schedule, corrupt_text
from modelserver.faults import Faults
from modelserver.planning import right_answer
from modelserver.questions import Question, read_question
from modelserver.scripts import Scripts
from orchestrator.dialogue.answers import ScheduleAnswer
from orchestrator.dialogue.keeping import written_out
from orchestrator.dialogue.replies import Read, read_answer
from orchestrator.dialogue.schedules import TIMESTEP, columns_of
from orchestrator.models.message import Answer, Usage
from worlds.script import Planned

REMEMBERED = 20_000
"""How many plans are kept."""


class Scripted:
    """Answers requests, each from nothing but itself; plans are made in `pool`, and kept."""

    def __init__(self, scripts: Scripts, faults: Faults, pool: Executor) -> None:
        self._scripts = scripts
        self._faults = faults
        self._pool = pool
        self._plans: dict[str, asyncio.Task[Planned]] = {}

    async def answer(self, body: Mapping[str, Any], digested: str) -> dict[str, Any]:
        """The body of the answer to a request whose digest is `digested`.

        Raises InfrastructureError if the planner fails.
        """
        try:
            question = read_question(body, self._scripts, self._faults)
        except InputError as error:
            return wire.completion(body, digested, Said(f"I cannot answer this: {error}."))
        script, unknown = question.served.script, question.situation.unknown
        if unknown and question.tool:
            return wire.tool_calls(body, digested, script.look_up, unknown)
        if unknown:
            missing = f"block ### {script.texts} has no {script.look_up.text} for"
            said = Said(f"I cannot answer this: {missing} {', '.join(unknown)}.")
            return wire.completion(body, digested, said)
        planned = await self._planned(question)
        if planned.gave_up:
            said = Said(f"I cannot answer this: {planned.gave_up}.")
            return wire.completion(body, digested, said)
        answer, reasoning = self._content(question, planned, digested)
        shaped = _shaped(answer, reasoning, body, question.situation.timestep)
        text = json.dumps(shaped, ensure_ascii=False)
        return wire.completion(body, digested, corrupt_text(text, self._faults, digested))

    async def _planned(self, question: Question) -> Planned:
        """The right answer; who asks for the same while it is being made waits for it."""
        asked = (question.served.domain, question.kind, question.situation, question.agent)
        key = f"{asked[:2]} {question.agent} {question.situation.digest}"
        if key not in self._plans:
            self._plans[key] = asyncio.create_task(self._make(*asked))
            if len(self._plans) > REMEMBERED:
                del self._plans[next(iter(self._plans))]
        try:
            return await asyncio.shield(self._plans[key])
        except Exception as error:
            self._plans.pop(key, None)
            raise InfrastructureError(f"the planner failed: {error!r}") from error

    async def _make(self, *asked: Any) -> Planned:
        return await asyncio.get_running_loop().run_in_executor(self._pool, right_answer, *asked)

    def _content(
        self, question: Question, planned: Planned, digested: str
    ) -> tuple[dict[str, Any], str]:
        """What is answered, with what is wrong in it, and the reasoning beside it."""
        script, situation = question.served.script, question.situation
        match question.task:
            case "read":
                lines = corrupt_reading(planned.lines, script, situation, self._faults, digested)
                return {"lines": lines}, planned.reasoning
        turn = question.task == "turn"
        right = [dict(entry) for entry in planned.schedule] or ([] if turn else [{}])
        previous = _schedule_in(question)
        made = self._written(question, right, previous, digested)
        length = 1 if question.task == "step" and previous is None else len(made)
        say = {"say": planned.say} if turn else {}
        return {**say, "schedule": made[:length]}, planned.reasoning

    def _written(
        self,
        question: Question,
        right: Sequence[Entry],
        previous: Sequence[Entry] | None,
        digested: str,
    ) -> list[Entry]:
        """The right schedule, or in a repair the previous one with what is right where flagged."""
        struck = partial(
            corrupt_schedule,
            script=question.served.script,
            situation=question.situation,
            faults=self._faults,
            digest=digested,
        )
        if previous is None:
            return struck(right)
        made = [dict(entry) for entry in previous]
        for number, worker in sorted(question.flagged):
            if 0 <= number < len(made):
                put = right[number].get(worker) if number < len(right) else None
                if put:
                    made[number][worker] = put
                else:
                    made[number].pop(worker, None)
        return struck(made, only=question.flagged)


def _shaped(
    answer: dict[str, Any], reasoning: str, body: Mapping[str, Any], timestep: int
) -> dict[str, Any]:
    """The answer with what the request's schema asks for beside it; nothing under way is kept."""
    wanted = wire.within(body, wire.PROPERTIES)
    if wanted is None:
        return {"reasoning": reasoning, **answer}
    beside: dict[str, Any] = {"reasoning": reasoning, "lesson": "", "keep_until": timestep}
    shaped: dict[str, Any] = {name: beside.get(name, answer.get(name, "")) for name in wanted}
    if TIMESTEP in wire.fields_of_rows(body):
        shaped["schedule"] = _rows(shaped["schedule"], timestep)
    elif workers := wire.columns(body):
        shaped["schedule"] = columns_of(_rows(shaped["schedule"], timestep), workers)
    return shaped


def _rows(schedule: Sequence[Entry], timestep: int) -> list[dict[str, Any]]:
    return [{TIMESTEP: now, **entry} for now, entry in enumerate(schedule, start=timestep)]


def _schedule_in(question: Question) -> list[Entry] | None:
    """The schedule in the answer that is to be repaired, however it stands there."""
    if not question.flagged:
        return None
    nothing = Usage(prompt=0, completion=0)
    before = Answer(text=question.previous or "", model="", usage=nothing)
    found = read_answer(before, ScheduleAnswer)
    if not isinstance(found, Read):
        return None
    return written_out(found.value, (), question.situation.timestep)[0]
