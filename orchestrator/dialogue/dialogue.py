"""A dialogue with a model about one observation: asking, looking up, and asking again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from episodes.conversation import Message
from episodes.trace import Purpose
from orchestrator.dialogue.blocks import to_json
from orchestrator.dialogue.calls import Calls
from orchestrator.dialogue.look_ahead import Violation
from orchestrator.dialogue.look_up import LookUp
from orchestrator.dialogue.render import render_problem, render_violations
from orchestrator.dialogue.replies import Unusable, read_answer
from orchestrator.dialogue.sampling import Sampling
from orchestrator.dialogue.templates import Templates
from orchestrator.library import Fetch
from orchestrator.models.message import Answer, Request, Schema

Form = TypeVar("Form", bound=BaseModel)

ROUNDS = 8
"""So many times in a row a model may look something up before it must answer."""

AT_ONCE = 20
"""So many look-ups are answered in one round."""

MOST_VIOLATIONS = 40
"""So many violations are told at once; those that come later often follow from the first."""

LONGEST_WHY = 500
"""Characters of what is wrong with an answer, which may repeat a part of it."""

LONGEST_QUOTE = 8000
"""Characters of an answer that could not be used which are shown to the model again."""


class Unanswered(Exception):  # noqa: N818
    """The model has given no answer that can be used; says why."""


class Dialogue:
    """The messages to and fro about one observation, and what is needed to go on with them.

    `call` is the data of the CALL block, which comes again with every message that asks again;
    `look_up` and `fetch` answer the tool for texts, where the model should have it.
    """

    def __init__(
        self,
        calls: Calls,
        messages: Sequence[Message],
        schema: Schema,
        call: Mapping[str, Any],
        *,
        templates: Templates,
        retries: int,
        sampling: Sampling,
        look_up: LookUp,
        fetch: Fetch | None = None,
    ) -> None:
        self._calls = calls
        self._messages = list(messages)
        self._schema = schema
        self._call = call
        self._templates = templates
        self._retries = retries
        self._sampling = sampling
        self._look_up = look_up
        self._fetch = fetch
        self._repairs = 0

    def say_violations(self, violations: Sequence[Violation]) -> None:
        """Tell the model which actions of its schedule would FAIL."""
        self._repairs += 1
        told = [violation._asdict() for violation in violations[:MOST_VIOLATIONS]]
        self._messages.append(render_violations(self._call, self._repairs, told, self._templates))

    async def ask(
        self, purpose: Purpose, form: type[Form], check: Callable[[Form], str | None]
    ) -> Form:
        """The model's answer in this form, against which `check` has nothing to say.

        What cannot be used is sent back with what is wrong, a bounded number of times. Raises
        Unanswered, or PlanningStoppedError where the endpoint or the budget ends it.
        """
        problem = Unusable(fault="unreadable", why="")
        for _ in range(self._retries + 1):
            answer = await self._answered(purpose)
            read = read_answer(answer, form)
            if not isinstance(read, Unusable):
                why = check(read.value)
                if why is None:
                    self._messages.append(Message(role="assistant", content=answer.text))
                    return read.value
                short = why if len(why) <= LONGEST_WHY else f"{why[:LONGEST_WHY]} ..."
                read = Unusable(fault="outside_schema", why=short)
            problem = read
            if problem.fault == "too_long":
                break
            self._send_back(answer, problem)
            purpose = "repair"
        raise Unanswered(f"no usable answer ({problem.fault}): {problem.why}")

    def _send_back(self, answer: Answer, problem: Unusable) -> None:
        said = (answer.refusal or answer.text)[:LONGEST_QUOTE]
        self._messages.append(Message(role="assistant", content=said or "(no answer)"))
        self._repairs += 1
        message = render_problem(self._call, self._repairs, problem.why, self._templates)
        self._messages.append(message)

    async def _answered(self, purpose: Purpose) -> Answer:
        """The next answer that is more than a wish to look something up."""
        for _ in range(ROUNDS):
            answer = await self._calls.ask(self._request(), purpose)
            if self._fetch is None or not answer.tool_calls:
                return answer
            wishes = answer.tool_calls[:AT_ONCE]
            said = Message(role="assistant", content=answer.text, tool_calls=wishes)
            self._messages.append(said)
            for wish in wishes:
                found = await self._look_up.answer(wish, self._fetch)
                message = Message(role="tool", content=to_json(found), tool_call_id=wish.id)
                self._messages.append(message)
            purpose = "lookup"
        raise Unanswered(f"the model looked things up {ROUNDS} times in a row without an answer")

    def _request(self) -> Request:
        return Request(
            messages=tuple(self._messages),
            schema=self._schema,
            tools=(self._look_up.spec(),) if self._fetch else (),
            temperature=self._sampling.temperature,
            max_tokens=self._sampling.max_tokens,
            seed=self._sampling.seed,
        )
