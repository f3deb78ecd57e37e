"""Lists of actions as models write them into the text of a plan.

The published form of an agent's plan has semicolons or line breaks between the actions. Models also
write other lists: with numbers or dashes before the actions, with commas or arrows between them, in
square brackets, and with quotes around them. All of these are read, and each is a kind of leniency.
Nothing inside brackets separates actions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cookmas.episodes.speech import END, NOTHING

_NUMBER = re.compile(r"\(?(\d{1,3})[.):](?:\s+|(?=[^\W\d]|[\"'\u201c\u2018(]))")
_DASH = re.compile(r"[-*+\u2022\u2013\u2014]\s+")
_ARROW = re.compile(r"[-=]+>|[→⇒➔]")
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019"}
_OPEN, _CLOSE = "([{", ")]}"
_EDGES = " \t\r\n`*"


class ReadList(NamedTuple):
    """The items of a list, and the kinds of leniency with which they were read."""

    items: list[str]
    """The actions as they are written, in order."""
    kinds: set[str]
    """Names of the kinds; empty if the list is as the prompt asks for it."""


def read_list(text: str) -> ReadList:
    """Return the actions in the text of a plan.

    If it has only semicolons, an empty item between two of them stays. Raise ValueError, which
    names the place, if a bracket or a quote in it is open.
    """
    inner, kinds = text.strip(_EDGES), set[str]()
    if _find_bracket_end(inner) == len(inner) and inner not in ("[]", NOTHING, END):
        inner = inner[1:-1]
        kinds.add("list_brackets")
    found = list(_Items(inner, kinds))
    if not kinds and found and all(each.ended_by in ("", ";") for each in found):
        last = [""] if found[-1].ended_by else []
        return ReadList([*(each.text for each in found), *last], kinds)
    return ReadList([each.text for each in found if each.text], kinds)


class _Item(NamedTuple):
    text: str
    ended_by: str


class _Items:
    """The items of a list in order, each with what ended it. Add to `kinds` what was lenient."""

    def __init__(self, text: str, kinds: set[str]) -> None:
        self._text, self._kinds = text, kinds
        self._number: int | None = None
        """The number before the last item; None if there was none."""

    def __iter__(self) -> Iterator[_Item]:
        at = 0
        while at < len(self._text):
            begin = self._skip_mark(at)
            quoted = self._read_quoted(begin)
            end = quoted[1] if quoted else begin
            end, ended_by = self._find_end(end)
            words = quoted[0] if quoted else self._text[begin:end].strip(_EDGES)
            at = end + len(ended_by)
            yield _Item(words, ended_by)

    def _skip_mark(self, at: int) -> int:
        """Return where an item begins after its number or its dash."""
        while at < len(self._text) and self._text[at].isspace():
            at += 1
        if number := _NUMBER.match(self._text, at):
            self._number = int(number[1])
            self._kinds.add("list_marks")
            return number.end()
        if dash := _DASH.match(self._text, at):
            self._kinds.add("list_marks")
            return dash.end()
        return at

    def _read_quoted(self, begin: int) -> tuple[str, int] | None:
        """Return the words of an item in quotes, and their end; None if it is not in quotes."""
        closing = _QUOTES.get(self._text[begin : begin + 1])
        if closing is None:
            return None
        end = self._text.find(closing, begin + 1)
        while end >= 0 and not self._may_end(end + 1):
            end = self._text.find(closing, end + 1)
        if end < 0:
            raise ValueError(f"a quote is open: {self._text[begin : begin + 40]}")
        self._kinds.add("list_quotes")
        return self._text[begin + 1 : end].strip(_EDGES), end + 1

    def _may_end(self, at: int) -> bool:
        """Return whether an item may end here: at the end of the text, or before a separator."""
        while at < len(self._text) and self._text[at] in _EDGES and self._text[at] != "\n":
            at += 1
        return (
            at >= len(self._text)
            or bool(self._find_separator(at))
            or bool(self._is_next_number(at))
        )

    def _find_separator(self, at: int) -> str:
        """Return the separator at a place outside brackets; empty if there is none."""
        if self._text[at] in ";,\n":
            return self._text[at]
        arrow = _ARROW.match(self._text, at)
        return arrow[0] if arrow else ""

    def _is_next_number(self, at: int) -> bool:
        """Return whether the number of the next item is here, as in `1. left 2. right`."""
        if self._number is None or not (at and self._text[at - 1].isspace()):
            return False
        number = _NUMBER.match(self._text, at)
        return number is not None and int(number[1]) == self._number + 1

    def _find_end(self, at: int) -> tuple[int, str]:
        """Return where an item ends, and the separator behind it."""
        depth, begin = 0, at
        while at < len(self._text):
            if not depth and self._is_next_number(at):
                return at, ""
            if self._text[at] in _OPEN:
                depth += 1
            elif self._text[at] in _CLOSE:
                depth = max(0, depth - 1)
            elif not depth and (found := self._find_separator(at)):
                if found not in ";\n":
                    self._kinds.add("list_commas" if found == "," else "list_arrows")
                return at, found
            at += 1
        if depth:
            raise ValueError(f"a bracket is open: {self._text[begin : begin + 40]}")
        return at, ""


def _find_bracket_end(text: str) -> int:
    """Return the place after the bracket that closes the square bracket at the beginning.

    Return -1 if there is none, or if it stays open.
    """
    depth = 0
    for at, character in enumerate(text if text.startswith("[") else "", 1):
        depth += (character in _OPEN) - (character in _CLOSE)
        if not depth:
            return at
    return -1
