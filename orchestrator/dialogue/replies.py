"""Reading what a model answered: JSON wherever it stands, or what is wrong, as a value.

Nothing a model writes is ever evaluated; it is parsed as JSON and checked against a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from orchestrator.halves import whole
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
"""Characters at the end of an answer that are looked at."""

_CANDIDATES = 200
"""So many objects, from the end, are tried for the form."""

_PATIENCE = 10 * _LONGEST
"""Characters that may be read in vain in looking for objects."""

_THOUGHT = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_DECODER = json.JSONDecoder()


def read_answer(answer: Answer, form: type[Form]) -> Read[Form] | Unusable:
    """The answer as `form`: of all the JSON objects in it the last that has this form."""
    if answer.refusal or answer.finish_reason == "refusal":
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


class _Object(NamedTuple):
    start: int
    end: int
    data: Mapping[str, Any]


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects in a text, the last first; what stands in thoughts is left out."""
    text = text[-_LONGEST:]
    found = list(_found(text))
    begin, end = _said(text, found)
    objects = [each.data for each in found if begin <= each.start < end]
    yield from islice(reversed(objects), _CANDIDATES)


def _found(text: str) -> Iterator[_Object]:
    """The outermost objects, wherever they stand."""
    start, patience = text.find("{"), _PATIENCE
    while start >= 0 and patience > 0:
        end = start + 1
        try:
            data, end = _DECODER.raw_decode(text, start)
            yield _Object(start, end, whole(data))
        except json.JSONDecodeError as error:
            patience -= 20 + error.pos - start
        except (ValueError, RecursionError):
            patience -= _LONGEST // 100
        start = text.find("{", end)


def _said(text: str, found: Sequence[_Object]) -> tuple[int, int]:
    """From where to where a text is no thought; what looks like a tag in an object is none."""
    begin, end, objects = 0, len(text), iter(found)
    nearest = next(objects, None)
    for tag in _THOUGHT.finditer(text):
        while nearest and nearest.end <= tag.start():
            nearest = next(objects, None)
        if nearest and nearest.start < tag.start():
            continue
        if tag[1]:
            begin, end = tag.end(), len(text)
        else:
            end = min(end, tag.start())
    return begin, end


def _problem(error: ValidationError) -> str:
    """The first thing that is wrong, without repeating what the model wrote."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])[:80]
    count = error.error_count()
    more = f" (and {count - 1} more of the kind)" if count > 1 else ""
    return f"{place or 'The object'}: {first['msg']}{more}."
