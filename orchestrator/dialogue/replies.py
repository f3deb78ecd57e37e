"""Reading of a model's answer: finds a JSON object anywhere in its text, or lists the problems.

A form can ask for lines of text instead. Text from a model is never executed as code, only parsed
and checked against a form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import ValidationError

from cookmas.episodes.parts import AnswerFault
from cookmas.files.lines import without_lone_surrogates
from cookmas.orchestrator.dialogue.answers import Form
from cookmas.orchestrator.dialogue.lenient import BrokenJsonError, Lenient, RepeatedNames, object_of
from cookmas.orchestrator.dialogue.plans import EXPECTED, read_lines
from cookmas.orchestrator.dialogue.thoughts import find_frame, find_tags, has_thoughts
from cookmas.orchestrator.models.message import ModelAnswer

F = TypeVar("F", bound=Form)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """An answer of a model that cannot be used."""

    fault: AnswerFault
    """The kind of fault."""
    problems: tuple[str, ...]
    """All problems, one sentence each, for a message to the model."""
    part: Form | None = None
    """The part of the answer that can be read, in which there may be further problems."""

    @property
    def why(self) -> str:
        """All problems in one text."""
        return " ".join(self.problems)


@dataclass(frozen=True, slots=True)
class UsableAnswer(Generic[F]):
    """An answer of a model that could be read."""

    value: F
    """The answer in its form."""
    lenient: tuple[str, ...] = ()
    """The kinds of leniency with which it was read; none if it is as asked."""


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
_AFTER = re.compile(r"[\s`]*(?:<\|?/?\w+\|?>\s*)*")
"""The text that may follow a whole object in a cut-off answer: a fence, or the end of a frame."""


_DECODER = json.JSONDecoder(object_pairs_hook=object_of)


def read_reply(
    answer: ModelAnswer, form: type[F], *, strict: bool = False
) -> UsableAnswer[F] | Unusable:
    """Return the last JSON object in an answer that has the given form.

    If the form is in lines, return the fields in the answer's lines. If the answer was cut off,
    return the complete members of the object that breaks off, or the complete fields, provided that
    the form's core is among them. What is not written as asked is read where its meaning is beyond
    doubt, unless `strict`. Return Unusable if nothing has the form.
    """
    if answer.refusal or answer.finish_reason == "refusal":
        return Unusable(fault="refusal", problems=("It was a refusal.",))
    if answer.finish_reason == "context_length":
        return Unusable(fault="too_long", problems=("The prompt is too long for the model.",))
    if answer.finish_reason == "unreadable_call":
        why = f"Your tool call could not be read: {answer.text or 'it has no text'}."
        return Unusable(fault="unreadable", problems=(why,))
    cut_off = answer.finish_reason == "length"
    text = answer.text[-_LONGEST:]
    search = _read_lines if form.in_lines else _read_object
    read = search(text, form, cut_off=cut_off)
    if not strict or isinstance(read, Unusable) or not (read.lenient or answer.lenient):
        return read
    kinds = ", ".join(sorted({*read.lenient, *answer.lenient}))
    return Unusable(fault="outside_schema", problems=(f"It is not strictly as asked: {kinds}.",))


def _read_object(text: str, form: type[F], *, cut_off: bool) -> UsableAnswer[F] | Unusable:
    """Return the answer in the last object of a text that has the form."""
    problems: tuple[str, ...] = ()
    part: F | None = None
    broken: list[BrokenJsonError] = []
    for data, kinds in _candidates(text, form, broken, cut_off=cut_off):
        try:
            noted = set(kinds)
            value = form.model_validate(without_lone_surrogates(data), context=noted)
            repeated = tuple(_find_repeated(data))
            if not repeated:
                return UsableAnswer(value, tuple(sorted(noted)))
            part = part if problems else value
            problems = problems or repeated
        except ValidationError as error:
            part = part if problems else form.part_of(without_lone_surrogates(data))
            problems = problems or _list_problems(error)
        except RecursionError:
            problems = problems or ("It is nested too deeply.",)
    if cut_off:
        return CUT_OFF
    if broken:
        return Unusable(fault="unreadable", problems=(str(max(broken, key=lambda e: e.at)),))
    if not problems:
        where = "outside its thoughts" if has_thoughts(text) else "in it"
        return Unusable(fault="unreadable", problems=(f"There is no JSON object {where}.",))
    return Unusable(fault="outside_schema", problems=problems, part=part)


def _candidates(
    text: str, form: type[Form], broken: list[BrokenJsonError], *, cut_off: bool
) -> Iterator[tuple[Mapping[str, Any], Collection[str]]]:
    """Yield objects that may be the answer, the likeliest first, with the kinds of leniency.

    Add objects to `broken` that cannot be read even leniently.
    """
    found = list(_find_objects(text))
    begin, end = _outside_thoughts(text, found)
    answers = [each for each in found if begin <= each.start < end]
    if cut_off:
        last = answers[-1] if answers else None
        if last and _AFTER.fullmatch(text, last.end, end):
            yield last.data, ()
        whole = {each.start for each in answers}
        yield from ((data, ()) for data in _salvage(text, begin, end, form.core, whole))
        return
    outside = [each.data for each in reversed(answers)]
    framed = ("frame",) if outside and find_frame(text[begin : answers[0].start]) else ()
    yield from ((data, framed) for data in islice(outside, _CANDIDATES))
    yield from _lenient_objects(text[begin:end], broken)
    for data in islice(outside, _CANDIDATES):
        yield from ((inner, ("wrapper",)) for inner in _inner_objects(data))
    yield from ((data, ("encoded_twice",)) for data in _objects_in_text(text[begin:end]))
    before = [each.data for each in found if each.end <= begin and not _is_thought(text, each)]
    yield from ((data, ("before_thoughts",)) for data in reversed(before))


def _lenient_objects(
    text: str, broken: list[BrokenJsonError]
) -> Iterator[tuple[Mapping[str, Any], Collection[str]]]:
    """Yield the outermost objects of a text that are read leniently, the last one first."""
    found: list[tuple[Mapping[str, Any], Collection[str]]] = []
    start, patience = text.find("{"), 2 * _LONGEST
    while start >= 0 and patience > 0:
        decoder, end = Lenient(text), start + 1
        try:
            data, end = decoder.decode(start)
            found += [(data, decoder.kinds)] if decoder.kinds else []
        except BrokenJsonError as error:
            broken += [error] if not broken or error.at > broken[-1].at else []
            patience -= 20 + error.at - start
        start = text.find("{", end)
    yield from reversed(found)


def _inner_objects(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the object that is the only member of another, also if it is encoded in a text."""
    if len(data) != 1:
        return
    inner = next(iter(data.values()))
    if isinstance(inner, Mapping):
        yield inner
    elif isinstance(inner, str):
        yield from _objects_in_text(inner)


