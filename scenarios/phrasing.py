"""Notes: a customer's wishes, put into words."""

from __future__ import annotations

import random
from collections.abc import Sequence

from cookmas.kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without
from cookmas.scenarios.wishes import Phrases, WishesFile, levels_of, load_wishes

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
