"""The words of the kitchen, from the files in `words/`: which phrase is what."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from files.reading import shipped_yaml
from worlds.restaurant.reading.values import VERBS, Form, MarkKind

FOLDER = Path(__file__).parent / "words"
TAGS: Mapping[str, Form] = {
    "VB": "base", "VBZ": "finite", "VBG": "ing", "VBD": "past", "VBN": "past",
}  # fmt: skip
"""Inflections of a verb, by the tags of the Penn Treebank."""
FOODS: Sequence[MarkKind] = ("kind", "mixture", "whole", "part")


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


def load(name: str) -> Any:
    """The words of a file of the folder."""
    return shipped_yaml(FOLDER / f"{name}.yaml")


class _Inflections(dict[str, list[str]]):
    """The forms of a word under a tag (`chop VBG`), as lemminflect says where they are not kept."""

    def __missing__(self, word: str) -> list[str]:
        from lemminflect import getInflection  # type: ignore[import-untyped]  # slow to import

        stem, _, tag = word.rpartition(" ")
        self[word] = [*getInflection(stem, tag)] or [stem]
        return self[word]


INFLECTIONS = _Inflections(json.loads((FOLDER / "inflections.json").read_text(encoding="utf-8")))
"""Those of the words here and of the shipped menu, made by `python -m benchmarks.inflections`."""


def _inflected(lemma: str, tag: str) -> set[str]:
    """The forms of the first word of a verb, or of the last of a noun, under a tag."""
    words = lemma.split()
    at = 0 if tag.startswith("V") else -1
    prefix, hyphen, stem = words[at].rpartition("-")
    forms = INFLECTIONS[f"{stem} {tag}"]
    found = {" ".join([*words[:at], prefix + hyphen + form, *words[at:][1:]]) for form in forms}
    return found | {form.replace("-", " ") for form in found if tag.startswith("V")}


def _forms(lemmas: Iterable[str], tag: str) -> list[str]:
    return sorted({form for lemma in lemmas for form in _inflected(lemma, tag)})


def _nouns(*nouns: str) -> list[str]:
    return [*nouns, *_forms(nouns, "NNS")]


@lru_cache(maxsize=8)
def lexicon_of(ingredients: frozenset[str]) -> Lexicon:
    """The words of a kitchen with these ingredients."""
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
