"""The vocabulary, from the files in `words/`: the possible meanings of each phrase."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from cookmas.files.yaml_text import load_shipped_yaml
from cookmas.solving.restaurant.reading.values import VERBS, Form, MarkKind

FOLDER = Path(__file__).parent / "words"
TAGS: Mapping[str, Form] = {
    "VB": "base", "VBZ": "finite", "VBG": "ing", "VBD": "past", "VBN": "past",
}  # fmt: skip
"""Forms of a verb, by their tags in the Penn Treebank."""
FOODS: Sequence[MarkKind] = ("kind", "mixture", "whole", "part")


@dataclass(frozen=True, slots=True)
class WordSense:
    """A possible meaning of a phrase."""

    kind: MarkKind
    """Kind of word."""
    value: str
    """The meaning, such as the name of a food or process."""
    form: Form = ""
    """Form of a verb."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """A vocabulary, with facts about foods."""

    phrases: dict[str, list[tuple[tuple[str, ...], list[WordSense]]]] = field(default_factory=dict)
    """Phrases by their first word, the longest first, with their meanings."""
    kinds: Mapping[str, Sequence[str]]
    """Foods of each kind, such as `fish`."""
    mixtures: Mapping[str, Sequence[str]]
    """Typical foods of each mixture."""
    numbers: Mapping[str, int]
    """The numbers that pronouns such as `both` stand for."""
    sets: Mapping[str, frozenset[str]]
    """Sets of foods with a common property."""

    def add(self, phrases: Iterable[str], kind: MarkKind, value: str = "", form: Form = "") -> None:
        """Add a meaning to phrases, after the meanings that they already have."""
        entry = WordSense(kind, value, form)
        for phrase in phrases:
            key = tuple(str(phrase).lower().split())
            known = self.phrases.setdefault(key[0], [])
            entries = next((found for words, found in known if words == key), None)
            if entries is None:
                known.append((key, [entry]))
                known.sort(key=lambda item: -len(item[0]))
            elif entry not in entries:
                entries.append(entry)

    def at(self, words: Sequence[str], start: int) -> tuple[int, list[WordSense]]:
        """Return the longest phrase at `start`: its number of words, and its meanings."""
        if start < len(words):
            for key, entries in self.phrases.get(words[start], ()):
                if tuple(words[start : start + len(key)]) == key:
                    return len(key), entries
        return 1, []

    def kinds_at(self, words: Sequence[str], start: int) -> set[MarkKind]:
        """Return the possible kinds of the phrase at `start`."""
        return {entry.kind for entry in self.at(words, start)[1]}


def load(name: str) -> Any:
    """Return the content of a vocabulary file."""
    return load_shipped_yaml(FOLDER / f"{name}.yaml")


class _Inflections(dict[str, list[str]]):
    """The inflections of words by tag (`chop VBG`); lemminflect computes the missing ones."""

    def __missing__(self, word: str) -> list[str]:
        from lemminflect import getInflection  # type: ignore[import-untyped]  # slow to import

        stem, _, tag = word.rpartition(" ")
        self[word] = [*getInflection(stem, tag)] or [stem]
        return self[word]


INFLECTIONS = _Inflections(json.loads((FOLDER / "inflections.json").read_text(encoding="utf-8")))
"""Inflections of the vocabulary and of the shipped menu, made by `python -m
benchmarks.inflections`."""


def _inflections_of(lemma: str, tag: str) -> set[str]:
    """Return all inflected forms of a phrase under a tag, such as the past tense.

    The first word of a verb is inflected, or the last word of a noun.
    """
    words = lemma.split()
    at = 0 if tag.startswith("V") else -1
    prefix, hyphen, stem = words[at].rpartition("-")
    forms = INFLECTIONS[f"{stem} {tag}"]
    found = {" ".join([*words[:at], prefix + hyphen + form, *words[at:][1:]]) for form in forms}
    return found | {form.replace("-", " ") for form in found if tag.startswith("V")}


def _forms(lemmas: Iterable[str], tag: str) -> list[str]:
    return sorted({form for lemma in lemmas for form in _inflections_of(lemma, tag)})


def _nouns(*nouns: str) -> list[str]:
    return [*nouns, *_forms(nouns, "NNS")]


@lru_cache(maxsize=8)
def lexicon_of(ingredients: frozenset[str]) -> Lexicon:
    """Return the vocabulary of a kitchen with these ingredients."""
    foods, talk, verbs = load("foods"), load("talk"), load("verbs")
    table = Lexicon(
        kinds={k: [f for f in v if f in ingredients] for k, v in foods["kinds"].items()},
        mixtures={k: [f for f in v if f in ingredients] for k, v in foods["mixtures"].items()},
        numbers=talk["numbers"],
        sets={key: frozenset(value) for key, value in foods.items() if isinstance(value, list)},
    )
    groups: Sequence[tuple[MarkKind, Form, Mapping[str, Iterable[str]]]] = (
        ("food", "", {f: _nouns(f, *foods["names"].get(f, ())) for f in sorted(ingredients)}),
        *((kind, "", {noun: _nouns(noun) for noun in foods[f"{kind}s"]}) for kind in FOODS),
        *((kind, form, {value: _forms(lemmas, tag) for value, lemmas in verbs[kind].items()})
          for kind in verbs if kind in VERBS for tag, form in TAGS.items()),
        ("move", "past", verbs["past"]),
        ("place", "", {place: _nouns(*names) for place, names in verbs["places"].items()}),
        ("shape", "", {shape: _forms(names, "NNS") for shape, names in verbs["shapes"].items()}),
        ("shape", "", verbs["single_shapes"]), ("level", "", verbs["levels"]),
        ("pronoun", "", talk["pronouns"]), ("preposition", "", talk["preposition_phrases"]),
        *((kind, "", {phrase: [phrase] for phrase in phrases})
          for kind, phrases in talk.items() if isinstance(phrases, list)),
    )  # fmt: skip
    for kind, form, values in groups:
        for value, phrases in values.items():
            table.add(phrases, kind, value, form)
    return table
