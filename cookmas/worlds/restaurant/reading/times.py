"""Recognition of times: numbers, and the words that show that a number is a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cookmas.worlds.restaurant.reading.values import Extent, Span, Token
from cookmas.worlds.restaurant.reading.words import load

_DATA = load("times")
_ONES = {word: value for value, word in enumerate(_DATA["ones"])}
_NUMBERS = {str(number): number for number in range(1000)}
_NUMBERS |= _ONES | _DATA["tens"] | _DATA["phrases"]
for _ten, _value in _DATA["tens"].items():
    for _one in _DATA["ones"][1:10]:
        _NUMBERS |= {f"{_ten}{joint}{_one}": _value + _ONES[_one] for joint in " -"}
_SPANS = {f"{word}-minute": value for word, value in _NUMBERS.items()} | _DATA["spans"]
_LONGEST = 5
"""Maximum number of words in a number or time."""
_JOINTS = [tuple(joint.split()) for joint in _DATA["joints"]]
_PER_MINUTE = dict.fromkeys(_DATA["minutes"], 1) | dict.fromkeys(_DATA["seconds"], 60)
_BETWEEN, _POINTING = frozenset(_DATA["between"]), frozenset(_DATA["pointing"])
_BEFORE, _WEAK_BEFORE = frozenset(_DATA["before"]), frozenset(_DATA["weak_before"])
_AFTER = frozenset(_DATA["after"])
_AROUND: dict[str, Extent] = _DATA["counts"]
_FOLLOWING: dict[str, Extent] = _DATA["counts_after"]


class Amount(NamedTuple):
    """A number in the text, with the unit after it, if any."""

    length: int
    """Number of its tokens, those of the unit included."""
    minutes: int
    """The number in minutes; a unit such as seconds is converted."""
    unit: bool
    """Whether it has a unit."""


def time_at(tokens: Sequence[Token], words: Sequence[str], at: int) -> tuple[int, Span] | None:
    """Return the length and the value of the time that begins at token `at`; None if none does.

    The length is a number of tokens. `words` has the texts of the tokens.
    """
    first = _amount(words, at)
    if first is None or first.minutes < 1:
        return None
    last = _upper(words, at, first)
    after, sure = at + last.length, last.unit or last.minutes > first.minutes
    if not last.unit and not _is_time(words, at, after, first.minutes):
        return None
    where = tokens[at].words.extend_to(tokens[after - 1].words)
    return last.length, Span(first.minutes, last.minutes, _extent(words, at, after), where, sure)


def _amount(words: Sequence[str], at: int) -> Amount | None:
    for end in range(min(at + _LONGEST, len(words)), at, -1):
        phrase = " ".join(words[at:end])
        if phrase in _SPANS:
            return Amount(end - at, _SPANS[phrase], True)
        if phrase in _NUMBERS:
            unit = end
            while unit < len(words) and words[unit] in _BETWEEN:
                unit += 1
            per = _PER_MINUTE.get(words[unit]) if unit < len(words) else None
            if per is None:
                return Amount(end - at, _NUMBERS[phrase], False)
            return Amount(unit + 1 - at, round(_NUMBERS[phrase] / per), True)
    return None


def _upper(words: Sequence[str], at: int, first: Amount) -> Amount:
    """Return a number with its upper end, as in `four to five`; unchanged if it has none.

    `first` is the number, which begins at word `at`.
    """
    end = at + first.length
    for joint in _JOINTS:
        after = end + len(joint)
        second = _amount(words, after) if tuple(words[end:after]) == joint else None
        apart = joint == ("and",) and words[max(0, at - 1) : at] != ["between"]
        if second and second.minutes > first.minutes and not apart:
            return Amount(after + second.length - at, second.minutes, first.unit or second.unit)
    return first


def _is_time(words: Sequence[str], at: int, after: int, low: int) -> bool:
    """Return whether a number without a unit is a time, by the words around it.

    The number begins at word `at` and ends before word `after`; its value is `low`.
    """
    before = words[at - 1] if at else ""
    follows = words[after] if after < len(words) else ""
    if follows == "of":
        return _AROUND.get(before) == "last"
    if follows == "is":
        return " ".join(words[after + 1 : after + 2]) in _POINTING
    closing = follows in _AFTER or not follows[:1].isalnum()
    opening = before in _WEAK_BEFORE or not before[:1].isalnum()
    sure = words[at].isdigit() or before in _BEFORE
    return before == "after" or (closing and (sure or (opening and low > 2)))


def _extent(words: Sequence[str], at: int, after: int) -> Extent:
    """Return what a time measures, by the words around it.

    The time begins at word `at` and ends before word `after`.
    """
    for word in reversed(words[max(0, at - 1) : after]):
        if word in _AROUND:
            return _AROUND[word]
    follows = " ".join(words[after : after + 4]) + " "
    said = (extent for phrase, extent in _FOLLOWING.items() if follows.startswith(f"{phrase} "))
    return next(said, "plain")
