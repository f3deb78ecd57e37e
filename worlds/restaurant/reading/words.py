"""The words of the kitchen, from the files in `words/`: which phrase is what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import yaml

from worlds.restaurant.reading.values import Form, MarkKind

FOLDER = Path(__file__).parent / "words"
TAGS: Mapping[str, Form] = {
    "VB": "base", "VBZ": "finite", "VBG": "ing", "VBD": "past", "VBN": "past",
}  # fmt: skip
"""Inflections of a verb, by the tags of the Penn Treebank."""
TALK: Sequence[MarkKind] = (
    "negation", "remark", "wholly", "reason", "until", "times", "before", "earlier", "start",
    "afterwards", "same", "own", "uncut", "together", "likewise", "word", "yes", "no",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a phrase may be."""

    kind: MarkKind
    value: str
    form: Form = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Phrases by their first word, the longest first, and what is known of foods."""

    phrases: dict[str, list[tuple[tuple[str, ...], list[Entry]]]] = field(default_factory=dict)
    kinds: Mapping[str, Sequence[str]]
    mixtures: Mapping[str, Sequence[str]]
    numbers: Mapping[str, int]
    sets: Mapping[str, frozenset[str]]

    def add(self, phrases: Iterable[str], kind: MarkKind, value: str = "", form: Form = "") -> None:
        """Let phrases be of a kind, after what they may be already."""
        entry = Entry(kind, value, form)
        for phrase in phrases:
            key = tuple(str(phrase).lower().split())
            known = self.phrases.setdefault(key[0], [])
            entries = next((found for words, found in known if words == key), None)
            if entries is None:
                known.append((key, [entry]))
                known.sort(key=lambda item: -len(item[0]))
            elif entry not in entries:
                entries.append(entry)

    def at(self, words: Sequence[str], start: int) -> tuple[int, list[Entry]]:
        """The longest phrase that begins at `start`: how many words, and what it may be."""
        if start < len(words):
            for key, entries in self.phrases.get(words[start], ()):
                if tuple(words[start : start + len(key)]) == key:
                    return len(key), entries
        return 1, []

    def kinds_at(self, words: Sequence[str], start: int) -> set[MarkKind]:
        """What the phrase at `start` may be."""
        return {entry.kind for entry in self.at(words, start)[1]}


def load(name: str) -> dict[str, Any]:
    """The words of a file of the folder."""
    with (FOLDER / f"{name}.yaml").open(encoding="utf-8") as file:
        return cast("dict[str, Any]", yaml.safe_load(file))


def plurals(noun: str) -> set[str]:
    """A noun and its plurals."""
    return {noun} | _inflected(noun, "NNS")


def _inflected(lemma: str, tag: str) -> set[str]:
    """The forms of the first word of a verb, or of the last of a noun, under a tag."""
    from lemminflect import getInflection  # type: ignore[import-untyped]  # slow to import

    words = lemma.split()
    at = 0 if tag.startswith("V") else -1
    prefix, hyphen, stem = words[at].rpartition("-")
    forms = getInflection(stem, tag) or (stem,)
    found = {" ".join([*words[:at], prefix + hyphen + form, *words[at:][1:]]) for form in forms}
    return found | {form.replace("-", " ") for form in found if tag.startswith("V")}


@lru_cache(maxsize=8)
def lexicon_of(ingredients: frozenset[str]) -> Lexicon:
    """The words of a kitchen with these ingredients."""
    foods, talk = load("foods"), load("talk")
    table = Lexicon(
        kinds={k: [f for f in v if f in ingredients] for k, v in foods["kinds"].items()},
        mixtures={k: [f for f in v if f in ingredients] for k, v in foods["mixtures"].items()},
        numbers=talk["numbers"],
        sets={key: frozenset(value) for key, value in foods.items() if isinstance(value, list)},
    )
    for name in sorted(ingredients):
        for phrase in (name, *foods["names"].get(name, ())):
            table.add(sorted(plurals(phrase)), "food", name)
    groups: Sequence[tuple[MarkKind, Iterable[str]]] = (
        ("kind", table.kinds), ("mixture", table.mixtures), ("whole", foods["wholes"]),
        ("part", foods["parts"]),
    )  # fmt: skip
    for kind, nouns in groups:
        for noun in nouns:
            table.add(sorted(plurals(noun)), kind, noun)
    _add_verbs(table, load("verbs"))
    for number, names in talk["pronouns"].items():
        table.add(names, "pronoun", number)
    for kind in TALK:
        table.add(talk[kind], kind)
    for word in talk["preposition"]:
        table.add([word], "preposition", word)
    for phrase, value in talk["preposition_phrases"].items():
        table.add([phrase], "preposition", value)
    for word in talk["and"]:
        table.add([word], "and", word)
    return table


def _add_verbs(table: Lexicon, verbs: Mapping[str, Any]) -> None:
    groups: Sequence[tuple[MarkKind, Mapping[str, Sequence[str]]]] = (
        ("process", verbs["processes"]), ("cook", {"cook": verbs["cook"]}),
        ("cut", {"cut": verbs["cut"]}),
    )  # fmt: skip

    def inflect(kind: MarkKind, values: Mapping[str, Sequence[str]]) -> None:
        for value, lemmas in values.items():
            for lemma in lemmas:
                for tag, form in TAGS.items():
                    table.add(sorted(_inflected(lemma, tag)), kind, value, form)

    for kind, values in groups:
        inflect(kind, values)
    for move, words in verbs["past"].items():
        table.add(words, "move", move, "past")
    inflect("move", verbs["moves"])
    for place, names in verbs["places"].items():
        table.add(sorted(form for name in names for form in plurals(name)), "place", place)
    for shape, names in verbs["shapes"].items():
        table.add(
            sorted(form for name in names for form in _inflected(name, "NNS")), "shape", shape
        )
    for shape, names in verbs["single_shapes"].items():
        table.add(names, "shape", shape)
    for level, names in verbs["levels"].items():
        table.add(names, "level", level)