def _objects_in_text(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the object that a text encodes, or that a text in JSON encodes."""
    try:
        data = _DECODER.decode(text.strip().strip("`").removeprefix("json").strip())
        if isinstance(data, str):
            data = _DECODER.decode(data)
    except (ValueError, RecursionError):
        return
    if isinstance(data, Mapping):
        yield data


def _is_thought(text: str, found: _Object) -> bool:
    """Return whether an object stands between the begin and the end of a thought."""
    tags = list(find_tags(text, found.start))
    return bool(tags) and not tags[-1].closes


def _read_lines(text: str, form: type[F], *, cut_off: bool) -> UsableAnswer[F] | Unusable:
    """Return the answer in the lines of a text outside its thoughts."""
    text = without_lone_surrogates(text)
    begin, end = _outside_thoughts(text, [])
    try:
        fields, repeated, kinds = read_lines(text[begin:end], cut_off=cut_off)
    except ValueError as error:
        return Unusable(fault="outside_schema", problems=(f"The plan: {error}.",))
    if repeated:
        problems = tuple(f"{name!r} stands more than once." for name in repeated)
        return Unusable(fault="outside_schema", problems=problems)
    if form.core in fields:
        return UsableAnswer(form.model_validate(fields), tuple(sorted(kinds)))
    return CUT_OFF if cut_off else Unusable(fault="unreadable", problems=(EXPECTED,))


def _salvage(
    text: str, begin: int, end: int, core: str, whole: Collection[int]
) -> Iterator[Mapping[str, Any]]:
    """Yield the complete members of the first object with a complete `core`.

    The object begins between two places of the text and breaks off, so it is none of those that
    begin at the places `whole`. Yield nothing if there is no such object.
    """
    braces = (at for at, character in enumerate(text[begin:end], begin) if character == "{")
    starts = (at for at in braces if at not in whole)
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
    return object_of(members)


def _find_repeated(data: Any, *place: str) -> Iterator[str]:
    """Yield a problem for each repeated name in an object, with its place in the answer."""
    if isinstance(data, RepeatedNames):
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
    for tag in find_tags(text):
        while nearest and nearest.end <= tag.start:
            nearest = next(objects, None)
        if nearest and nearest.start < tag.start:
            continue
        if tag.closes:
            begin, end = tag.end, len(text)
        else:
            end = min(end, tag.start)
    return begin, end


def _list_problems(error: ValidationError) -> tuple[str, ...]:
    """Return a problem for each invalid place in an answer, without quoting the answer."""
    by_place: dict[str, str] = {}
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        place = ".".join(str(part) for part in each["loc"])[:80]
        by_place.setdefault(place, each["msg"].removeprefix("Value error, "))
    return tuple(
        f"{place or 'The object'}: {problem}."
        for place, message in by_place.items()
        for problem in message.split("\n")
    )


def without_thoughts(text: str) -> str:
    """Return an answer without the thoughts in front of it; unchanged if nothing comes after."""
    if not has_thoughts(text):
        return text
    begin, _ = _outside_thoughts(text, list(_find_objects(text)))
    return text[begin:].strip() or text
