# ruff: noqa: RUF001 - dashes of prose
"""A customer's note to parts: the foods, cues, levels and times of each clause."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from worlds.restaurant.reading.text import sentences
from worlds.restaurant.reading.times import time_at
from worlds.restaurant.reading.values import HEAT, Span, Token, Words
from worlds.restaurant.reading.words import Lexicon, lexicon_of, load

WISHES = load("wishes")
_CUES = ("unchanged", "without", "extra", "swap", "more", "less", "keep", "out", "told", "not")
_JOINTS = frozenset(",;:–—-()")
_LINKS, _AFTER_LEVELS = frozenset(WISHES["links"]), frozenset(WISHES["after_levels"])
_WISHING = frozenset(["i'd", "we'd", "would", "you'd", "to"])
_SAME = frozenset({"food", "kind", "mixture", "whole", "pronoun", "place"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A food of the dish, another food, a cue, a level, a time or a place in a note."""

    kind: str
    value: str
    words: Words
    at: int
    """Its position among the words of its sentence."""
    span: Span | None = None
    passing: bool = False
    """Of a food: whether it only says where, or goes on with a name."""


@dataclass(slots=True)
class Part:
    """A clause of a note."""

    sentence: int
    asks: bool
    opened: str = ""
    items: list[Item] = field(default_factory=list)

    def of(self, *kinds: str) -> list[Item]:
        """Its items of some kinds."""
        return [item for item in self.items if item.kind in kinds]

    def has(self, *kinds: str) -> bool:
        """Whether it has an item of one of the kinds."""
        return any(item.kind in kinds for item in self.items)

    @property
    def wishes(self) -> bool:
        """Whether it has a cue of its own."""
        return self.has("extra", "without", "time", "level", "swap")


@lru_cache(maxsize=8)
def cues_of(ingredients: frozenset[str]) -> Lexicon:
    """The words for foods, together with the phrases of wishes."""
    foods = lexicon_of(ingredients)
    table = Lexicon(kinds=foods.kinds, mixtures=foods.mixtures, sets=foods.sets, numbers={})
    for entries in foods.phrases.values():
        for key, found in entries:
            for entry in found:
                if entry.kind in _SAME or (entry.kind == "process" and entry.value in HEAT):
                    table.add([" ".join(key)], entry.kind, entry.value, entry.form)
    for cue in _CUES:
        table.add(WISHES[cue], "cue", cue)
    for level, phrases in WISHES["levels"].items():
        table.add(phrases, "level", level)
    return table


def parts_of(note: str, table: Lexicon, foods: Collection[str]) -> list[Part]:
    """The clauses of a note that say anything; `foods` are those of the dish."""
    parts: list[Part] = []
    for number, sentence in enumerate(sentences(note)):
        parts.append(Part(number, sentence.asks))
        tokens = sentence.tokens
        words = [token.text.removesuffix("'s") for token in tokens]
        at = 0
        while at < len(words):
            length, found, timed = _items(tokens, words, at, table, foods)
            if words[at] in _JOINTS | _LINKS and not timed:
                parts.append(Part(number, sentence.asks, opened=words[at]))
            parts[-1].items += found
            at += length
    return [part for part in parts if part.items]


def _items(
    tokens: Sequence[Token], words: Sequence[str], at: int, table: Lexicon, foods: Collection[str]
) -> tuple[int, list[Item], bool]:
    """How many words from `at` belong together, what they are, and whether they are a time."""
    length, entries = table.at(words, at)
    timed = time_at(tokens, at) or _bare(tokens, at)
    if timed and not (entries and length > timed[0]):
        where = Words(tokens[at].words.start, tokens[at + timed[0] - 1].words.end)
        return timed[0], [Item(kind="time", value="", words=where, at=at, span=timed[1])], True
    where = Words(tokens[at].words.start, tokens[at + length - 1].words.end)
    stem = words[at].removesuffix("less").removesuffix("-free")
    found: list[Item] = []
    if not entries and stem != words[at] and table.kinds_at([stem], 0) & {"food", "kind"}:
        entries = table.at([stem], 0)[1]
        found.append(Item(kind="without", value="-free", words=where, at=at))
    following = words[at + length] if at + length < len(words) else ""
    phrase = " ".join(words[at : at + length])
    for entry in entries:
        item = Item(kind=entry.kind, value=entry.value, words=where, at=at)
        if entry.kind in ("food", "kind"):
            found += _food(item, words, table, foods)
            break
        if entry.kind == "level" and _is_level(words, at, following, table):
            found.append(item)
        elif entry.kind == "cue" and not _is_empty(entry.value, phrase, following):
            found.append(Item(kind=entry.value, value=phrase, words=where, at=at))
        elif entry.kind not in ("level", "cue"):
            found.append(item)
    return length, found, False


def _bare(tokens: Sequence[Token], at: int) -> tuple[int, Span] | None:
    """`2 more`: minutes without a unit."""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if not tokens[at].text.isdigit() or after not in ("more", "less", "longer", "sooner"):
        return None
    minutes = int(tokens[at].text)
    return 1, Span(minutes, minutes, "plain", tokens[at].words)


def _food(item: Item, words: Sequence[str], table: Lexicon, foods: Collection[str]) -> list[Item]:
    """A food that is named, of the dish or another; none where it is only likened to."""
    before = words[max(0, item.at - 2) : item.at]
    if before[-1:] == ["like"] and not _WISHING & {*before}:
        return []
    if before in (["like", "a"], ["like", "an"]):
        return []
    if item.kind == "kind":
        could = [name for name in table.kinds[item.value] if name in foods]
        after = bool(before) and bool(table.kinds_at(before[-1:], 0) & {"food", "kind"})
        passing = item.value in table.sets["shy"] or after
        return [
            Item(kind="food", value=name, words=item.words, at=item.at, passing=passing)
            for name in could[:1]
        ]
    inside = before[-1:] == ["in"] or before == ["in", "the"]
    kind = "food" if item.value in foods else "other"
    return [Item(kind=kind, value=item.value, words=item.words, at=item.at, passing=inside)]


def _is_level(words: Sequence[str], at: int, following: str, table: Lexicon) -> bool:
    """Whether a word for a level is meant: what follows it is no noun of its own."""
    if "not" in words[max(0, at - 2) : at]:
        return False
    named = bool(table.kinds_at([following], 0) & {"food", "kind", "process"})
    return following in _AFTER_LEVELS or not following[:1].isalnum() or named


def _is_empty(cue: str, phrase: str, following: str) -> bool:
    """Whether a cue says nothing here: a bare `no`, `out of`."""
    bare = cue == "without" and phrase == "no" and not following[:1].isalnum()
    return bare or (cue == "out" and following in ("of", "the"))
