"""Reading: the place of a bell is the first number in its text."""

from __future__ import annotations

import re

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_NUMBER = re.compile(rf"\b(\d{{1,2}}|{'|'.join(_WORDS)})\b", re.IGNORECASE)


def place_in(text: str) -> int | None:
    """Return the place that a text names; None if it names none."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    word = match[1].lower()
    return _WORDS.index(word) if word in _WORDS else int(word)


def walk(place: int, goal: int) -> list[str]:
    """Return the steps from one place to another."""
    return ["right" if goal > place else "left"] * abs(goal - place)
