"""Reading of JSON as models write it, where its meaning is beyond doubt.

The strict decoder comes first (`replies.py`). This one reads what it refuses: raw line breaks in
a text, comments, a trailing comma, a Python literal, an escape that JSON lacks, and an object of
which only the last bracket is missing. It says which of these it has met.
"""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import Any

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
    """Return the object with these members, which knows repeated names."""
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
        """The kinds of leniency so far."""

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
        """Return the object or the list that begins at `at`, and the place after it."""
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
        """Return the name of a member, and the place after its colon."""
        if self._text[at : at + 1] not in ('"', "'"):
            raise self._error(at, "a name in double quotes is expected")
        name, at = self._decode_text(at)
        at = self._skip(at)
        if not self._text.startswith(":", at):
            raise self._error(at, "a colon is expected")
        return name, at + 1

    def _decode_text(self, at: int) -> tuple[str, int]:
        """Return the text that begins at `at` with its quote, and the place after it."""
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
        """Return the character of an escape, and the place after it."""
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
