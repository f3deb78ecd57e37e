"""Reading of a model's answer: finds a JSON object anywhere in its text, or lists the problems.

Some answers are lines of text instead. Text from a model is never executed as code, only parsed and
checked by the reader of the answer. Thoughts are left out, which models frame by tags, by brackets
or by channels whose names say that they think.

A strict decoder comes first. What it refuses is read as models write JSON, where its meaning is
beyond doubt: raw line breaks in a text, comments, a trailing comma, a Python literal, an escape
that JSON lacks, and an object of which only the last bracket is missing. An answer says which of
these it has met.
"""

from __future__ import annotations

import json
import logging
import re
import string
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import ValidationError

from cookmas.episodes.parts import AnswerFault
from cookmas.files.lines import without_lone_surrogates
from cookmas.orchestrator.dialogue.answers import Form
from cookmas.orchestrator.dialogue.plans import EXPECTED, read_lines
from cookmas.orchestrator.models.message import ModelAnswer

_log = logging.getLogger(__name__)

_TAG = re.compile(
    r"<\|channel\|>\s*(?P<channel>\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>"
    r"|[<\[\u25c1]\|?(?P<end>/|end_(?:of_)?)?(?:(?:begin_of|start)_|\w+:)?"
    r"\w*(?:think|thought|reason|analys|scratch|reflect|deliberat|monolog)\w*"
    r"(?:\s[^<>\[\]]*)?\|?[>\]\u25b7]",
    re.IGNORECASE,
)
"""The begin or the end of a thought, as DeepSeek, Mistral, Kimi, Cohere and gpt-oss write it."""

_FRAME = re.compile(r"<([A-Za-z][\w-]*)>")

LAST_CHANNEL = "final"
"""The channel of the answer; all others are thoughts."""


class Tag(NamedTuple):
    """The begin or the end of a thought."""

    start: int
    end: int
    closes: bool
    """True if a thought ends here."""


def find_tags(text: str, end: int | None = None) -> Iterator[Tag]:
    """Yield the tags of the thoughts in a text, up to a place in it."""
    for found in _TAG.finditer(text, 0, len(text) if end is None else end):
        closes = (found["channel"] or "").lower() == LAST_CHANNEL or bool(found["end"])
        yield Tag(found.start(), found.end(), closes)


def has_thoughts(text: str) -> bool:
    """Return whether a text has a tag of a thought."""
    return _TAG.search(text) is not None


def find_frame(text: str) -> str | None:
    """Return the name of the first tag in a text that may frame an answer; None if there is none.

    Tags of thoughts frame none. Log a warning once for each name in this process.
    """
    found = _FRAME.search(_TAG.sub("", text))
    if found is None:
        return None
    _tell_frame(found[1])
    return found[1]


@cache
def _tell_frame(name: str) -> None:
    _log.warning(
        "an answer stands in a frame of an unknown name, <%s>; it is read from there", name
    )


_SPACE = re.compile(r"[ \t\r\n\f\v\xa0\ufeff]*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|#[^\n]*", re.DOTALL)
_END = re.compile(r"[\s`]*(?:<\|\w+\|>\s*)*\Z")
"""The rest of a text after which only a bracket is missing: a fence, or a token of a template."""

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_PLAIN = re.compile(r"[^\"'\\\x00-\x1f]+")
_UNICODE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}"
)
_WORDS = {"true": True, "false": False, "null": None}
_PYTHON = {"True": True, "False": False, "None": None}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "/": "/", "\\": "\\", '"': '"'}
_DEEPEST = 100
_LONGEST_NUMBER = 1000


class RepeatedNames(dict[str, Any]):
    """A JSON object in which names are repeated; each name has its last value."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(name for name, _ in pairs)
        self.repeated = [name for name, count in counts.items() if count > 1]


def object_of(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the JSON object with these pairs of names and values.

    It is a `RepeatedNames` if a name is repeated, and each name has its last value.
    """
    data = dict(pairs)
    return data if len(data) == len(pairs) else RepeatedNames(pairs)


class BrokenJsonError(ValueError):
    """A text that cannot be read as JSON, not even leniently."""

    def __init__(self, text: str, at: int, expected: str) -> None:
        line = text.count("\n", 0, at) + 1
        column = at - text.rfind("\n", 0, at)
        super().__init__(f"The JSON is broken at line {line}, column {column}: {expected}.")
        self.at = at
        """Place of the mistake in the text."""


