"""A dialogue with a model about one observation: the question, its look-ups and its repairs.

A repair is a new answer that the model gives because its last answer was unusable or would FAIL.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from cookmas.episodes.conversation import Message, ToolCall
from cookmas.episodes.parts import Purpose
from cookmas.files import lines
from cookmas.orchestrator.dialogue.answers import Form
from cookmas.orchestrator.dialogue.blocks import call_again, to_json
from cookmas.orchestrator.dialogue.calls import Calls
from cookmas.orchestrator.dialogue.look_ahead import Violation
from cookmas.orchestrator.dialogue.replies import (
    Unusable,
    UsableAnswer,
    read_reply,
    without_thoughts,
)
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.dialogue.voice import LookUp
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.models.message import ModelAnswer, Request, Schema
from cookmas.orchestrator.options import Sampling

F = TypeVar("F", bound=Form)

AUXILIARY: Collection[Purpose] = ("infer", "verify")
"""Purposes that a repair keeps. A repair of any other call has the purpose `repair`."""

ROUNDS = 8
"""Greatest number of rounds in which a model may look up texts before it must answer."""

AT_ONCE = 20
"""Greatest number of look-ups that are answered in one round."""

MOST_VIOLATIONS = 40
"""Greatest number of violations in a message; later violations often follow from the first."""

MOST_PROBLEMS = 12
"""Greatest number of problems with an answer that a message lists."""

LONGEST_PROBLEM = 1000
"""Greatest length of a problem in characters: a list of all forms of actions fits into it.

Of a longer problem the middle is left out.
"""

LONGEST_REFUSAL = 1500
"""Greatest length of a verifier's reason in a message, in characters."""

LONGEST_QUOTE = 8000
"""Greatest length, in characters, to which a repair message quotes an unusable answer."""

CALL_IN_TEXT = (
    "Your tool call stands in the text, where it is not carried out. Call the tool by the tool "
    "calls of this interface, or answer without it."
)
"""The problem with an answer that has a tool call in a form that is not known."""


def shorten(problems: Sequence[str]) -> tuple[str, ...]:
    """Return the problems of an answer for a message, limited in number and length."""
    shown = [lines.shorten(problem, LONGEST_PROBLEM) for problem in problems]
    more = len(shown) - MOST_PROBLEMS
    return (*shown[:MOST_PROBLEMS], *((f"There are {more} more problems.",) if more > 0 else ()))


def _as_message(
    answer: ModelAnswer, wishes: Sequence[ToolCall] = (), most: int | None = None
) -> Message:
    """Return an answer as a message of the conversation, with what the endpoint may want back.

    Thoughts in its text are left out, and so is what follows `most` characters.
    """
    text = without_thoughts(answer.refusal or answer.text)[:most]
    return Message(
        role="assistant",
        content=text if text or wishes else "(no answer)",
        tool_calls=tuple(wishes),
        extra=answer.extra,
    )


class Unanswered(Exception):  # noqa: N818
    """The model gave no usable answer.

    The message is the reason; `problems` are those of the last answer. `lasting` is True if another
    attempt cannot help, because the prompt is too long for the model.
    """

    def __init__(self, why: str, problems: Sequence[str] = (), *, lasting: bool = False) -> None:
        super().__init__(why)
        self.problems = tuple(problems)
        self.lasting = lasting


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueSettings:
    """The settings that all dialogues about an observation share."""

    templates: Templates
    """The prompt files."""
    retries: int
    """Greatest number of times that an unusable answer is sent back."""
    sampling: Sampling
    """The sampling parameters."""
    look_up: LookUp
    """The tool with which the model looks up texts."""
    strict: bool = False
    """True if only answers that are exactly as asked are used."""
    fetch: Fetch | None = None
    """A function that gets a text; without it the model has no tool."""


