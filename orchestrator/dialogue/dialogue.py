"""A dialogue with a model about one observation: asking, looking up, and asking again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from episodes.conversation import Message
from episodes.trace import Purpose
from orchestrator.dialogue.answers import Form
from orchestrator.dialogue.blocks import call_again, to_json
from orchestrator.dialogue.calls import Calls
from orchestrator.dialogue.look_ahead import Violation
from orchestrator.dialogue.look_up import LookUp
from orchestrator.dialogue.replies import Unusable, read_answer
from orchestrator.dialogue.templates import Templates
from orchestrator.library import Fetch
from orchestrator.models.message import Answer, Request, Sampling, Schema

F = TypeVar("F", bound=Form)

ROUNDS = 8
"""So many times in a row a model may look something up before it must answer."""

AT_ONCE = 20
"""So many look-ups are answered in one round."""

MOST_VIOLATIONS = 40
"""So many violations are told at once; those that come later often follow from the first."""

MOST_PROBLEMS = 12
"""So many things that are wrong with an answer are told at once."""

LONGEST_PROBLEM = 200
"""Characters of each of them, which may repeat a part of the answer."""

LONGEST_QUOTE = 8000
"""Characters of an answer that could not be used which are shown to the model again."""


def told(problems: Sequence[str]) -> tuple[str, ...]:
    """What is wrong with an answer as it is told: not too many things, and none too long."""
    shown = [p if len(p) <= LONGEST_PROBLEM else f"{p[:LONGEST_PROBLEM]} ..." for p in problems]
    more = len(shown) - MOST_PROBLEMS
    return (*shown[:MOST_PROBLEMS], *((f"There are {more} more problems.",) if more > 0 else ()))


class Unanswered(Exception):  # noqa: N818
    """The model has given no answer that can be used; says why, and the `problems` with the last.

    `lasting`: it would not at another time either, since the prompt is too long for it.
    """

    def __init__(self, why: str, problems: Sequence[str] = (), *, lasting: bool = False) -> None:
        super().__init__(why)
        self.problems = tuple(problems)
        self.lasting = lasting


class Dialogue:
    """The messages to and fro about one observation, and what is needed to go on with them.

    `call` is the data of the CALL block, which every message that asks again repeats; `again` says
    in such a message how much the model has to write. `look_up` and `fetch` answer the tool for
    texts, where the model has it.
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
        again: Callable[[], str] | None = None,
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
        self._again = again or partial(templates.fill, "repair_whole")
        self._repairs = 0

    def say_violations(self, violations: Sequence[Violation]) -> None:
        """Tell the model which actions of its schedule would FAIL."""
        shown = [violation._asdict() for violation in violations[:MOST_VIOLATIONS]]
        self._ask_again("repair_violations", violations=shown)

    async def ask(self, purpose: Purpose, form: type[F], check: Callable[[F], Sequence[str]]) -> F:
        """The model's answer in this form, against which `check` has nothing to say.

        What cannot be used is sent back with all that is wrong, a bounded number of times. Raises
        Unanswered, or PlanningStoppedError where the endpoint or the budget ends it.
        """
        problem = Unusable(fault="unreadable", problems=())
        for _ in range(self._retries + 1):
            answer = await self._answered(purpose)
            read = read_answer(answer, form)
            if not isinstance(read, Unusable):
                problems = check(read.value)
                if not problems:
                    self._messages.append(Message(role="assistant", content=answer.text))
                    return read.value
                read = Unusable(fault="outside_schema", problems=tuple(problems))
            problem = replace(read, problems=told(read.problems))
            self._calls.mark_unusable(problem.fault)
            if problem.fault == "too_long":
                break
            self._send_back(answer, problem)
            purpose = "repair"
        why = f"no usable answer ({problem.fault}): {problem.why}"
        raise Unanswered(why, problem.problems, lasting=problem.fault == "too_long")

    def _send_back(self, answer: Answer, problem: Unusable) -> None:
        said = (answer.refusal or answer.text)[:LONGEST_QUOTE]
        self._messages.append(Message(role="assistant", content=said or "(no answer)"))
        self._ask_again("repair_answer", problems=list(problem.problems))

    def _ask_again(self, name: str, **wrong: Any) -> None:
        self._repairs += 1
        slots = {
            "again": self._again(),
            "blocks": call_again(self._call, self._repairs, **wrong),
        }
        self._messages.append(Message(role="user", content=self._templates.fill(name, slots)))

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
        why = f"the model looked things up {ROUNDS} times in a row without an answer"
        raise Unanswered(why, (f"{why[0].upper()}{why[1:]}.",))

    def _request(self) -> Request:
        return Request(
            messages=tuple(self._messages),
            schema=self._schema,
            tools=(self._look_up.spec(),) if self._fetch else (),
            temperature=self._sampling.temperature,
            max_tokens=self._sampling.max_tokens,
            seed=self._sampling.seed,
        )
