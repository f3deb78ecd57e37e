# ruff: noqa: RUF001 - dashes and quotation marks of prose
"""Numbers and what makes them minutes."""

from __future__ import annotations

from collections.abc import Sequence

from worlds.restaurant.reading.values import Extent, Span, Token, Words

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
_UNITS = frozenset(["minute", "minutes", "min", "mins", "mins.", "m"])
_HOURS = frozenset(["hour", "hours"])
_SECONDS = frozenset(["second", "seconds", "s", "sec", "secs"])
_BEFORE = frozenset(
    [
        "for",
        "only",
        "last",
        "final",
        "just",
        "gets",
        "get",
        "needs",
        "need",
        "take",
        "takes",
        "takes",
        "wants",
        "want",
        "first",
        "after",
        "until",
        "to",
        "another",
        "further",
        "allow",
        "give",
        "about",
        "around",
        "maybe",
        "like",
        "total",
        "is",
        "least",
        "most",
        "exactly",
        "them",
        "it",
        "is",
        "but",
        "has",
        "have",
        "had",
        "around",
        "than",
        "spend",
        "gimme",
        "then",
        "at",
        "when",
    ]
)
_AFTER = frozenset(
    [
        "more",
        "in",
        "minutes",
        "left",
        "each",
        "together",
        "alone",
        "altogether",
        "apiece",
        "and",
        "or",
        "on",
        "by",
        "if",
        "in",
        "should",
        "until",
        "till",
        "so",
        "before",
        "with",
        "tops",
        "max",
        "total",
        "keep",
        "both",
        "longer",
        "further",
        "at",
        "to",
        "while",
        "till",
        "all",
        "from",
    ]
)
_NOUNS_OF_TIME = frozenset(
    ["more", "left", "longer", "further", "alone", "altogether", "extra", "less"]
)


def number(tokens: Sequence[Token], at: int) -> tuple[int, float] | None:
    """How many tokens from `at` are a number, and which."""
    word = tokens[at].text
    if word == "minute" and at and tokens[at - 1].text in ("last", "final", "full", "first"):
        return 0, 1
    nexts = [token.text for token in tokens[at + 1 : at + 5]]
    if word.isdigit():
        return (1, int(word)) if len(word) <= 3 else None
    if word in _ONES:
        return 1, _ONES.index(word)
    head, _, tail = word.partition("-")
    if head in _TENS and not tail:
        if nexts[:1] and nexts[0] in _ONES[1:10]:
            return 2, _TENS[head] + _ONES.index(nexts[0])
        return 1, _TENS[head]
    if head in _TENS and tail in _ONES:
        return 1, _TENS[head] + _ONES.index(tail)
    if word in ("a", "an") and nexts[:1] == ["dozen"]:
        return 2, 12
    if word == "dozen":
        return 1, 12
    if word == "a" and nexts[:2] == ["couple", "of"]:
        return 3, 2
    if word == "couple" and nexts[:1] == ["of"]:
        return 2, 2
    if word in ("a", "an", "single", "another") and nexts[:1] and nexts[0] in ("minute", "min"):
        return 1, 1
    if word == "minute's":
        return 1, 1
    return None


def _hours(tokens: Sequence[Token], at: int) -> tuple[int, int] | None:
    """How many tokens from `at` are a part of an hour, and its minutes."""
    words = [token.text for token in tokens[at : at + 6]]
    for phrase, minutes in (
        ("half an hour", 30), ("half hour", 30), ("three quarters of an hour", 45),
        ("a quarter of an hour", 15), ("quarter of an hour", 15), ("an hour", 60),
        ("quarter hour", 15),
    ):  # fmt: skip
        key = phrase.split()
        if words[: len(key)] == key:
            return len(key), minutes
    return None


