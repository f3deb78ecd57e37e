"""Reading what a model answered: JSON wherever it stands, or what is wrong, as a value.

Nothing a model writes is ever evaluated; it is parsed as JSON and checked against a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from orchestrator.models.message import Answer

Form = TypeVar("Form", bound=BaseModel)

Fault = Literal["refusal", "truncated", "too_long", "unreadable", "outside_schema"]
"""What can be wrong with an answer: the model would not, it was cut off, the prompt was too long
for the model, there is no JSON in it, or the JSON is not of the form that was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """An answer that cannot be used, and in one sentence why; the sentence is told to the model."""

    fault: Fault
    why: str


@dataclass(frozen=True, slots=True)
class Read(Generic[Form]):
    """An answer that was read."""

    value: Form


_LONGEST = 1_000_000
_CANDIDATES = 200
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r".*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```[A-Za-z]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_DECODER = json.JSONDecoder()


def read_answer(answer: Answer, form: type[Form]) -> Read[Form] | Unusable:
    """The answer as `form`: of all the JSON objects in it the last that has this form."""
    if answer.refusal is not None or answer.finish_reason == "refusal":
        return Unusable(fault="refusal", why="It was a refusal.")
    if answer.finish_reason == "context_length":
        return Unusable(fault="too_long", why="The prompt is too long for the model.")
    problem: str | None = None
    for data in _objects(answer.text):
        try:
            return Read(form.model_validate(data))
        except ValidationError as error:
            problem = problem or _problem(error)
        except RecursionError:
            problem = problem or "It is nested too deeply."
    if answer.finish_reason == "length":
        return Unusable(fault="truncated", why="It was cut off before its end; be shorter.")
    if problem is None:
        return Unusable(fault="unreadable", why="There is no JSON object in it.")
    return Unusable(fault="outside_schema", why=problem)


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects in a text, the most likely first: the whole of it, fenced ones, any."""
    text = _without_thoughts(text[-_LONGEST:])
    fenced = [match[1] for match in _FENCED.finditer(text)]
    for candidate in (text, *reversed(fenced)):
        data = _decoded(candidate.strip(), 0)
        if data is not None and not candidate.strip()[data[1] :].strip():
            yield data[0]
    found: list[Mapping[str, Any]] = []
    start, tries = text.find("{"), 0
    while start >= 0 and tries < _CANDIDATES:
        tries += 1
        decoded = _decoded(text, start)
        if decoded:
            found.append(decoded[0])
        start = text.find("{", decoded[1] if decoded else start + 1)
    yield from reversed(found)


def _without_thoughts(text: str) -> str:
    """What a model thought aloud before its answer is left out."""
    text = _THOUGHT.sub(" ", text)
    return _END_OF_THOUGHT.sub("", text)


def _decoded(text: str, start: int) -> tuple[Mapping[str, Any], int] | None:
    try:
        data, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return (data, end) if isinstance(data, dict) else None


def _problem(error: ValidationError) -> str:
    """The first thing that is wrong, without repeating what the model wrote."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])[:80]
    count = error.error_count()
    more = f" (and {count - 1} more of the kind)" if count > 1 else ""
    return f"{place or 'The object'}: {first['msg']}{more}."