class Lenient:
    """A decoder of one value of JSON in a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.kinds: set[str] = set()

    def decode(self, start: int, depth: int = 0) -> tuple[Any, int]:
        """Return the value that begins at `start`, and the place after it.

        Raise BrokenJsonError, which names the place of the first mistake.
        """
        at = self._skip(start)
        if depth > _DEEPEST:
            raise self._error(at, "it is nested too deeply")
        here = self._text[at : at + 1]
        if here in ("{", "["):
            return self._decode_all(at, depth)
        if here in ('"', "'"):
            return self._decode_text(at)
        if number := _NUMBER.match(self._text, at):
            if len(number[0]) > _LONGEST_NUMBER:
                raise self._error(at, "the number is too long")
            return json.loads(number[0]), number.end()
        for words in (_WORDS, _PYTHON):
            for word, value in words.items():
                if self._text.startswith(word, at):
                    self.kinds |= {"python_literal"} if words is _PYTHON else set()
                    return value, at + len(word)
        raise self._error(at, "a value is expected")

    def _decode_all(self, at: int, depth: int) -> tuple[Any, int]:
        is_object = self._text[at] == "{"
        closing = "}" if is_object else "]"
        found: list[tuple[str, Any]] = []
        at = self._skip(at + 1)
        while not self._text.startswith(closing, at):
            name = ""
            if is_object:
                name, at = self._decode_name(at)
            value, at = self.decode(at, depth + 1)
            found.append((name, value))
            at = self._skip(at)
            if self._text.startswith(",", at):
                at = self._skip(at + 1)
                self.kinds |= {"trailing_comma"} if self._text.startswith(closing, at) else set()
            elif depth == 0 and _END.match(self._text, at):
                self.kinds.add("missing_bracket")
                break
            elif not self._text.startswith(closing, at):
                raise self._error(at, f"a comma or {closing} is expected")
        made = object_of(found) if is_object else [value for _, value in found]
        return made, min(at + 1, len(self._text))

    def _decode_name(self, at: int) -> tuple[str, int]:
        if self._text[at : at + 1] not in ('"', "'"):
            raise self._error(at, "a name in double quotes is expected")
        name, at = self._decode_text(at)
        at = self._skip(at)
        if not self._text.startswith(":", at):
            raise self._error(at, "a colon is expected")
        return name, at + 1

    def _decode_text(self, at: int) -> tuple[str, int]:
        quote, parts, at = self._text[at], [], at + 1
        if quote == "'":
            self.kinds.add("python_literal")
        while True:
            if plain := _PLAIN.match(self._text, at):
                parts.append(plain[0])
                at = plain.end()
            here = self._text[at : at + 1]
            if here == quote:
                return "".join(parts), at + 1
            if not here:
                raise self._error(at, "a text has no closing quote")
            if here != "\\":
                self.kinds |= {"raw_character"} if here not in "\"'" else set()
                parts.append(here)
                at += 1
                continue
            escaped, at = self._decode_escape(at, quote)
            parts.append(escaped)

    def _decode_escape(self, at: int, quote: str) -> tuple[str, int]:
        letter = self._text[at + 1 : at + 2]
        if letter == "u" and (number := _UNICODE.match(self._text, at)):
            return json.loads(f'"{number[0]}"'), number.end()
        if letter in _ESCAPES and letter:
            return _ESCAPES[letter], at + 2
        self.kinds |= {"escape"} if letter != quote else set()
        stands_for_itself = letter in ("'", "\n") or letter in string.punctuation
        return (letter, at + 2) if letter and stands_for_itself else ("\\", at + 1)

    def _skip(self, at: int) -> int:
        """Return the next place that is neither white space nor a comment."""
        while True:
            at = _SPACE.match(self._text, at).end()  # type: ignore[union-attr]
            comment = _COMMENT.match(self._text, at)
            if comment is None:
                return at
            self.kinds.add("comment")
            at = comment.end()

    def _error(self, at: int, expected: str) -> BrokenJsonError:
        return BrokenJsonError(self._text, at, expected)


F = TypeVar("F", bound=Form)


class Reader(ABC, Generic[F]):
    """How answers of one form are read."""

    form: type[F]

    @property
    @abstractmethod
    def core(self) -> str:
        """Name of the field without which an answer, also one that was cut off, is useless."""

    @property
    def in_lines(self) -> bool:
        """True if an answer is lines of text, not a JSON object."""
        return False

    def read(self, data: Mapping[str, Any], noted: set[str]) -> F:
        """Return the answer that an object is; the kinds of leniency are added to `noted`.

        Raise ValueError if the object cannot be read.
        """
        return self.form.model_validate(data, context=noted)

    def read_part(self, data: Mapping[str, Any]) -> F | None:
        """Return the readable part of an object that cannot be read whole.

        It is only for the search of further problems. Return None if there is no such part.
        """
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """An answer of a model that cannot be used."""

    fault: AnswerFault
    problems: tuple[str, ...]
    """All problems, one sentence each, for a message to the model."""
    part: Form | None = None
    """The part of the answer that can be read, in which there may be further problems."""

    @property
    def why(self) -> str:
        return " ".join(self.problems)


@dataclass(frozen=True, slots=True)
class UsableAnswer(Generic[F]):
    """An answer of a model that could be read."""

    value: F
    lenient: tuple[str, ...] = ()
    """The kinds of leniency with which it was read; none if it is as asked."""


CUT_OFF = Unusable(fault="truncated", problems=("It was cut off before its end; be shorter.",))

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
    answer: ModelAnswer, reader: Reader[F], *, strict: bool = False
) -> UsableAnswer[F] | Unusable:
    """Return the last JSON object in an answer that the reader can read.

    If the answer is in lines, return the fields in its lines. If it was cut off, return the
    complete members of the object that breaks off, or the complete fields, provided that the
    reader's core is among them. What is not written as asked is read where its meaning is beyond
    doubt, unless `strict`. Return Unusable if nothing can be read.
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
    search = _read_lines if reader.in_lines else _read_object
    read = search(text, reader, cut_off=cut_off)
    if not strict or isinstance(read, Unusable) or not (read.lenient or answer.lenient):
        return read
    kinds = ", ".join(sorted({*read.lenient, *answer.lenient}))
    return Unusable(fault="outside_schema", problems=(f"It is not strictly as asked: {kinds}.",))


