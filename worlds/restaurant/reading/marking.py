# ruff: noqa: RUF001 - dashes and quotation marks of prose
"""A sentence's tokens to marks: which words are foods, verbs, places, times."""

from __future__ import annotations

from collections.abc import Sequence

from worlds.restaurant.reading.times import time_at
from worlds.restaurant.reading.values import Mark, MarkKind, Sentence, Span, Token, Words
from worlds.restaurant.reading.words import PREPOSITIONS, Entry, Lexicon

_DETERMINERS = frozenset(
    [
        "the",
        "a",
        "an",
        "your",
        "my",
        "his",
        "her",
        "our",
        "their",
        "some",
        "its",
        "this",
        "that",
        "these",
        "those",
        "any",
        "each",
        "every",
        "more",
        "no",
        "own",
        "little",
        "small",
        "big",
        "fresh",
        "hot",
        "cold",
        "dry",
        "thick",
        "thin",
        "ripe",
        "whole",
        "good",
        "few",
        "two",
        "three",
        "four",
        "six",
        "warm",
        "raw",
        "other",
        "finished",
        "grated",
        "second",
        "first",
        "of",
        "with",
        "and",
        "last",
        "same",
    ]
)
_PERSONS = frozenset(
    [
        "would",
        "will",
        "can",
        "must",
        "should",
        "could",
        "'ll",
        "i'll",
        "you'll",
        "we'll",
        "has",
        "have",
        "had",
        "i",
        "we",
        "you",
        "they",
        "she",
        "he",
        "u",
        "gotta",
        "to",
        "then",
        "and",
        "don't",
        "please",
        "now",
        "or",
        "it",
        "who",
        "just",
    ]
)
_VERBAL = frozenset({"process", "cook", "cut", "move"})
_NOUNISH = frozenset(
    {"food", "kind", "mixture", "whole", "part", "place", "shape", "pronoun", "level"}
)


def marks_of(sentence: Sentence, lexicon: Lexicon) -> list[Mark]:
    """What the words of a sentence are, one mark for each word or fixed phrase."""
    tokens = sentence.tokens
    words = [token.text for token in tokens]
    marks: list[Mark] = []
    at = 0
    while at < len(tokens):
        reference = _reference(words, at)
        if reference:
            marks.append(
                _mark("step", words, sentence, at, reference, value=_digits(words, at, reference))
            )
            at += reference
            continue
        timed = time_at(tokens, at)
        length, entries = lexicon.at(words, at)
        if (
            timed
            and not (length > timed[0] and entries)
            and not _counts_food(tokens, at, timed, lexicon)
        ):
            marks.append(_mark("time", words, sentence, at, timed[0], span=timed[1]))
            at += timed[0]
            continue
        if not entries:
            length = 1
        entry = _chosen(entries, marks, words, at, length, lexicon)
        if entry is None:
            if words[at] in ",;:()–—-":
                marks.append(_mark("sign", words, sentence, at, 1, value=words[at]))
            else:
                marks.append(_mark("word", words, sentence, at, 1))
            at += 1
            continue
        marks.append(
            Mark(
                kind=entry.kind, value=entry.value, form=entry.form,
                word=" ".join(words[at : at + length]),
                words=Words(tokens[at].words.start, tokens[at + length - 1].words.end),
            )
        )  # fmt: skip
        at += length
    return marks


def _mark(
    kind: MarkKind,
    words: Sequence[str],
    sentence: Sentence,
    at: int,
    length: int,
    *,
    value: str = "",
    span: Span | None = None,
) -> Mark:
    tokens = sentence.tokens
    return Mark(
        kind=kind,
        value=value,
        span=span,
        word=" ".join(words[at : at + length]),
        words=Words(tokens[at].words.start, tokens[at + length - 1].words.end),
    )


def _reference(words: list[str], at: int) -> int:
    """How many tokens from `at` refer to a numbered step: `(step 2)`, `from step 2`, `(2)`."""
    rest = words[at : at + 6]
    if rest[:1] == ["("] and len(rest) > 2 and rest[1].isdigit() and rest[2] == ")":
        return 3
    if rest[:2] == ["(", "step"] and len(rest) > 3 and rest[3] == ")":
        return 4
    if rest[:1] in (["step"], ["steps"]) and len(rest) > 1 and rest[1][:1].isdigit():
        return (
            3 if len(rest) > 2 and len(rest[2]) == 1 and rest[2].isalpha() and rest[2] != "a" else 2
        )
    return 0


def _digits(words: list[str], at: int, length: int) -> str:
    return next((word for word in words[at : at + length] if word.isdigit()), "")


def _counts_food(
    tokens: Sequence[Token], at: int, timed: tuple[int, Span], lexicon: Lexicon
) -> bool:
    """Whether a number without a unit counts what comes after it."""
    if timed[1].sure or timed[1].extent == "after":
        return False
    after = at + timed[0]
    if after >= len(tokens):
        return False
    _, entries = lexicon.at([t.text for t in tokens], after)
    return any(e.kind in ("food", "kind", "shape", "part", "whole") for e in entries)


