# ruff: noqa: RUF001 - dashes of prose
"""The first stage for notes: from text to clauses with foods, cues, levels and times.

A cue is a phrase with a role in a request, such as `instead of` or `extra` (`WishCue`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from cookmas.solving.restaurant.reading.text import sentences
from cookmas.solving.restaurant.reading.times import time_at
from cookmas.solving.restaurant.reading.values import HEAT, MarkKind, Span, Words
from cookmas.solving.restaurant.reading.words import Lexicon, WordSense, lexicon_of, load

WISHES = load("wishes")
_JOINTS = frozenset({*",;:–—-()&+/", *WISHES["links"]})
_AFTER_LEVELS = frozenset(WISHES["after_levels"])
_ARTICLES = frozenset({"the", "a", "an", "any", "of", "some", "my", "your"})
_LABELS = frozenset(":–—-")
_SIGNED = re.compile(r"(?:^[ \t]*|(?<=[\s,;(]))[-+](?=([ \t]*)[^\W\d])", re.MULTILINE)
"""A sign before a food: `-onion`, or `- onion` at the beginning of a line."""
_SIGN_CUES = {"-": "🚫", "+": "🔼"}
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
_ASKING: tuple[ItemKind, ...] = ("without", "extra", "more")
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
    for number, sentence in enumerate(sentences(_with_cues(note, table))):
        parts.append(Part(number))
        texts = [_name_of(token.text) for token in sentence.tokens]
        words = [text.removesuffix("'s") for text in texts]
        at = 0
        while at < len(words):
            length, entries = table.at(words, at)
            timed, span = time_at(sentence.tokens, texts, at)
            if span is not None and timed >= length and (span.sure or not entries):
                length = timed
                parts[-1].items.append(NoteItem("time", "", span.words, at, span))
            else:
                apart = parts[-1].has("food", "other") and _asks(table, words, at)
                if words[at] in _JOINTS or apart:
                    parts.append(Part(number, "" if apart else words[at]))
                where = sentence.tokens[at].words.extend_to(sentence.tokens[at + length - 1].words)
                if length == 1 and len(words[at]) == 2 and not where.of(note).isupper():
                    entries = [each for each in entries if each.kind != "level"]  # `Mr`, not `MR`
                item = NoteItem("", " ".join(words[at : at + length]), where, at)
                items = [*_items_for(item, entries, words, at + length, table, foods)]
                parts[-1].items += items
                plain = words[at].split("'")[0] in _PLAIN and length == 1
                sign = not words[at][0].isalnum() and words[at] < "\U0001f000"
                known = plain or sign or words[at][0] in _SIGNS
                if not items and not known:
                    parts[-1].strange.append(where)
            at += length
    parts = _join_labels([part for part in parts if part.items or part.strange])
    for part in parts:
        if part.has("keep") and part.has("out"):
            part.items = [i._replace(kind="without") if i.kind == "out" else i for i in part.items]
    return parts


def _with_cues(note: str, table: Lexicon) -> str:
    """Return a note with a sign of its own for each plus and minus before a food."""

    def cue_of(sign: re.Match[str]) -> str:
        named = re.findall(r"[\w'-]+", note[sign.end() :].lower()[:80])
        opens = note[: sign.start()].rstrip(" \t")[-1:] in ("", "\n", ",", ";")
        asks = (opens or not sign[1]) and table.kinds_at(named, 0) & {"food", "kind"}
        return sign[0][:-1] + _SIGN_CUES[sign[0][-1]] if asks else sign[0]

    return _SIGNED.sub(cue_of, note)


def _name_of(word: str) -> str:
    """Return the name of a picture of a food, such as `onion` for 🧅; other words as they are."""
    pictured = len(word) == 1 and word > "\U0001f000" and word not in _SIGN_CUES.values()
    return unicodedata.name(word, word).lower() if pictured else word


def _join_labels(parts: Sequence[Part]) -> list[Part]:
    """Join a cue that stands alone with the foods beside it: `onion: none`, `ALLERGY! parsley`."""
    out: list[Part] = []
    for part in parts:
        last = out[-1] if out else None
        near = last is not None and last.sentence == part.sentence
        if last is None or last.strange or part.strange:
            out.append(part)
        elif near and part.opened in _LABELS and _only(last, "food") and _only(part, *_ASKING):
            last.items += part.items
        elif _only(last, *_ASKING) and _only(part, "food") and _labels(last, part):
            out[-1] = part
            part.items = [*(cue._replace(at=-1) for cue in last.items), *part.items]
        else:
            out.append(part)
    return out


def _labels(cue: Part, foods: Part) -> bool:
    """Return whether a cue is the label of the foods after it: `NO: onion`, `ALLERGY! parsley`."""
    if cue.sentence != foods.sentence:
        return any(item.value in WISHES["shouted"] for item in cue.items)
    return foods.opened in _LABELS


def _only(part: Part, *kinds: ItemKind) -> bool:
    """Return whether a clause has items of these kinds alone."""
    return bool(part.items) and not part.strange and all(item.kind in kinds for item in part.items)


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
                label = following == ":" or bool(before and before[-1] in _LABELS)
                label = label or bool(table.kinds_at(before[-1:], 0) & _FOODS)
                asked = following[:1].isalnum() or following > "\U0001f000"
                needs = {"no": asked or label, "none": label, "add": _asks(table, words, said.at)}
                if needs.get(said.value, True):
                    yield said._replace(kind=_WISH_CUES[entry.value])
            case "level":
                noun = bool(table.kinds_at([following], 0) & _FOODS)
                noun = noun or "cue" in table.kinds_at(words, end)
                if noun or following in _AFTER_LEVELS or not following[:1].isalnum():
                    yield item
            case _:
                yield item
