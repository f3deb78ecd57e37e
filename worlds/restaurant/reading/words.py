"""The words of the kitchen, from the files in `words/`: which phrase is what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import yaml
from lemminflect import getInflection  # type: ignore[import-untyped]

from worlds.restaurant.reading.values import Form, MarkKind

FOLDER = Path(__file__).parent / "words"
TAGS: tuple[tuple[str, Form], ...] = (
    ("VB", "base"), ("VBZ", "finite"), ("VBG", "ing"), ("VBD", "past"), ("VBN", "past"),
)  # fmt: skip
PREPOSITIONS = [
    "in",
    "into",
    "on",
    "onto",
    "over",
    "under",
    "with",
    "to",
    "from",
    "for",
    "of",
    "through",
    "by",
    "at",
    "between",
    "among",
    "beside",
    "around",
    "round",
    "inside",
    "underneath",
    "beneath",
    "against",
    "next",
    "upon",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a phrase may be."""

    kind: MarkKind
    value: str
    form: Form = ""


@dataclass(slots=True)
class Lexicon:
    """Phrases by their first word, the longest first, and what is known of foods."""

    phrases: dict[str, list[tuple[tuple[str, ...], list[Entry]]]] = field(default_factory=dict)
    kinds: Mapping[str, list[str]] = field(default_factory=dict)
    mixtures: Mapping[str, list[str]] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    sets: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def add(self, phrase: str, kind: MarkKind, value: str = "", form: Form = "") -> None:
        """Let `phrase` be of a kind, after what it may be already."""
        key = tuple(phrase.lower().split())
        entries = self.phrases.setdefault(key[0], [])
        entry = Entry(kind, value, form)
        for known, found in entries:
            if known == key:
                if entry not in found:
                    found.append(entry)
                return
        entries.append((key, [entry]))
        entries.sort(key=lambda item: -len(item[0]))

    def at(self, words: list[str], start: int) -> tuple[int, list[Entry]]:
        """The longest phrase that begins at `start`: how many words, and what it may be."""
        for key, entries in self.phrases.get(words[start], ()):
            if tuple(words[start : start + len(key)]) == key:
                return len(key), entries
        return 1, []


def _inflected(lemma: str, tag: str) -> set[str]:
    """The forms of the first word of a verb, or of the last of a noun, under a tag."""
    verb = tag.startswith("V")
    words = lemma.split()
    at = 0 if verb else -1
    prefix, _, stem = words[at].rpartition("-")
    forms = getInflection(stem, tag) or (stem,)
    out = set()
    for form in forms:
        changed = [*words]
        changed[at] = f"{prefix}-{form}" if prefix else form
        out.add(" ".join(changed))
    return out


def plurals(noun: str) -> set[str]:
    """A noun and its plurals."""
    return {noun} | _inflected(noun, "NNS")


def load(name: str) -> dict[str, Any]:
    """The words of a file of the folder."""
    with (FOLDER / f"{name}.yaml").open(encoding="utf-8") as file:
        return cast("dict[str, Any]", yaml.safe_load(file))


@lru_cache(maxsize=8)
def lexicon_of(ingredients: frozenset[str]) -> Lexicon:
    """The words of a kitchen with these ingredients."""
    foods, verbs, talk = load("foods"), load("verbs"), load("talk")
    table = Lexicon(
        kinds={k: [f for f in v if f in ingredients] for k, v in foods["kinds"].items()},
        mixtures={k: [f for f in v if f in ingredients] for k, v in foods["mixtures"].items()},
        numbers=talk["numbers"],
        sets={
            key: frozenset(foods[key])
            for key in ("parts", "never_raw", "never_whole", "always_cold", "uncut", "shy")
        },
    )
    for name in sorted(ingredients):
        for phrase in (name, *foods["names"].get(name, ())):
            for form in plurals(phrase):
                table.add(form, "food", name)
    for kind in ("kinds", "mixtures"):
        for noun in foods[kind]:
            for form in plurals(noun):
                table.add(form, "kind" if kind == "kinds" else "mixture", noun)
    for noun in foods["wholes"]:
        for form in plurals(noun):
            table.add(form, "whole", noun)
    for noun in foods["parts"]:
        for form in plurals(noun):
            table.add(form, "part", noun)
    _add_verbs(table, verbs)
    for place, names in verbs["places"].items():
        for name in names:
            for form in {name} | (set() if name.startswith(("hot", "salted")) else plurals(name)):
                table.add(form, "place", place)
    for shape, names in verbs["shapes"].items():
        for name in names:
            for form in _inflected(name, "NNS"):
                table.add(form, "shape", shape)
    table.add("dice", "shape", "chop")
    table.add("wedge", "shape", "slice")
    for level, names in verbs["levels"].items():
        for name in names:
            table.add(name, "level", level)
    for number, names in talk["pronouns"].items():
        for name in names:
            table.add(name, "pronoun", number)
    for key, kind in (
        ("negations", "negation"), ("remarks", "remark"), ("wholly", "wholly"),
        ("reasons", "reason"),
        ("untils", "until"), ("times", "times"), ("befores", "before"), ("earlier", "earlier"),
        ("afterwards", "afterwards"), ("same", "same"), ("own", "own"), ("whole", "uncut"),
        ("together", "together"), ("likewise", "likewise"), ("neutral", "word"),
        ("assent", "yes"), ("dissent", "no"),
    ):  # fmt: skip
        for phrase in talk[key]:
            table.add(str(phrase), cast("MarkKind", kind))
    for word in PREPOSITIONS:
        table.add(word, "preposition", word)
    for phrase, value in (
        ("on top", "on"), ("on top of", "on"), ("over the top", "over"), ("to the top", "on"),
        ("on it all", "on"), ("out of", "from"), ("off", "off"),
    ):  # fmt: skip
        table.add(phrase, "preposition", value)
    for word in ("so", "and", "n", "plus", "then", "but", "or", "&", "+"):
        table.add(word, "and", word)
    return table


def _add_verbs(table: Lexicon, verbs: Mapping[str, Any]) -> None:
    def add(lemma: str, kind: MarkKind, value: str) -> None:
        for tag, form in TAGS:
            for word in _inflected(lemma, tag):
                for spelling in {word, word.replace("-", " ")}:
                    table.add(spelling, kind, value, form)

    for process, lemmas in verbs["processes"].items():
        for lemma in lemmas:
            add(lemma, "process", process)
    for lemma in verbs["cook"]:
        add(lemma, "cook", "cook")
    for lemma in verbs["cut"]:
        add(lemma, "cut", "cut")
    for move, words in verbs["past"].items():
        for word in words:
            table.add(word, "move", move, "past")
    for move, lemmas in verbs["moves"].items():
        for lemma in lemmas:
            add(lemma, "move", move)
