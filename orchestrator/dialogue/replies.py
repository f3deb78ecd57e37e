"""Reading of a model's answer: finds a JSON object anywhere in its text, or lists the problems.

A form can ask for lines of text instead. Text from a model is never executed as code, only parsed
and checked against a form.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError

from cookmas.episodes.parts import AnswerFault
from cookmas.files.lines import without_lone_surrogates
from cookmas.orchestrator.dialogue.answers import Form
from cookmas.orchestrator.dialogue.plans import EXPECTED, read_lines
from cookmas.orchestrator.models.message import ModelAnswer

F = TypeVar("F", bound=Form)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """An answer of a model that cannot be used."""

    fault: AnswerFault
    """The kind of fault."""
    problems: tuple[str, ...]
    """All problems, one sentence each, for a message to the model."""

    @property
    def why(self) -> str:
        """All problems in one text."""
        return " ".join(self.problems)


CUT_OFF = Unusable(fault="truncated", problems=("It was cut off before its end; be shorter.",))
"""An answer that was cut off too early."""

_LONGEST = 1_000_000
"""Number of characters, counted from the end of an answer, in which objects are searched."""

_CANDIDATES = 200
"""Greatest number of objects, counted from the end, that are checked against the form."""

_PATIENCE = 10 * _LONGEST
"""Greatest number of characters that the search for objects may read without success.

To report a mistake the decoder also counts the lines before the mistake. Counting takes about a
twentieth of the time that reading these lines takes.
"""

_MEMBER = re.compile(r'\s*,?\s*("(?:[^"\\]|\\.)*")\s*:\s*')
_THOUGHT = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)


class _Repeating(dict[str, Any]):
    """A JSON object in which names are repeated; each name has its last value."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(name for name, _ in pairs)
        self.repeated = [name for name, count in counts.items() if count > 1]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    return data if len(data) == len(pairs) else _Repeating(pairs)


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def read_answer(answer: ModelAnswer, form: type[F]) -> F | Unusable:
    """Return the last JSON object in an answer that has the given form.

    If the form is in lines, return the fields in the answer's lines. If the answer was cut off,
    return the complete members of the object that breaks off, or the complete fields, provided that
    the form's core is among them. Return Unusable if nothing has the form.
    """
    if answer.refusal or answer.finish_reason == "refusal":
        return Unusable(fault="refusal", problems=("It was a refusal.",))
    if answer.finish_reason == "context_length":
        return Unusable(fault="too_long", problems=("The prompt is too long for the model.",))
    problems: tuple[str, ...] = ()
    cut_off = answer.finish_reason == "length"
    if form.in_lines:
        return _read_lines(answer.text, form, cut_off=cut_off)
    for data in (*_objects(answer.text), *(_salvage(answer.text, form.core) if cut_off else ())):
        try:
            value = form.model_validate(without_lone_surrogates(data))
            repeated = tuple(_find_repeated(data))
            if not repeated:
                return value
            problems = problems or repeated
        except ValidationError as error:
            problems = problems or _list_problems(error)
        except RecursionError:
            problems = problems or ("It is nested too deeply.",)
    if cut_off:
        return CUT_OFF
    if not problems:
        return Unusable(fault="unreadable", problems=("There is no JSON object in it.",))
    return Unusable(fault="outside_schema", problems=problems)


def _read_lines(text: str, form: type[F], *, cut_off: bool) -> F | Unusable:
    """Return the answer in the lines of a text outside its thoughts."""
    text = without_lone_surrogates(text[-_LONGEST:])
    begin, end = _outside_thoughts(text, [])
    fields, repeated = read_lines(text[begin:end], cut_off=cut_off)
    if repeated:
        problems = tuple(f"{name!r} stands more than once." for name in repeated)
        return Unusable(fault="outside_schema", problems=problems)
    if form.core in fields:
        return form.model_validate(fields)
    return CUT_OFF if cut_off else Unusable(fault="unreadable", problems=(EXPECTED,))


def _salvage(text: str, core: str) -> Iterator[Mapping[str, Any]]:
    """Yield the complete members of the first object with a complete `core`.

    The object itself may break off. Yield nothing if there is no such object.
    """
    text = text[-_LONGEST:]
    begin, end = _outside_thoughts(text, list(_find_objects(text)))
    starts = (at for at, character in enumerate(text[begin:end], begin) if character == "{")
    for start in islice(starts, _CANDIDATES):
        members = _members(text, start + 1)
        if core in members:
            yield members
            return


def _members(text: str, at: int) -> dict[str, Any]:
    members: list[tuple[str, Any]] = []
    while match := _MEMBER.match(text, at):
        try:
            name, _ = _DECODER.raw_decode(text, match.start(1))
            value, at = _DECODER.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            break
        members.append((name, value))
    return _object(members)


def _find_repeated(data: Any, *place: str) -> Iterator[str]:
    """Yield a problem for each repeated name in an object, with its place in the answer."""
    if isinstance(data, _Repeating):
        where = f"{'.'.join(place)[:80]}: " if place else ""
        yield from (f"{where}{name[:80]!r} stands more than once." for name in data.repeated)
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from _find_repeated(value, *place, name)
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _find_repeated(value, *place, str(number))


class _Object(NamedTuple):
    start: int
    end: int
    data: Mapping[str, Any]


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects outside the thoughts in a text, the last object first."""
    text = text[-_LONGEST:]
    found = list(_find_objects(text))
    begin, end = _outside_thoughts(text, found)
    objects = [each.data for each in found if begin <= each.start < end]
    yield from islice(reversed(objects), _CANDIDATES)


def _find_objects(text: str) -> Iterator[_Object]:
    """Yield the outermost objects at any place in a text."""
    start, patience = text.find("{"), _PATIENCE
    while start >= 0 and patience > 0:
        end = start + 1
        try:
            data, end = _DECODER.raw_decode(text, start)
            yield _Object(start, end, data)
        except json.JSONDecodeError as error:
            patience -= 20 + error.pos - start + error.pos // 20
        except (ValueError, RecursionError):
            patience -= _LONGEST // 100
        start = text.find("{", end)


def _outside_thoughts(text: str, found: Sequence[_Object]) -> tuple[int, int]:
    """Return the begin and the end of the part of a text that is not a thought.

    Tags inside JSON objects do not mark thoughts.
    """
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


def _list_problems(error: ValidationError) -> tuple[str, ...]:
    """Return a problem for each invalid place in an answer, without quoting the answer."""
    by_place: dict[str, str] = {}
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        place = ".".join(str(part) for part in each["loc"])[:80]
        by_place.setdefault(
            place, f"{place or 'The object'}: {each['msg'].removeprefix('Value error, ')}."
        )
    return tuple(by_place.values())
