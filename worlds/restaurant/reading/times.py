"""Numbers and what makes them minutes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from worlds.restaurant.reading.values import Extent, Span, Token, Words
from worlds.restaurant.reading.words import load

_DATA = load("times")
_ONES: dict[str, int] = {word: value for value, word in enumerate(_DATA["ones"])}
_TENS: dict[str, int] = _DATA["tens"]
_HOURS = {tuple(phrase.split()): value for phrase, value in _DATA["hours"].items()}
_PHRASES = {tuple(phrase.split()): value for phrase, value in _DATA["phrases"].items()}
_JOINTS = [tuple(joint.split()) for joint in _DATA["joints"]]
_MINUTES, _SECONDS = frozenset(_DATA["minutes"]), frozenset(_DATA["seconds"])
_BEFORE, _AFTER = frozenset(_DATA["before"]), frozenset(_DATA["after"])
_WEAK, _SURE_AFTER = frozenset(_DATA["weak_before"]), frozenset(_DATA["sure_after"])
_LABELS, _BETWEEN = frozenset(_DATA["labels"]), frozenset(_DATA["between"])
_TOTAL, _LEFT = tuple(_DATA["total"]), tuple(_DATA["left"])
_POINTING = frozenset({"those", "these", "that", "it", "enough", "plenty"})
_HOURLY = frozenset({"hour", "hours", "seconds", "of", "days", "years"})
ENDING = frozenset({"last", "final", "closing"})


class Amount(NamedTuple):
    """A number: how many tokens it takes, its minutes, and whether a unit stands with it."""

    length: int
    minutes: int
    unit: bool


def time_at(tokens: Sequence[Token], at: int) -> tuple[int, Span] | None:
    """How many tokens from `at` are a time, and which; None where there is none."""
    words = [token.text for token in tokens]
    first = _amount(words, at)
    if first is None or first.minutes < 1:
        return None
    after, high, unit = _upper(words, at, first)
    joined = high > first.minutes
    if not unit and not _is_time(words, at, after, first.minutes, joined=joined):
        return None
    where = Words(tokens[at].words.start, tokens[after - 1].words.end)
    span = Span(first.minutes, high, _extent(words, at, after), where, unit or joined)
    return after - at, span


def _amount(words: Sequence[str], at: int) -> Amount | None:
    if at >= len(words):
        return None
    stem, _, unit = words[at].rpartition("-")
    if stem and unit in _MINUTES and (alone := _number([stem], 0)):
        return Amount(1, alone[1], True)
    if words[at] == "minute's":
        return Amount(1, 1, True)
    for phrase, minutes in _HOURS.items():
        if tuple(words[at : at + len(phrase)]) == phrase:
            return Amount(len(phrase), minutes, True)
    found = _number(words, at)
    if found is None:
        return None
    length, value = found
    end = at + length
    while end < len(words) and words[end] in _BETWEEN:
        end += 1
    unit = words[end] if end < len(words) else ""
    if unit in _MINUTES:
        return Amount(end + 1 - at, value, True)
    if unit in _SECONDS and value >= 60:
        return Amount(end + 1 - at, round(value / 60), True)
    return Amount(length, value, False)


def _number(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """How many tokens from `at` are a number, and which."""
    word = words[at]
    after = words[at + 1] if at + 1 < len(words) else ""
    if word == "minute" and at and words[at - 1] in ENDING | {"full", "first"}:
        return 0, 1
    if word.isdigit():
        return (1, int(word)) if len(word) <= 3 else None
    if word in _ONES:
        return 1, _ONES[word]
    head, _, tail = word.partition("-")
    if head in _TENS and not tail and 1 <= _ONES.get(after, 0) < 10:
        return 2, _TENS[head] + _ONES[after]
    if head in _TENS and (not tail or tail in _ONES):
        return 1, _TENS[head] + _ONES.get(tail, 0)
    for phrase, value in _PHRASES.items():
        if tuple(words[at : at + len(phrase)]) == phrase:
            return len(phrase), value
    if word in ("a", "an", "single", "another") and after in ("minute", "min"):
        return 1, 1
    return None


def _upper(words: Sequence[str], at: int, first: Amount) -> tuple[int, int, bool]:
    """Where a time ends, its larger end in minutes, and whether a unit stands with it."""
    end = at + first.length
    for joint in _JOINTS:
        after = end + len(joint)
        if tuple(words[end:after]) != joint or (second := _amount(words, after)) is None:
            continue
        listed = joint in ((",",), ("and",))
        next_to = not first.unit and second.minutes == first.minutes + 1 and second.unit
        between = joint == ("and",) and at and words[at - 1] == "between"
        if second.minutes > first.minutes and (not listed or next_to or between):
            return after + second.length, second.minutes, first.unit or second.unit
        break
    if words[end : end + 3] == ["at", "the", "least"]:
        for start in range(end + 3, min(end + 6, len(words))):
            if other := _amount(words, start):
                return start + other.length, other.minutes, True
    return end, first.minutes, first.unit


def _is_time(words: Sequence[str], at: int, after: int, low: int, *, joined: bool) -> bool:
    """Whether a number without a unit is a time, by the words around it."""
    before = words[at - 1] if at else ""
    follows = words[after] if after < len(words) else ""
    if follows in ("of", "is"):
        pointing = " ".join(words[after + 1 : after + 2]) in _POINTING
        return (pointing and follows == "is") or (before in ENDING and follows == "of")
    if before == "after" or (words[max(0, at - 2) : at] == ["the", "first"] and low > 1):
        return follows not in _HOURLY
    if before in _LABELS or (before in ("(", "the") and not follows[:1].isalpha()):
        return False
    word = words[at]
    closing = follows in _AFTER or not follows[:1].isalnum()
    opening = before in _BEFORE or not before[:1].isalnum()
    if not opening and not (closing and (joined or word.isdigit())) and follows not in _SURE_AFTER:
        return False
    if not closing:
        return False
    small = not word.isdigit() and low < 3 and not joined
    return not small or before in _BEFORE - _WEAK or follows in _SURE_AFTER


def _extent(words: Sequence[str], at: int, after: int) -> Extent:
    """What a time counts, by the words around it."""
    before, inside = words[max(0, at - 2) : at], words[at:after]
    follows = " ".join(words[after : after + 4]) + " "
    if before and (before[-1] in ENDING or (before[0] in ENDING and before[-1].isalpha())):
        return "last"
    if follows.startswith(tuple(f"{phrase} " for phrase in _LEFT)) and "left in" not in follows:
        return "last"
    if before[-1:] in (["first"], ["after"]):
        return "after"
    more = {"another", "further"} & {*before} or {"more", "further"} & {*inside}
    if more or follows.startswith(("more ", "further ")):
        return "more"
    return "total" if follows.startswith(_TOTAL) else "plain"
