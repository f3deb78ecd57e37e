"""Interrupts of the graph: a question to a person or a program, and whatever is answered.

Whatever an app resumes the graph with is read here. What cannot be read is no answer: the graph
stops again with the same question and the reason, and nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from cookmas.files.errors import InputError
from cookmas.files.wording import show_value
from cookmas.workers.person import Answered

T = TypeVar("T")

_ANSWERED: TypeAdapter[Answered] = TypeAdapter(Answered)


def ask(question: Any, read: Callable[[Any], T]) -> T:
    """Interrupt the graph with a question, plain data, until `read` can read the answer; return it.

    If `read` raises InputError, the question is asked again: the reason is in its field `refused`.
    LangGraph runs the node again from its beginning for each answer, so all answers are read again.
    """
    from langgraph.types import interrupt

    answer = interrupt(question)
    while True:
        try:
            return read(answer)
        except InputError as error:
            answer = interrupt({**question, "refused": str(error)})


def read_answered(given: object) -> Answered:
    """Return the answer of a person from what an app gave. Raise InputError."""
    try:
        answered = _ANSWERED.validate_python(given, strict=True)
    except ValidationError:
        answered = Answered()
    if len(answered) != 1 or answered != given:
        expected = 'expected {"action": ...}, an action in words, or {"away": ...}, a reason'
        raise InputError("answer", f"{expected}; not {show_value(given)}")
    return answered
