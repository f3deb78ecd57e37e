"""A sentence's tokens to marks: which words are foods, verbs, places, times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from worlds.restaurant.reading.times import time_at
from worlds.restaurant.reading.values import VERBS, Mark, MarkKind, Sentence, Span, Words
from worlds.restaurant.reading.words import Entry, Lexicon, load

_TALK = load("talk")
_DETERMINERS, _SUBJECTS = frozenset(_TALK["determiners"]), frozenset(_TALK["subjects"])
_OBJECTS, _GOINGS = frozenset(_TALK["objects"]), frozenset(_TALK["goings"])
_SIGNS = frozenset(",;:()–—-")  # noqa: RUF001 - a dash of prose
_NAMES = frozenset[MarkKind]({"food", "kind", "mixture", "whole"})
_NOUNISH = _NAMES | {"part", "place", "shape", "pronoun", "level"}


class _Place(NamedTuple):
    """A phrase among the words of its sentence, and the mark before it."""

    words: Sequence[str]
    at: int
    length: int
    lexicon: Lexicon
    mark: Mark | None

    @property
    def word(self) -> str:
        return self.words[self.at]

    @property
    def previous(self) -> str:
        return self.words[self.at - 1] if self.at else ""

    @property
    def following(self) -> str:
        after = self.at + self.length
        return self.words[after] if after < len(self.words) else ""

    @property
    def opens(self) -> bool:
        """Whether nothing but a sign stands before it."""
        return not self.previous or self.previous in _SIGNS

    def next_kinds(self) -> set[MarkKind]:
        """What the phrase after it may be."""
        return self.lexicon.kinds_at(self.words, self.at + self.length)


def marks_of(sentence: Sentence, lexicon: Lexicon) -> list[Mark]:
    """What the words of a sentence are, one mark for each word or fixed phrase."""
    tokens = sentence.tokens
    words = [token.text for token in tokens]
    marks: list[Mark] = []
    at = 0
    while at < len(tokens):
        length, entry, span = _at(sentence, words, at, lexicon, marks[-1] if marks else None)
        where = Words(tokens[at].words.start, tokens[at + length - 1].words.end)
        phrase = " ".join(words[at : at + length])
        marks.append(
            Mark(
                kind=entry.kind, value=entry.value, form=entry.form, word=phrase, words=where,
                span=span,
            )
        )  # fmt: skip
        at += length
    return marks


def _at(
    sentence: Sentence, words: Sequence[str], at: int, lexicon: Lexicon, before: Mark | None
) -> tuple[int, Entry, Span | None]:
    """How many words from `at` are one thing, and which."""
    if reference := _reference(words, at):
        digits = next(word for word in words[at : at + reference] if word[0].isdigit())
        return reference, Entry("step", digits), None
    timed = time_at(sentence.tokens, at)
    length, entries = lexicon.at(words, at)
    place = _Place(words, at, length, lexicon, before)
    if timed and not (entries and length > timed[0]) and not _counts(words, timed, place):
        return timed[0], Entry("time", ""), timed[1]
    if entry := _chosen(entries, place):
        return length, entry, None
    sign = words[at] in _SIGNS
    return 1, Entry("sign", words[at]) if sign else Entry("word", ""), None


def _reference(words: Sequence[str], at: int) -> int:
    """How many tokens from `at` refer to a numbered step: `(step 2)`, `from step 2`, `(2)`."""
    rest = words[at : at + 4]
    if rest[0] == "(" and rest[2:3] == [")"] and rest[1].isdigit():
        return 3
    if rest[0] in ("step", "steps") and len(rest) > 1 and rest[1].isdigit():
        letter = len(rest) > 2 and len(rest[2]) == 1 and rest[2].isalpha() and rest[2] != "a"
        return 3 if letter else 2
    return 4 if rest[0] == "(" and rest[1:2] == ["step"] and rest[3:] == [")"] else 0


def _counts(words: Sequence[str], timed: tuple[int, Span], place: _Place) -> bool:
    """Whether a number without a unit counts what comes after it."""
    length, span = timed
    if span.sure or span.extent == "after":
        return False
    return bool(place.lexicon.kinds_at(words, place.at + length) & (_NAMES | {"shape", "part"}))


def _chosen(entries: Sequence[Entry], place: _Place) -> Entry | None:
    """Which of the things that a phrase may be it is here; None where it is just a word."""
    verbs = [entry for entry in entries if entry.kind in VERBS]
    nouns = [entry for entry in entries if entry.kind in _NOUNISH]
    if verbs and (not nouns or _is_verb(verbs, nouns, place)):
        return _verb(verbs, place, alone=not nouns)
    if nouns:
        return _noun(nouns, place)
    return _other(entries, place)


def _is_verb(verbs: Sequence[Entry], nouns: Sequence[Entry], place: _Place) -> bool:
    """Whether what may be a verb or a noun is a verb."""
    food = nouns[0].kind == "food"
    names_food = bool(place.next_kinds() & {"food", "kind"})
    forms = {verb.form for verb in verbs}
    object_ = place.following in _OBJECTS or names_food
    named = food and place.previous.isalnum() and place.previous not in ("and", "to")
    if "base" in forms and object_ and not named and place.previous not in ("the", "a", "an"):
        return True
    if nouns[0].kind == "part" and place.opens and place.following in ("in", "into"):
        return True
    if place.previous in _DETERMINERS and forms != {"past"}:
        return "past" in forms and names_food
    if food:
        return place.following in ("the", "it", "them", "both", "together") and not place.previous
    if forms == {"finite"}:
        subject = place.mark is not None and place.mark.kind in ("pronoun", "food", "mixture")
        shape = any(noun.kind == "shape" for noun in nouns)
        return not shape and (subject or place.previous in ("he", "she", "that", "and"))
    if place.opens or place.previous in _SUBJECTS:
        goes_on = not place.following or place.following in _GOINGS
        return not goes_on or place.previous in ("to", "and", "then", "you")
    return verbs[0].form in ("past", "ing")


def _verb(verbs: Sequence[Entry], place: _Place, *, alone: bool) -> Entry | None:
    """Which verb; past and base may look the same: `cut`, `put`, `set`."""
    only = verbs[0]
    determined = place.previous in _DETERMINERS
    if alone and len(verbs) == 1:
        if only.form == "finite" and place.lexicon.kinds_at([place.previous], 0) & {"preposition"}:
            return None
        if determined and only.form == "ing" and only.value in ("mix", "blend"):
            return only if place.following == "of" else None
        noun = only.form == "finite" or (only.form == "base" and only.kind != "process")
        if determined and noun and not (place.mark and place.mark.kind == "pronoun"):
            return None
    order = ("base", "past") if place.opens or place.previous in _SUBJECTS else ("past", "base")
    process = [verb for verb in verbs if verb.kind == "process"]
    pool = process or [verb for verb in verbs if verb.kind == only.kind]
    return min(pool, key=lambda verb: order.index(verb.form) if verb.form in order else 2)


def _noun(nouns: Sequence[Entry], place: _Place) -> Entry | None:
    """Which noun; a part may be a shape: `in slices`, but `a slice of bread`."""
    if nouns[0].kind == "pronoun" and _points(place):
        return None
    shapes = [noun for noun in nouns if noun.kind == "shape"]
    if shapes and place.following != "of":
        kinds = [noun for noun in nouns if noun.kind == "kind"]
        sized = place.previous in ("thin", "thick", "big", "small")
        return kinds[0] if kinds and place.previous in _DETERMINERS and not sized else shapes[0]
    return next((noun for noun in nouns if noun.kind not in ("part", "shape")), nouns[0])


def _points(place: _Place) -> bool:
    """Whether `that` or the like only stands before a noun, or joins a clause."""
    if place.length > 1 or place.word not in ("that", "this", "these", "those"):
        return False
    if place.next_kinds() & _NAMES:
        return True
    if place.word in ("these", "those") or place.mark is None or place.mark.kind == "preposition":
        return False
    unknown = place.following.isalpha() and not place.lexicon.phrases.get(place.following)
    joining = _NAMES | {"shape", "place", "pronoun", "word"}
    return unknown or (place.mark.kind in joining and place.mark.kind != "whole")


def _other(entries: Sequence[Entry], place: _Place) -> Entry | None:
    kinds = {entry.kind: entry for entry in entries}
    alone = not place.at and not place.following[:1].isalnum()
    order: Sequence[MarkKind] = ("no", "negation", "before") if alone else ("negation", "before")
    return next((kinds[kind] for kind in order if kind in kinds), entries[0] if entries else None)