def time_at(tokens: Sequence[Token], at: int) -> tuple[int, Span] | None:
    """How many tokens from `at` are a time, and which; None where there is none."""
    first = _amount(tokens, at)
    if first is None:
        return None
    length, low, unit = first
    high = low
    after = at + length
    joined = False
    for sign in (
        ("-",),
        ("–",),
        ("—",),
        ("to",),
        ("or",),
        (",", "or"),
        (",",),
        ("and",),
        ("minutes", "to"),
    ):
        end = after + len(sign)
        if tuple(t.text for t in tokens[after:end]) != sign or end >= len(tokens):
            continue
        second = _amount(tokens, end)
        if second is None:
            continue
        bare = sign in ((",",), ("and",))
        next_to = not unit and second[1] == low + 1 and second[2]
        between = sign == ("and",) and at and tokens[at - 1].text == "between"
        if bare and not next_to and not between:
            continue
        if second[1] > low or (sign == ("or",) and second[1] > low):
            high, unit, joined = second[1], unit or second[2], True
            after = end + second[0]
        break
    if tuple(t.text for t in tokens[after : after + 2]) == ("or", "two") and low == 1:
        high, after = 2, after + 2
    rest = [t.text for t in tokens[after : after + 7]]
    if rest[:3] == ["at", "the", "least"] and len(rest) > 4:
        other = next(
            (found for k in range(after + 3, min(after + 6, len(tokens)))
             if (found := _amount(tokens, k))), None,
        )  # fmt: skip
        if other:
            high, unit = other[1], True
            after += 5
    before = tokens[at - 1].text if at else ""
    follows = tokens[after].text if after < len(tokens) else ""
    sure = bool(unit)
    if (
        not sure
        and follows in ("of", "is")
        and after + 1 < len(tokens)
        and (tokens[after + 1].text in ("those", "these", "that", "it", "enough", "plenty"))
    ):
        sure = True
    if not sure:
        if before in (
            "step",
            "steps",
            "'",
            "(",
            "note",
            "number",
            "job",
            "rule",
            "the",
            "for",
        ) and (follows == ")" or before in ("step", "steps", "note", "number", "job", "rule")):
            return None
        opening = before in _BEFORE or not before[:1].isalnum()
        closing = follows in _AFTER or not follows[:1].isalnum()
        word = tokens[at].text
        small = not word.isdigit() and low < 3 and not joined
        if not (opening and closing):
            joined_by_end = joined and closing
            if (
                not joined_by_end
                and follows not in _NOUNS_OF_TIME
                and not (word.isdigit() and closing)
            ):
                return None
        if (
            small
            and before not in _BEFORE - {"it", "them", "is", "to", "but", "like", "then", "at"}
            and (follows not in _NOUNS_OF_TIME)
        ):
            return None
        if before in ("(", "the") and not follows[:1].isalpha():
            return None
    extent = _extent(tokens, at, after)
    words = Words(tokens[at].words.start, tokens[after - 1].words.end)
    if low < 1:
        return None
    return after - at, Span(int(low), int(max(low, high)), extent, words, sure or joined)


def _amount(tokens: Sequence[Token], at: int) -> tuple[int, int, bool] | None:
    """Tokens, minutes, and whether a unit stands there."""
    if at >= len(tokens):
        return None
    stem, _, unit = tokens[at].text.rpartition("-")
    if stem and unit in _UNITS and (alone := number([tokens[at]._replace(text=stem)], 0)):
        return 1, int(alone[1]), True
    if hour := _hours(tokens, at):
        return hour[0], hour[1], True
    found = number(tokens, at)
    if found is None:
        return None
    length, value = found
    skip = 0
    while at + length + skip < len(tokens) and tokens[at + length + skip].text in (
        "full", "whole", "good", "solid", "single", "-", "short", "of", "those", "these", "more",
        "further",
    ):  # fmt: skip
        skip += 1
    unit = tokens[at + length + skip].text if at + length + skip < len(tokens) else ""
    if tokens[at].text == "minute's":
        return 1, 1, True
    if unit in _UNITS or unit == "minutes'":
        return length + skip + 1, int(value), True
    if unit in _SECONDS and value >= 60:
        return length + skip + 1, round(value / 60), True
    return length, int(value), False


def _extent(tokens: Sequence[Token], at: int, after: int) -> Extent:
    """What a time counts, by the words around it."""
    before = [token.text for token in tokens[max(0, at - 4) : at]]
    follows = [token.text for token in tokens[after : after + 4]]
    inside = [token.text for token in tokens[at:after]]
    if {"last", "final"} & set(before[-1:]) or (
        {"last", "final"} & set(before[-2:]) and before[-1].isalpha()
    ):
        return "last"
    if "to" in follows[:1] and "go" in follows[1:2]:
        return "last"
    if (follows[:1] and follows[0] in ("left", "remaining") and follows[1:2] != ["in"]) or (
        follows[:2] in (["are", "left"], ["is", "left"], ["minutes", "left"])
    ):
        return "last"
    if follows[:3] == ["before", "the", "end"] or follows[:3] == ["from", "the", "end"]:
        return "last"
    if (before[-1:] == ["s"] and "there" in before) or "'s" in before[-1:]:
        pass
    if "first" in before[-1:] or before[-1:] == ["after"]:
        return "after"
    if (
        "more" in follows[:1]
        or {"another", "further"} & set(before[-2:])
        or {"more", "further"} & set(inside)
    ):
        return "more"
    if "further" in follows[:1]:
        return "more"
    joined = " ".join(follows)
    if joined.startswith(
        ("in all", "altogether", "in total", "all told", "from beginning", "total")
    ):
        return "total"
    return "plain"
