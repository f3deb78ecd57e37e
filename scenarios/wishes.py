"""The wishes that customers may have for each menu item, drawn at random, and put into words."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from cookmas.files.errors import InputError
from cookmas.files.reading import FileModel, read_model
from cookmas.kitchen.components import Component
from cookmas.kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.truth import SHIPPED_TRUTH, load_menu_truth

SHIPPED_WISHES = SHIPPED_TRUTH / "wishes.yaml"
"""The file that lists the possible wishes for the shipped menu."""

_Words = Annotated[list[str], Field(min_length=1)]


class Phrases(FileModel):
    """The phrases for one kind of wish."""

    short: _Words
    """Clauses that can be part of a sentence."""
    full: _Words
    """Whole sentences."""
    bare: list[str] = Field(default_factory=list)
    """Sentences without the name of the food, for a dish in which only one food can be meant."""


class LongerEntry(FileModel):
    """A step that may take longer or shorter than in the recipe."""

    food: str
    """A food of the step."""
    process: str
    """The process of the step."""
    what: _Words
    """The customer's names for the food of the step."""
    minutes: Annotated[list[int], Field(min_length=1)]
    """The possible changes in minutes; negative for shorter."""


class ItemWishes(FileModel):
    """The possible wishes for one menu item."""

    without: list[str] = Field(default_factory=list)
    """The foods that a customer may leave out."""
    extra: list[str] = Field(default_factory=list)
    """The foods that a customer may double."""
    swap: dict[str, _Words] = Field(default_factory=dict)
    """The possible replacements of each food."""
    longer: list[LongerEntry] = Field(default_factory=list)
    """The steps whose minutes may change."""
    names: dict[str, _Words] = Field(default_factory=dict)
    """The customer's names for a food of this item, which replace those of the whole file."""


class WishesFile(FileModel):
    """The file of the possible wishes for a menu."""

    names: dict[str, _Words]
    """The customer's names for a food; a food without an entry goes by its own name."""
    levels: dict[str, _Words]
    """The customer's words for a level of doneness."""
    phrases: dict[str, Phrases]
    """The phrases for each kind of wish."""
    places: dict[str, Annotated[list[str], Field(min_length=2, max_length=2)]]
    """For each process, the words for food that is at its station and for food that leaves it.

    For example, `on the grill` and `off the grill`.
    """
    talk: _Words
    """Sentences that ask for nothing."""
    changes: _Words
    """Openings of a note that replaces an earlier one."""
    plain: _Words
    """Sentences that ask for the unchanged dish."""
    items: dict[str, ItemWishes]
    """The possible wishes for each menu item."""


@lru_cache(maxsize=8)
def load_wishes(path: Path = SHIPPED_WISHES) -> WishesFile:
    """Load a file of wishes. Raises InputError or MissingError."""
    file = read_model(WishesFile, path)
    kinds = ("done", "without", "extra", "swap", "longer", "shorter")
    for kind in kinds:
        if kind not in file.phrases:
            raise InputError(str(path), f"phrases: expected the phrases for {kind!r}")
    return file


@lru_cache(maxsize=1)
def dishes() -> Mapping[str, tuple[Component, ...]]:
    """Return the components of each item of the shipped menu."""
    return load_menu_truth(load_menu())


def levels_of(item: str) -> dict[str, tuple[str, str]]:
    """Return each food that is cooked to a level of doneness in an item, with process and level."""
    return {
        node.name: (step.process, step.level)
        for component in dishes()[item]
        for node in component.walk()
        for step in node.steps
        if step.level is not None
    }


@lru_cache(maxsize=256)
def offers(item: str) -> Mapping[str, tuple[Customization, ...]]:
    """Return all possible wishes for an item, by kind of wish."""
    doneness = load_menu().doneness
    listed = load_wishes().items[item]
    offers_by_kind: dict[str, list[Customization]] = {
        "done": [
            Done(food=food, level=level)
            for food, (process, usual) in levels_of(item).items()
            for level in doneness[food, process].levels
            if level != usual
        ],
        "without": [Without(food=food) for food in listed.without],
        "extra": [Extra(food=food) for food in listed.extra],
        "swap": [Swap(food=food, by=by) for food, others in listed.swap.items() for by in others],
        "longer": [
            Longer(food=entry.food, process=entry.process, minutes=minutes)
            for entry in listed.longer
            for minutes in entry.minutes
        ],
    }
    return {kind: tuple(wishes) for kind, wishes in offers_by_kind.items() if wishes}


