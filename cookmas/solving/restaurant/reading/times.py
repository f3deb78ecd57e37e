"""Recognition of times: numbers, and the words that show that a number is a time."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from cookmas.solving.restaurant.reading.values import Extent, Span, Token
from cookmas.solving.restaurant.reading.words import load

_DATA = load("times")
_ONES = {word: value for value, word in enumerate(_DATA["ones"])}
_NUMBERS = _ONES | _DATA["tens"] | _DATA["phrases"]
for _ten, _value in _DATA["tens"].items():
    for _one in _DATA["ones"][1:10]:
        _NUMBERS |= {f"{_ten}{joint}{_one}": _value + _ONES[_one] for joint in " -"}
for _word, _value in [*_NUMBERS.items()]:
    _NUMBERS |= {f"{_hundred}{_word}": 100 + _value for _hundred in _DATA["hundreds"]}
_FRACTIONS: Mapping[str, str] = _DATA["fractions"]
_SPANS = {f"{word}-minute": value for word, value in _NUMBERS.items()} | _DATA["spans"]
_CLOCK, _THOUSANDS = re.compile(r"(\d+):([0-5]\d)"), re.compile(r"[1-9]\d{0,2}(,\d{3})+")
_UNITS = {word: Fraction(unit) for unit, words in _DATA["units"].items() for word in words}
"""The minutes of each unit."""
_PHRASE_WORDS = max(len(phrase.split()) for phrase in (*_NUMBERS, *_SPANS))
"""Number of words in the longest number or time."""
_OPENING = frozenset(phrase.split()[0] for phrase in (*_NUMBERS, *_SPANS))
"""The first words of all numbers and times in words."""
_OPENED, _CLOSED = frozenset("(-–—"), frozenset(")-–—")  # noqa: RUF001 - dashes of prose
_GREATEST = 999
"""The longest time that is read as one, in minutes."""
_JOINTS = frozenset(tuple(joint.split()) for joint in _DATA["joints"])
_JOINT_REACH = 2 + max(map(len, _JOINTS))
_WAVES = frozenset(_DATA["waves"])
_BETWEEN, _POINTING = frozenset(_DATA["between"]), frozenset(_DATA["pointing"])
_BEFORE, _WEAK_BEFORE = frozenset(_DATA["before"]), frozenset(_DATA["weak_before"])
_MARKS = frozenset([*_DATA["marks"], *_DATA["pieces"]])
_SIGNS, _AFTER = frozenset(_DATA["signs"]), frozenset(_DATA["after"])
_AROUND: dict[str, Extent] = _DATA["counts"]
_FOLLOWING: dict[str, Extent] = _DATA["counts_after"]


class Amount(NamedTuple):
    """A number in the text, with the unit after it, if any."""

    end: int
    """Position of the word after it and its unit."""
    number: Fraction
    """The number, in minutes if it has a unit."""
    unit: Fraction | None = None
    """The minutes of its unit; None if it has none."""


def time_at(tokens: Sequence[Token], words: Sequence[str], at: int) -> tuple[int, Span | None]:
    """Return the length and the value of the number or time that begins at token `at`.

    The length is a number of tokens, 0 if no number begins there. The value is None if the number
    is no time. A part of a minute is rounded to the minutes around it.
    `words` has the texts of the tokens.
    """
    first = _amount(words, at)
    if first is None:
        return 0, None
    low, last = _range(words, at, first)
    whole = low.denominator == last.number.denominator == 1
    timed = last.number if last.unit else whole and low and _is_time(words, at, last.end, low)
    if not timed or last.number > _GREATEST:
        return last.end - at, None
    where = tokens[at].words.extend_to(tokens[last.end - 1].words)
    sure = last.unit is not None or last.number > low
    least, most = max(1, math.floor(low)), math.ceil(last.number)
    return last.end - at, Span(least, most, _extent(words, at, last.end), where, sure, whole)


def _amount(words: Sequence[str], at: int) -> Amount | None:
    """Return the amount that begins at word `at`, such as `ten`, `1 1/2 hours` and `1h30`."""
    amount = _with_unit(words, at)
    if amount is None or amount.unit is None:
        return amount
    end = amount.end + (words[amount.end : amount.end + 1] == ["and"])
    smaller = _with_unit(words, end)
    if smaller is None or (smaller.unit or 1) >= amount.unit:
        return amount
    bare = smaller.unit is None and words[end - 1] != "h"
    return amount if bare else Amount(smaller.end, amount.number + smaller.number, Fraction(1))


def _with_unit(words: Sequence[str], at: int) -> Amount | None:
    """Return the number or fixed phrase at word `at`, with its fraction and its unit."""
    if at >= len(words) or not (words[at] in _OPENING or words[at][0].isnumeric()):
        return None
    for end in range(min(at + _PHRASE_WORDS, len(words)), at, -1):
        phrase = " ".join(words[at:end])
        value = _digits(phrase) if end == at + 1 else None
        if phrase in _SPANS:
            unit = _UNITS["hour" if "hour" in phrase else "min"]
            return _with_fraction(words, Amount(end, Fraction(_SPANS[phrase]), unit))
        if phrase in _NUMBERS or value is not None:
            amount = _with_fraction(words, Amount(end, value or Fraction(_NUMBERS.get(phrase, 0))))
            end = amount.end
            while words[end : end + 1] and words[end] in _BETWEEN:
                end += 1
            per = _UNITS.get(words[end]) if end < len(words) else None
            return (
                _with_fraction(words, Amount(end + 1, amount.number * per, per)) if per else amount
            )
    return None


def _digits(word: str) -> Fraction | None:
    """Return the value of digits, such as `12`, `1.5`, `1/2`, `1,200`, `1:30` and `½`; None for
    other words.
    """
    plain = unicodedata.normalize("NFKC", word).replace("\u2044", "/")
    if clock := _CLOCK.fullmatch(plain):
        return int(clock[1]) + Fraction(int(clock[2]), 60)
    plain = plain.replace(",", "" if _THOUSANDS.fullmatch(plain) else ".")
    try:
        return Fraction(plain)
    except (ValueError, ZeroDivisionError):
        return None


def number_of(word: str) -> int | None:
    """Return the whole number that a word is, such as `12` and `two`; `a` is 1. None if it is none
    below 1000.
    """
    value = Fraction(_NUMBERS[word]) if word in _NUMBERS else _digits(word)
    if word in ("a", "an"):
        return 1
    return int(value) if value is not None and value.denominator == 1 and value < 1000 else None


def _with_fraction(words: Sequence[str], amount: Amount) -> Amount:
    """Return an amount with the fraction after it, as in `1 1/2`, `1-1/2` and `one and a half`."""
    said = " ".join(words[amount.end : amount.end + 3])
    part, end = Fraction(_FRACTIONS.get(said, 0)), amount.end + 3
    if not part and amount.unit is None and amount.number.denominator == 1:
        end = amount.end + (words[amount.end : amount.end + 1] == ["-"]) + 1
        part = _digits(" ".join(words[end - 1 : end])) or Fraction(0)
    if not 0 < part < 1:
        return amount
    return amount._replace(end=end, number=amount.number + part * (amount.unit or 1))


def _range(words: Sequence[str], at: int, first: Amount) -> tuple[Fraction, Amount]:
    """Return the lower end of a range, as in `four to five`, and the range with its upper end.

    `first` is the amount at word `at`; it is both ends if it has no upper end.
    """
    for after in range(first.end + 1, min(first.end + _JOINT_REACH, len(words))):
        between = words[first.end : after]
        joint = tuple(word for word in between if not _is_dash(word))
        second = _amount(words, after) if not joint or joint in _JOINTS else None
        apart = joint in (("and",), ("&",)) and words[max(0, at - 1) : at] != ["between"]
        if second is None or apart:
            continue
        unit = second.unit or first.unit
        low = first.number * (1 if first.unit else unit or 1)
        high = second.number * (1 if second.unit else unit or 1)
        if high > low:
            return low, Amount(second.end, high, unit)
    return first.number, first


def _is_dash(word: str) -> bool:
    """Return whether a token stands for `to` between two numbers: any dash, wave or arrow."""
    return word in _WAVES or unicodedata.category(word[0]) == "Pd"


def _is_time(words: Sequence[str], at: int, after: int, low: Fraction) -> bool:
    """Return whether a number without a unit is a time, by the words around it.

    The number begins at word `at` and ends before word `after`; its value is `low`.
    """
    before = words[at - 1] if at else ""
    follows = words[after] if after < len(words) else ""
    aside = before in _OPENED and follows in _CLOSED
    if before in _MARKS or follows in _SIGNS or aside:
        return False
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