def _chosen(
    entries: list[Entry],
    marks: list[Mark],
    words: list[str],
    at: int,
    length: int,
    lexicon: Lexicon,
) -> Entry | None:
    if not entries:
        return None
    previous = words[at - 1] if at else ""
    if len(entries) == 1:
        only = entries[0]
        if (
            only.kind == "pronoun"
            and words[at] in ("that", "this", "these", "those")
            and at + 1 < len(words)
            and any(
                e.kind in ("food", "kind", "mixture", "whole") for e in lexicon.at(words, at + 1)[1]
            )
        ):
            return None
        if (
            only.kind == "pronoun"
            and words[at] in ("that", "this")
            and not (marks and marks[-1].kind == "preposition")
            and length == 1
            and marks
            and (
                marks[-1].kind in ("food", "kind", "mixture", "shape", "place", "pronoun", "word")
                or (
                    at + 1 < len(words)
                    and words[at + 1].isalpha()
                    and not lexicon.phrases.get(words[at + 1])
                )
            )
        ):
            return None
        if only.form == "ing" and only.value in ("mix", "blend") and _noun_here(words, at):
            return None
        if only.kind in _VERBAL and only.form == "finite" and previous in PREPOSITIONS:
            return None
        if (
            only.kind in _VERBAL
            and only.form in ("base", "finite")
            and _noun_here(words, at)
            and not (marks and marks[-1].kind == "pronoun")
        ) and (only.kind != "process" or only.form == "finite"):
            return None
        return only
    following = words[at + length] if at + length < len(words) else ""
    verbs = [e for e in entries if e.kind in _VERBAL]
    nouns = [e for e in entries if e.kind in _NOUNISH]
    others = [e for e in entries if e.kind not in _VERBAL and e.kind not in _NOUNISH]
    if others and not verbs and not nouns:
        return _other(others, previous, following, at)
    if verbs and nouns:
        base = [v for v in verbs if v.form == "base"]
        if (
            base
            and (nouns[0].kind != "food" or not previous.isalnum())
            and previous not in ("the", "a", "an")
            and (
                following
                in ("the", "it", "them", "a", "an", "some", "both", "your", "each", "up", "em")
                or _names_food(lexicon, words, at + length)
            )
        ):
            return base[0]
        if _noun_here(words, at) and any(v.form in ("base", "finite", "ing") for v in verbs):
            past = [v for v in verbs if v.form == "past"]
            return (
                past[0]
                if past and _names_food(lexicon, words, at + length)
                else _noun(nouns, previous)
            )
        if nouns[0].kind == "food":
            object_follows = following in ("the", "it", "them", "both", "together")
            return verbs[0] if object_follows and not previous else nouns[0]
        if all(v.form == "finite" for v in verbs):
            if any(n.kind == "shape" for n in nouns):
                return _noun(nouns, previous, following)
            subject = bool(marks) and marks[-1].kind in ("pronoun", "food", "mixture")
            return (
                verbs[0]
                if subject or previous in ("he", "she", "that", "and")
                else _noun(nouns, previous)
            )
        if previous in ("", ",", ";", ":", "(", "–", "—") or previous in _PERSONS:
            opens = following in (
                "that",
                "is",
                "now",
                "(",
                "=",
                "",
                ",",
                ";",
                ":",
                ")",
                "in",
                "on",
                "and",
                "with",
                "for",
                "goes",
                "go",
                "over",
                "down",
            )
            return (
                _noun(nouns, previous)
                if opens and previous not in ("to", "and", "then", "you")
                else verbs[0]
            )
        return verbs[0] if verbs[0].form in ("past", "ing") else _noun(nouns, previous)
    if verbs:
        return _verb(verbs, previous, at)
    if nouns:
        return _noun(nouns, previous, following)
    return others[0]


def _noun(nouns: list[Entry], previous: str, following: str = "") -> Entry:
    """A part may be a shape: `in slices`, but `a slice of bread`."""
    shapes = [e for e in nouns if e.kind == "shape"]
    if shapes and following != "of":
        kin = [e for e in nouns if e.kind == "kind"]
        if kin and previous in _DETERMINERS and previous not in ("thin", "thick", "big", "small"):
            return kin[0]
        return shapes[0]
    others = [e for e in nouns if e.kind not in ("part", "shape")]
    return (others or nouns)[0]


def _verb(verbs: list[Entry], previous: str, at: int) -> Entry:
    """Past and base may look the same: `cut`, `put`, `set`."""
    order = (
        ("base", "past")
        if not previous or previous in _PERSONS | {",", ";", ":"}
        else ("past", "base")
    )
    kinds = [e.kind for e in verbs]
    pool = [e for e in verbs if e.kind == ("process" if "process" in kinds else verbs[0].kind)]
    for form in order:
        for entry in pool:
            if entry.form == form:
                return entry
    return pool[0]


def _other(entries: list[Entry], previous: str, following: str, at: int) -> Entry:
    kinds = {entry.kind: entry for entry in entries}
    if "no" in kinds and not at and (not following or not following[0].isalnum()):
        return kinds["no"]
    if "negation" in kinds:
        return kinds["negation"]
    if "before" in kinds and "earlier" in kinds:
        return kinds["before"]
    return entries[0]


def _noun_here(words: list[str], at: int) -> bool:
    return at > 0 and words[at - 1] in _DETERMINERS - {"and", "of", "with"} | {"of"}


def _names_food(lexicon: Lexicon, words: list[str], at: int) -> bool:
    if at >= len(words):
        return False
    return any(e.kind in ("food", "kind") for e in lexicon.at(words, at)[1])