def draw(item: str, count: int, rng: random.Random) -> tuple[Customization, ...]:
    """Choose at most `count` wishes for an item, of different kinds and about different foods."""
    offered = offers(item)
    kinds = rng.sample(sorted(offered), len(offered))
    wishes: list[Customization] = []
    for kind in kinds:
        taken = {food for wish in wishes for food in _foods(wish)}
        free = [wish for wish in offered[kind] if taken.isdisjoint(_foods(wish))]
        if free and len(wishes) < count:
            wishes.append(rng.choice(free))
    return tuple(wishes)


def _foods(wish: Customization) -> set[str]:
    return {wish.food, wish.by} if isinstance(wish, Swap) else {wish.food}


_IN_A_LIST = (Swap, Longer, Done, Extra, Without)
"""The sequence in which a note lists several wishes, by their type.

Omissions come last, so that their "no" is not read as part of the next wish.
"""

_NUMBERS = {1: "one", 2: "two", 3: "three"}


def say(item: str, wishes: Sequence[Customization], rng: random.Random) -> str:
    """Return a note that asks for exactly these wishes, sometimes with small talk added."""
    voice = _Voice(item, rng)
    if len(wishes) > 1 and rng.random() < 0.5:
        ordered = sorted(wishes, key=lambda wish: _IN_A_LIST.index(type(wish)))
        clauses = [voice.short(wish) for wish in ordered]
        note = _sentence(", ".join(clauses[:-1]) + f" and {clauses[-1]}", rng)
    elif len(wishes) == 1 and rng.random() < 0.35:
        note = _sentence(voice.short(wishes[0]), rng)
    else:
        note = " ".join(voice.full(wish) for wish in wishes)
    if rng.random() >= 0.25:
        return note
    talk = rng.choice(load_wishes().talk)
    return f"{note} {talk}" if rng.random() < 0.6 else f"{talk} {note}"


def say_again(item: str, wishes: Sequence[Customization], rng: random.Random) -> str:
    """Return a note that replaces an earlier one; without wishes, it asks for the plain dish."""
    words = say(item, wishes, rng) if wishes else rng.choice(load_wishes().plain)
    return f"{rng.choice(load_wishes().changes)} {words}" if rng.random() < 0.5 else words


def _sentence(clause: str, rng: random.Random) -> str:
    ending = rng.choice((", please.", " please.", ", thanks.", "."))
    return _capital(clause) + ending


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class _Voice:
    """The choice of words for the wishes of one customer about one menu item."""

    def __init__(self, item: str, rng: random.Random) -> None:
        self._item = item
        self._rng = rng
        self._file: WishesFile = load_wishes()
        self._listed = self._file.items[item]

    def short(self, wish: Customization) -> str:
        return self._fill(self._rng.choice(self._phrases(wish).short), wish)

    def full(self, wish: Customization) -> str:
        phrases = self._phrases(wish)
        bare = phrases.bare if self._only_level() else []
        return _capital(self._fill(self._rng.choice([*phrases.full, *bare]), wish))

    def _only_level(self) -> bool:
        return len(levels_of(self._item)) == 1

    def _phrases(self, wish: Customization) -> Phrases:
        match wish:
            case Done():
                return self._file.phrases["done"]
            case Without():
                return self._file.phrases["without"]
            case Extra():
                return self._file.phrases["extra"]
            case Swap():
                return self._file.phrases["swap"]
            case Longer():
                return self._file.phrases["longer" if wish.minutes > 0 else "shorter"]

    def _fill(self, phrase: str, wish: Customization) -> str:
        match wish:
            case Done():
                levels = self._file.levels.get(wish.level, [wish.level])
                level = self._rng.choice(levels)
                return phrase.format(food=self._name(wish.food), level=level)
            case Swap():
                return phrase.format(food=self._names(wish.food)[0], by=self._names(wish.by)[0])
            case Longer():
                return self._fill_longer(phrase, wish)
            case _:
                return phrase.format(food=self._name(wish.food))

    def _fill_longer(self, phrase: str, wish: Longer) -> str:
        what = next(
            entry.what
            for entry in self._listed.longer
            if (entry.food, entry.process) == (wish.food, wish.process)
        )
        place, off = self._file.places[wish.process]
        minutes = abs(wish.minutes)
        number = self._rng.choice((str(minutes), _NUMBERS[minutes]))
        return phrase.format(
            food=self._rng.choice(what),
            place=place,
            off=off,
            process=wish.process,
            time=f"{number} minute{'s' if minutes > 1 else ''}",
        )

    def _name(self, food: str) -> str:
        return self._rng.choice(self._names(food))

    def _names(self, food: str) -> Sequence[str]:
        return self._listed.names.get(food) or self._file.names.get(food, [food])