def _read_object(text: str, reader: Reader[F], *, cut_off: bool) -> UsableAnswer[F] | Unusable:
    problems: tuple[str, ...] = ()
    part: F | None = None
    broken: list[BrokenJsonError] = []
    for data, kinds in _candidates(text, reader.core, broken, cut_off=cut_off):
        try:
            noted = set(kinds)
            value = reader.read(without_lone_surrogates(data), noted)
            repeated = tuple(_find_repeated(data))
            if not repeated:
                return UsableAnswer(value, tuple(sorted(noted)))
            part = part if problems else value
            problems = problems or repeated
        except ValueError as error:
            part = part if problems else reader.read_part(without_lone_surrogates(data))
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
    text: str, core: str, broken: list[BrokenJsonError], *, cut_off: bool
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
        yield from ((data, ()) for data in _salvage(text, begin, end, core, whole))
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
    tags = list(find_tags(text, found.start))
    return bool(tags) and not tags[-1].closes


def _read_lines(text: str, reader: Reader[F], *, cut_off: bool) -> UsableAnswer[F] | Unusable:
    text = without_lone_surrogates(text)
    begin, end = _outside_thoughts(text, [])
    try:
        fields, repeated, kinds = read_lines(text[begin:end], cut_off=cut_off)
    except ValueError as error:
        return Unusable(fault="outside_schema", problems=(f"The plan: {error}.",))
    if repeated:
        problems = tuple(f"{name!r} stands more than once." for name in repeated)
        return Unusable(fault="outside_schema", problems=problems)
    if reader.core in fields:
        return UsableAnswer(reader.read(fields, set()), tuple(sorted(kinds)))
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


def _list_problems(error: ValueError) -> tuple[str, ...]:
    """Return a problem for each invalid place in an answer, without quoting the answer."""
    by_place: dict[str, str] = {}
    if isinstance(error, ValidationError):
        for each in error.errors(include_url=False, include_context=False, include_input=False):
            place = ".".join(str(part) for part in each["loc"])[:80]
            by_place.setdefault(place, each["msg"].removeprefix("Value error, "))
    else:
        by_place[""] = str(error)
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
