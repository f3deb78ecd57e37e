# ruff: noqa: RUF001 - dashes of prose
"""The first stage for notes: from text to clauses with foods, cues, levels and times.

A cue is a phrase with a role in a request, such as `instead of` or `extra` (`WishCue`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from cookmas.worlds.restaurant.reading.text import sentences
from cookmas.worlds.restaurant.reading.times import time_at
from cookmas.worlds.restaurant.reading.values import HEAT, MarkKind, Span, Words
from cookmas.worlds.restaurant.reading.words import Lexicon, WordSense, lexicon_of, load

WISHES = load("wishes")
_JOINTS = frozenset({*",;:–—-()&+/", *WISHES["links"]})
_AFTER_LEVELS = frozenset(WISHES["after_levels"])
_ARTICLES = frozenset({"the", "a", "an", "any", "of", "some", "my", "your"})
_SIGNS = frozenset("0123456789½¼¾⅓⅔,;:()=+&/°'–—-")
_PLAIN = frozenset(str(word) for word in WISHES["plain"])
_FOODS = frozenset({"food", "kind", "process"})
_SAME = _FOODS | {"mixture", "whole", "pronoun", "place"}


WishCue = Literal[
    "without", "extra", "swap", "more", "less", "unchanged", "keep", "out", "told", "not", "wanted",
    "apart", "condition",
]  # fmt: skip
"""The role of a phrase in a request; `words/wishes.yaml` lists the phrases of each."""
ItemKind = MarkKind | WishCue | Literal["", "other"]
_WISH_CUES: Mapping[str, WishCue] = {cue: cue for cue in get_args(WishCue)}


class NoteItem(NamedTuple):
    """A meaningful phrase of a note."""

    kind: ItemKind
    """A food of the dish, another food, a cue, a level, a time or a place."""
    value: str
    """The meaning of the phrase, such as the name of a food or process."""
    words: Words
    """Its words in the text."""
    at: int
    """Its position among the words of its sentence."""
    span: Span | None = None
    """The minutes, if the phrase is a time."""
    alike: Sequence[str] = ()
    """Other foods of the dish that the phrase may mean, as in `all the vegetables`."""
    passing: Literal["", "where", "name"] = ""
    """For a food: `where` if it only names a place, `name` if it only continues a name."""


@dataclass(slots=True)
class Part:
    """A clause of a note."""

    sentence: int
    """Number of its sentence."""
    opened: str = ""
    """The sign or word before the clause."""
    items: list[NoteItem] = field(default_factory=list)
    """Its phrases, in order."""
    strange: list[Words] = field(default_factory=list)
    """Its words that the reader knows nothing of."""

    def of(self, *kinds: ItemKind) -> list[NoteItem]:
        """Return the items of these kinds."""
        return [item for item in self.items if item.kind in kinds]

    def has(self, *kinds: ItemKind) -> bool:
        """Return whether the clause has an item of one of these kinds."""
        return any(item.kind in kinds for item in self.items)


@lru_cache(maxsize=8)
def cues_of(ingredients: frozenset[str]) -> Lexicon:
    """Return the vocabulary of notes: the words for foods, and the phrases of requests."""
    foods = lexicon_of(ingredients)
    table = Lexicon(kinds=foods.kinds, mixtures=foods.mixtures, sets=foods.sets, numbers={})
    for key, found in (each for entries in foods.phrases.values() for each in entries):
        for entry in found:
            if entry.kind in _SAME and (entry.kind != "place" or entry.value in HEAT):
                table.add([" ".join(key)], entry.kind, entry.value, entry.form)
            if entry.kind in ("food", "kind"):
                free = [" ".join(key) + ending for ending in ("less", "-free")]
                table.add(free, "cue", "without")
                table.add(free, entry.kind, entry.value)
    for cue, phrases in WISHES["cues"].items():
        table.add(phrases, "cue", cue)
    for level, phrases in WISHES["levels"].items():
        table.add(phrases, "level", level)
    return table


def parts_of(note: str, table: Lexicon, foods: Collection[str]) -> list[Part]:
    """Return the clauses of a note that have items; `foods` names the foods of the dish."""
    parts: list[Part] = []
    for number, sentence in enumerate(sentences(note)):
        parts.append(Part(number))
        texts = [token.text for token in sentence.tokens]
        words = [text.removesuffix("'s") for text in texts]
        at = 0
        while at < len(words):
            length, entries = table.at(words, at)
            timed, span = time_at(sentence.tokens, texts, at)
            if span is not None and timed >= length:
                length = timed
                parts[-1].items.append(NoteItem("time", "", span.words, at, span))
            else:
                apart = parts[-1].has("food", "other") and _asks(table, words, at)
                if words[at] in _JOINTS or apart:
                    parts.append(Part(number, "" if apart else words[at]))
                where = sentence.tokens[at].words.extend_to(sentence.tokens[at + length - 1].words)
                item = NoteItem("", " ".join(words[at : at + length]), where, at)
                items = [*_items_for(item, entries, words, at + length, table, foods)]
                parts[-1].items += items
                plain = words[at].split("'")[0] in _PLAIN and length == 1
                known = plain or words[at][0] in _SIGNS
                if not items and not known:
                    parts[-1].strange.append(where)
            at += length
    for part in parts:
        if part.has("keep") and part.has("out"):
            part.items = [i._replace(kind="without") if i.kind == "out" else i for i in part.items]
    return [part for part in parts if part.items or part.strange]


def _asks(table: Lexicon, words: Sequence[str], at: int) -> bool:
    """Return whether a word asks for the food after it: `no onion`, `extra of the cheese`."""
    length, entries = table.at(words, at)
    after = at + length
    while words[after : after + 1] and words[after] in _ARTICLES:
        after += 1
    cue = any(entry.kind == "cue" and entry.value in ("without", "extra") for entry in entries)
    named = table.kinds_at(words, after) | {entry.kind for entry in entries}
    return cue and bool(named & {"food", "kind"})


def _items_for(
    said: NoteItem, entries: Sequence[WordSense], words: Sequence[str], end: int, table: Lexicon,
    foods: Collection[str],
) -> Iterator[NoteItem]:  # fmt: skip
    """Yield the items that a phrase may stand for.

    `said` has the text of the phrase as its value, and `entries` are the meanings of the phrase.
    `end` is the position of the word after the phrase.
    """
    before = words[max(0, said.at - 2) : said.at]
    following = words[end] if end < len(words) else ""
    where: Literal["", "where"] = "where" if " ".join(before) in WISHES["passing"] else ""
    for entry in entries:
        item = said._replace(kind=entry.kind, value=entry.value)
        match entry.kind:
            case "food":
                kind: ItemKind = "food" if entry.value in foods else "other"
                yield item._replace(kind=kind, passing=where)
                return
            case "kind":
                name = entry.value in table.sets["shy"] or table.kinds_at(before[-1:], 0) & _FOODS
                if names := [name for name in table.kinds[entry.value] if name in foods]:
                    food = item._replace(kind="food", value=names[0], alike=names[1:])
                    yield food._replace(passing=where or ("name" if name else ""))
                    return
            case "mixture":
                own = (name for name in table.mixtures[entry.value] if name in foods)
                yield item._replace(value=next(own, ""))
            case "cue":
                if following[:1].isalnum() or said.value != "no":
                    yield said._replace(kind=_WISH_CUES[entry.value])
            case "level":
                noun = bool(table.kinds_at([following], 0) & _FOODS)
                noun = noun or "cue" in table.kinds_at(words, end)
                if noun or following in _AFTER_LEVELS or not following[:1].isalnum():
                    yield item
            case _:
                yield item
