"""Marking: from a text to sentences of tokens, and from tokens to marks.

A mark is a word or phrase with its kind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cookmas.solving.restaurant.reading.clauses import WORDS
from cookmas.solving.restaurant.reading.times import time_at
from cookmas.solving.restaurant.reading.values import VERBS, Mark, MarkKind, Sentence, Token, Words
from cookmas.solving.restaurant.reading.words import Lexicon, WordSense

_TOKEN = re.compile(
    r"\d+(?:[.,:/\u2044]\d+)*|[½¼¾⅓⅔]"  # a number is never torn apart
    r"|(?:[^\W\d_]|')+(?:-[^\W\d_]+)*'?|[\U0001F300-\U0001FAFF]"
    r"|[.,;:!?()=+&/°–—-]"  # noqa: RUF001 - dashes of prose
    r"|(?:[^\w\s\"]|_)(?=\s*\d)"  # no sign before a number is lost
)
_LABEL = re.compile(
    r"^[ \t]*(?:(?P<step>\d+[a-z]?|[a-z])[.)]|[-*•])(?=\s)"
    r"|\b(?P<who>[A-Z](?=\.)|[A-Z][A-Za-z]*(?=:))[.:](?=\s)",
    re.MULTILINE,
)
_PLAIN = str.maketrans("’‘“”✗…‐‑‒―⸺⸻−﹘﹣－", "''\"\" ." + 10 * "-")  # noqa: RUF001 - signs of prose
_DOTS = re.compile(r"(?<=\d)(?:\.{2,}|…)(?=\d)")
"""Dots between two numbers are a dash: `10...12`."""
WRAPPED = 60
"""If half of the lines have at least this many characters, line breaks do not end sentences."""


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text, in order, each with its step number."""
    plain = _DOTS.sub(lambda dots: "-" * len(dots[0]), text).translate(_PLAIN)
    widths = sorted(len(line) for line in plain.splitlines() if line.strip())
    wrapped = bool(widths) and widths[len(widths) // 2] >= WRAPPED
    breaks = re.finditer(r"\n\s*\n" if wrapped else r"\n", plain)
    labels = _labels(plain)
    found: list[Sentence] = []
    step = ""
    for start, end in pairwise([*sorted({0, *labels, *(m.end() for m in breaks)}), len(plain)]):
        if label := labels.get(start):
            start = label.end()
            step = label["step"] or step
        for tokens, asks in _runs(plain, start, end):
            if any(token.text[0].isalnum() or token.text > "\U0001f000" for token in tokens):
                words = tokens[0].words.extend_to(tokens[-1].words)
                found.append(Sentence(tuple(tokens), words, asks, step))
    return found


def _labels(text: str) -> dict[int, re.Match[str]]:
    """Return the labels of a text, by position.

    They are the numbers and bullets at the start of lines, and speakers who are named repeatedly.
    """
    labels = list(_LABEL.finditer(text))
    spoken = Counter(label["who"] for label in labels)
    return {each.start(): each for each in labels if not each["who"] or spoken[each["who"]] > 1}


def _runs(text: str, start: int, end: int) -> Iterator[tuple[list[Token], bool]]:
    """Yield the tokens of each sentence between two positions, and whether it is a question."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text, start, end):
        sign = match[0]
        if sign in (".", "!", "?"):
            yield tokens, sign == "?"
            tokens = []
        else:
            tokens.append(Token(sign.lower().strip("'") or sign, Words(*match.span())))
    yield tokens, False


_SIGNS = frozenset(",;:()–—-")  # noqa: RUF001 - a dash of prose
_STEP = re.compile(r"\( (?:step )?(\d+) \)|steps? (\d+)")
NUMBER = "number"
"""The value of the mark of a number without minutes."""
_NAMES = frozenset[MarkKind]({"food", "kind", "mixture", "whole"})
_NOUNISH = _NAMES | {"part", "place", "shape", "pronoun", "level"}
_JOINED = _NAMES | {"shape", "place", "pronoun", "word"}
"""After a word of these kinds, `that` and similar words join a clause."""


class _Place(NamedTuple):
    """A phrase with its neighbours."""

    word: str
    previous: str
    previous_kind: MarkKind | None
    following: str
    following_kinds: set[MarkKind]
    opens: bool
    """Whether the phrase begins the sentence or follows a sign."""


def marks_of(sentence: Sentence, lexicon: Lexicon) -> list[Mark]:
    """Return the marks of a sentence, one for each word or fixed phrase."""
    tokens = sentence.tokens
    words = [token.text for token in tokens]
    marks: list[Mark] = []
    at = 0
    while at < len(tokens):
        numbers, span = time_at(tokens, words, at)
        length, entry = numbers, WordSense("time", "")
        if span is None:
            length, entry = _entry(words, at, lexicon, marks[-1].kind if marks else None)
        if numbers >= length and entry.kind == "word":
            length, entry = numbers, WordSense("word", NUMBER)
        where = tokens[at].words.extend_to(tokens[at + length - 1].words)
        phrase = " ".join(words[at : at + length])
        marks.append(Mark(entry.kind, phrase, where, entry.value, entry.form, span))
        at += length
    return marks


def _entry(
    words: Sequence[str], at: int, lexicon: Lexicon, before: MarkKind | None
) -> tuple[int, WordSense]:
    """Return the number of words of the phrase that begins at `at`, and the meaning of the phrase.

    `before` is the kind of the mark before the phrase; None at the start of the sentence.
    """
    if step := _STEP.match(" ".join(words[at : at + 4])):
        return step[0].count(" ") + 1, WordSense("step", step[1] or step[2])
    length, entries = lexicon.at(words, at)
    after = at + length
    place = _Place(
        word=" ".join(words[at:after]),
        previous=words[at - 1] if at else "",
        previous_kind=before,
        following=words[after] if after < len(words) else "",
        following_kinds=lexicon.kinds_at(words, after),
        opens=not at or words[at - 1] in _SIGNS,
    )
    if entry := _choose(entries, place):
        return length, entry
    sign = words[at] in _SIGNS
    return 1, WordSense("sign", words[at]) if sign else WordSense("word", "")


def _choose(entries: Sequence[WordSense], place: _Place) -> WordSense | None:
    """Return the meaning of a phrase in its context; None if it is a plain word."""
    verbs = [entry for entry in entries if entry.kind in VERBS]
    nouns = [entry for entry in entries if entry.kind in _NOUNISH]
    if verbs and (not nouns or _is_verb(verbs, nouns, place)):
        return _verb(verbs, place)
    if nouns:
        return _noun(nouns, place)
    alone = place.opens and not place.following[:1].isalnum()
    answer = (entry for entry in entries if alone and entry.kind == "no")
    return next(answer, entries[0] if entries else None)


def _is_verb(verbs: Sequence[WordSense], nouns: Sequence[WordSense], place: _Place) -> bool:
    """Return whether a phrase that may be a verb or a noun is a verb in its context."""
    forms = {verb.form for verb in verbs}
    named = nouns[0].kind == "food" and place.previous.isalnum()
    names_food = bool(place.following_kinds & {"food", "kind"})
    object_ = names_food or place.following in WORDS["objects"]
    if "base" in forms and object_ and not (named and place.previous not in ("and", "to")):
        return place.previous not in ("the", "a", "an")
    if place.previous in WORDS["determiners"] and forms != {"past"}:
        return "past" in forms and names_food
    if forms == {"finite"}:
        subject = place.previous_kind in ("pronoun", "food", "mixture")
        shape = any(noun.kind == "shape" for noun in nouns)
        return not shape and (subject or place.previous in ("he", "she", "that", "and"))
    if not place.opens and place.previous not in WORDS["subjects"]:
        return verbs[0].form in ("past", "ing")
    goes_on = not place.following or place.following in WORDS["goings"]
    first = not place.previous and place.following == "and"
    part = first or (place.opens and nouns[0].kind == "part")
    return part or not goes_on or place.previous in ("to", "and", "then", "you")


def _verb(verbs: Sequence[WordSense], place: _Place) -> WordSense | None:
    """Return the meaning of a verb in its context; None if it is no verb there.

    The context decides its form if the past and the base form are alike, as in `cut` or `put`.
    """
    only = verbs[0]
    if place.previous == "for" and only.form == "base":
        return None  # `20 minutes for brown`
    moving = only.form in ("base", "finite") and only.kind != "process"
    mixing = only.form == "ing" and only.value in ("mix", "blend") and place.following != "of"
    determined = place.previous in WORDS["determiners"] and place.previous_kind != "pronoun"
    if determined and (moving or mixing):
        return None
    wanted = "base" if place.opens or place.previous in WORDS["subjects"] else "past"
    return next((verb for verb in verbs if verb.form == wanted), only)


def _noun(nouns: Sequence[WordSense], place: _Place) -> WordSense | None:
    """Return the meaning of a noun in its context; None if it is a plain word there.

    The same word is a shape in `in slices`, but a part in `a slice of bread`.
    """
    points = nouns[0].kind == "pronoun" and place.word in ("that", "this", "these", "those")
    if points and (place.previous_kind in _JOINED or place.following_kinds & _NAMES):
        return None
    shaped = place.following != "of"
    return next((noun for noun in nouns if (noun.kind == "shape") == shaped), nouns[0])