class Dialogue:
    """A dialogue about one observation, which begins with `messages`.

    `schema` is the schema of an answer, None for lines of text. `call` is the data of the CALL
    block, which every repair message repeats. `again` returns the sentence of a repair message that
    says how much the model has to write.
    """

    def __init__(
        self,
        calls: Calls,
        settings: DialogueSettings,
        messages: Sequence[Message],
        schema: Schema | None,
        call: Mapping[str, Any],
        again: Callable[[], str] | None = None,
    ) -> None:
        self._calls = calls
        self._settings = settings
        self._messages = list(messages)
        self._schema = schema
        self._call = call
        self._again = again or partial(settings.templates.fill, "repair_whole")
        self._repairs = 0

    def say_refusal(self, schedule: Sequence[Mapping[str, str]], why: str) -> None:
        """Tell the model that a verifier has refused its decision, and why."""
        refused = {"actions": list(map(dict, schedule)), "why": why[:LONGEST_REFUSAL]}
        self._ask_again("repair_refused", refused=refused)

    def say_violations(self, violations: Sequence[Violation]) -> None:
        """Tell the model which actions of its schedule would FAIL."""
        shown = [violation._asdict() for violation in violations[:MOST_VIOLATIONS]]
        self._ask_again("repair_violations", violations=shown)

    async def ask(
        self,
        purpose: Purpose,
        form: type[F],
        check: Callable[[F], Sequence[str]],
        check_part: Callable[[F], Sequence[str]] | None = None,
    ) -> F:
        """Return the first answer of the model that has this form and passes `check`.

        `purpose` says in the record what the first call is for. `check` returns the problems of an
        answer. `check_part` returns those of the readable part of an answer that has not the form,
        so that one message names all. The dialogue sends an unusable answer back with its problems,
        at most `retries` times. These calls are recorded as repairs, except in a dialogue that only
        helps to decide (`AUXILIARY`). Raise Unanswered if no answer is usable, or
        PlanningStoppedError if the endpoint or the budget ends the dialogue.
        """
        problem = Unusable(fault="unreadable", problems=())
        for _ in range(self._settings.retries + 1):
            answer = await self._await_answer(purpose)
            read = read_reply(answer, form, strict=self._settings.strict)
            if isinstance(read, UsableAnswer):
                self._calls.mark_lenient(read.lenient)
                problems = check(read.value)
                if not problems:
                    self._messages.append(_as_message(answer))
                    return read.value
                read = Unusable(fault="outside_schema", problems=tuple(problems))
            elif check_part and isinstance(read.part, form):
                further = check_part(read.part)
                read = replace(read, problems=tuple(dict.fromkeys((*read.problems, *further))))
            if self._settings.fetch and self._settings.look_up.stands_in(answer.text):
                read = Unusable(fault="unreadable", problems=(CALL_IN_TEXT,))
            problem = replace(read, problems=shorten(read.problems))
            self._calls.mark_unusable(problem.fault)
            if problem.fault == "too_long":
                break
            self._send_back(answer, problem)
            purpose = purpose if purpose in AUXILIARY else "repair"
        why = f"no usable answer ({problem.fault}): {problem.why}"
        if problem.fault == "truncated":
            thought = "" if answer.text else ", after thoughts alone"
            why += f" The limit of tokens cut it off{thought}: --max-tokens sets it."
        raise Unanswered(why, problem.problems, lasting=problem.fault == "too_long")

    def _send_back(self, answer: ModelAnswer, problem: Unusable) -> None:
        self._messages.append(_as_message(answer, most=LONGEST_QUOTE))
        self._ask_again("repair_answer", problems=list(problem.problems))

    def _ask_again(self, name: str, **wrong: Any) -> None:
        self._repairs += 1
        slots = {
            "again": self._again(),
            "blocks": call_again(self._call, self._repairs, **wrong),
        }
        content = self._settings.templates.fill(name, slots)
        self._messages.append(Message(role="user", content=content))

    async def _await_answer(self, purpose: Purpose) -> ModelAnswer:
        """Answer the model's look-ups, and return its first answer without look-ups."""
        look_up, fetch = self._settings.look_up, self._settings.fetch
        for _ in range(ROUNDS):
            answer = await self._calls.ask(self._request(), purpose)
            if fetch is None or not answer.tool_calls:
                return answer
            wishes = answer.tool_calls[:AT_ONCE]
            self._messages.append(_as_message(answer, wishes))
            for wish in wishes:
                found = await look_up.answer(wish, fetch)
                message = Message(role="tool", content=to_json(found), tool_call_id=wish.id)
                self._messages.append(message)
            purpose = "lookup"
        why = f"the model looked things up {ROUNDS} times in a row without an answer"
        raise Unanswered(why, (f"{why[0].upper()}{why[1:]}.",))

    def _request(self) -> Request:
        settings, sampling = self._settings, self._settings.sampling
        return Request(
            messages=tuple(self._messages),
            schema=self._schema,
            tools=(settings.look_up.spec(),) if settings.fetch else (),
            temperature=sampling.temperature,
            max_tokens=sampling.max_tokens,
            seed=sampling.model_seed,
        )
