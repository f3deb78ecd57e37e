"""What customers may ask of each menu item, drawn at random but from a list of what makes sense."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from files.errors import InputError
from files.reading import FileModel, read_model
from kitchen.components import Component
from kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without
from scenarios.menu import load_menu
from scenarios.truth.truth import SHIPPED_TRUTH, load_menu_truth

SHIPPED_WISHES = SHIPPED_TRUTH / "wishes.yaml"
"""What may be asked of the items of the shipped menu."""

_Words = Annotated[list[str], Field(min_length=1)]


class Phrases(FileModel):
    """How a kind of wish is said: `bare` where only one food of the dish can be meant."""

    short: _Words
    full: _Words
    bare: list[str] = Field(default_factory=list)


class LongerEntry(FileModel):
    """A step that may take longer or shorter: `what` is what the customer calls its food."""

    food: str
    process: str
    what: _Words
    minutes: Annotated[list[int], Field(min_length=1)]


class ItemWishes(FileModel):
    """What may be asked of one item."""

    without: list[str] = Field(default_factory=list)
    extra: list[str] = Field(default_factory=list)
    swap: dict[str, _Words] = Field(default_factory=dict)
    longer: list[LongerEntry] = Field(default_factory=list)
    names: dict[str, _Words] = Field(default_factory=dict)


class WishesFile(FileModel):
    """A menu's file of wishes."""

    names: dict[str, _Words]
    levels: dict[str, _Words]
    phrases: dict[str, Phrases]
    places: dict[str, Annotated[list[str], Field(min_length=2, max_length=2)]]
    talk: _Words
    changes: _Words
    plain: _Words
    items: dict[str, ItemWishes]


@lru_cache(maxsize=8)
def load_wishes(path: Path = SHIPPED_WISHES) -> WishesFile:
    """Read a file of wishes. Raises InputError or MissingError."""
    file = read_model(WishesFile, path)
    kinds = ("done", "without", "extra", "swap", "longer", "shorter")
    for kind in kinds:
        if kind not in file.phrases:
            raise InputError(str(path), f"phrases: expected how {kind!r} is said")
    return file


@lru_cache(maxsize=1)
def dishes() -> Mapping[str, tuple[Component, ...]]:
    """The components of each item of the shipped menu."""
    return load_menu_truth(load_menu())


def levels_of(item: str) -> dict[str, tuple[str, str]]:
    """Foods for which the recipe names a level of doneness: process and level."""
    return {
        node.name: (step.process, step.level)
        for component in dishes()[item]
        for node in component.walk()
        for step in node.steps
        if step.level is not None
    }


@lru_cache(maxsize=256)
def offers(item: str) -> Mapping[str, tuple[Customization, ...]]:
    """Everything that may be asked of an item, by kind of wish."""
    doneness = load_menu().doneness
    listed = load_wishes().items[item]
    found: dict[str, list[Customization]] = {
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
    return {kind: tuple(wishes) for kind, wishes in found.items() if wishes}


def draw(item: str, count: int, rng: random.Random) -> tuple[Customization, ...]:
    """Up to `count` wishes for an item, each of another kind and about another food."""
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
