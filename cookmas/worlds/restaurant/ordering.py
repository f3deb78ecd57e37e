"""Orders in words: from `two Classic Burgers, no onion; 1 French Fries` to dishes of the menu.

A line has a quantity, a dish and the guest's words, which follow a colon, a comma or a dash, or are
in brackets. Semicolons separate lines, and so does a comma or `and` before another dish.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cookmas.files.errors import InputError
from cookmas.worlds.shipped import solved

_BEFORE = re.compile(r"(?P<number>\w+?)(?:\s*[x×])?\s+")  # noqa: RUF001 - a sign of prose
_AFTER = re.compile(r"\s*\(?[x×]\s*(?P<number>\d{1,3})\b\)?")  # noqa: RUF001 - a sign of prose
_JOINT = re.compile(r"\s*(?:,\s*and\b|[,&+]|\band\b)\s*")
_NOTE = re.compile(r"\s*(?:[:,]|(?<=\s)[-–—]\s)|\s*[(\[](?P<inside>[^()\[\]]*)[)\]]")  # noqa: RUF001 - dashes
"""What opens the guest's words; or the words, if they are in brackets."""
_OTHER = re.compile(
    r"(?:(?P<number>\d{1,3})(?![\d.,/])\s*(?:x\s+)?)?(?P<item>[^:]+)(?::(?P<note>.*))?", re.S
)
"""A line with a dish that is not on the menu."""


class OrderedDish(NamedTuple):
    """A line of an order in words."""

    quantity: int
    """How often the dish is ordered."""
    item: str
    """Its name on the menu, or the given words if they name no dish of the menu."""
    note: str = ""
    """The guest's words."""


class _Named(NamedTuple):
    """A dish of the menu that is named in a text, with its quantity."""

    quantity: int
    item: str
    end: int
    """Position after its name and quantity."""
    counted: bool
    """Whether its quantity is given."""


class OrderWords:
    """Reads orders in words for a menu."""

    def __init__(self, items: Iterable[str]) -> None:
        names = sorted(items, key=len, reverse=True)
        self._dishes = [(re.compile(_pattern_of(item)), item) for item in names]

    def read(self, words: str) -> Iterator[OrderedDish]:
        """Yield the lines of an order; words with no dish of the menu are a line, too.

        Raises InputError if words beside a dish have no place.
        """
        for text in filter(None, map(str.strip, words.split(";"))):
            yield from self._lines(text)

    def _lines(self, text: str) -> Iterator[OrderedDish]:
        plain, at = _fold(text), 0
        while at < len(text):
            start, dish = at, self._find_dish(plain, at)
            if dish is None:
                break
            at, note = dish.end, ""
            opened = None if self._find_next(plain, at) else _NOTE.match(plain, at)
            if opened is not None and opened["inside"] is not None:
                note, at = text[slice(*opened.span("inside"))], opened.end()
            elif opened is not None:
                ends = (joint.start() for joint in _JOINT.finditer(plain, opened.end()))
                at = next(
                    (end for end in ends if self._find_next(plain, end, counted=True)), len(text)
                )
                note = text[opened.end() : at]
            following = self._find_next(plain, at)
            if at < len(text) and not following:
                at = start
                break
            yield OrderedDish(dish.quantity, dish.item, note.strip())
            at = following or at
        rest = text[at:]
        known = next((item for dish, item in self._dishes if dish.search(plain, at)), None)
        other = _OTHER.fullmatch(rest)
        if rest and (known is not None or other is None):
            form = f"1 {known or 'DISH'}: no onion; 2 {known or 'DISH'}"
            raise InputError(repr(rest[:60]), f"expected NUMBER DISH: WORDS, such as {form!r}")
        if other is not None:
            item, said = " ".join(other["item"].split()), (other["note"] or "").strip()
            yield OrderedDish(int(other["number"] or 1), item, said)

    def _find_next(self, plain: str, at: int, *, counted: bool = False) -> int:
        """Return where another dish begins after a comma or `and` at a position; 0 if none does."""
        joint = _JOINT.match(plain, at)
        dish = self._find_dish(plain, joint.end()) if joint else None
        return joint.end() if joint and dish and (dish.counted or not counted) else 0

    def _find_dish(self, plain: str, at: int) -> _Named | None:
        """Return the dish that is named at a position; None if none is."""
        before = _BEFORE.match(plain, at)
        number = (
            solved("restaurant", "reading.times:number_of")(before["number"]) if before else None
        )
        for start, quantity in ((at, None), (before.end() if before else at, number)):
            for pattern, item in self._dishes if start == at or quantity is not None else ():
                if found := pattern.match(plain, start):
                    after = _AFTER.match(plain, found.end()) if quantity is None else None
                    count = int(after["number"]) if after else 1 if quantity is None else quantity
                    end = after.end() if after else found.end()
                    return _Named(count, item, end, quantity is not None or after is not None)
        return None


def _fold(text: str) -> str:
    """Return a text of the same length with plain digits, signs and small letters."""
    plain = (unicodedata.normalize("NFKC", sign).casefold() for sign in text)
    return "".join(new if len(new) == 1 else old for old, new in zip(text, plain, strict=True))


def _pattern_of(item: str) -> str:
    """Return the pattern of a dish's name, also in the plural and with `&` for `and`."""
    *words, last = (re.escape(word) for word in _fold(item).split())
    joined = [r"(?:and|&)" if word in ("and", r"\&") else word for word in words]
    many = f"{last[:-1]}s?" if last.endswith("s") else f"{last}(?:e?s)?"
    return r"\s+".join([*joined, many]) + r"(?!\w)"
