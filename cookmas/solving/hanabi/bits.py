"""Sets of cards as bits of a number, which makes deductions fast."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from cookmas.worlds.hanabi.rules import Game, Marks

REMEMBERED = 4096
"""Number of outlooks that are remembered."""


class Outlook(NamedTuple):
    """What the fireworks and the discards say about each card, as sets of cards."""

    playable: int
    """The cards that fireworks need next."""
    useless: int
    """The cards that no firework can take any more."""
    critical: int
    """The cards that some firework needs, and of which one copy is left."""
    gone: int
    """The cards of which no copy is left."""
    reach: int
    """The greatest score that is left."""


class Bits:
    """The cards of a variant, each with a bit."""

    def __init__(self, game: Game) -> None:
        self.game = game
        kinds = [f"{colour}{rank}" for colour in game.colours for rank in game.digits]
        self.of = {card: 1 << place for place, card in enumerate(kinds)}
        self.all = (1 << len(kinds)) - 1
        self.has = {
            value: sum(bit for card, bit in self.of.items() if value in (card[0], card[1:]))
            for value in (*game.colours, *game.digits)
        }
        self._next: dict[tuple[int, ...], int] = {}
        self._fitting: dict[tuple[str, str], int] = {}
        self.outlook = lru_cache(REMEMBERED)(self._outlook)

    def fitting(self, marks: Marks) -> int:
        """Return the cards that fit the clues about a card."""
        key = marks[:2]
        found = self._fitting.get(key)
        if found is None:
            colours, ranks = key
            found = self.any_of(colours) & self.any_of(ranks)
            self._fitting[key] = found
        return found

    def any_of(self, values: Iterable[str]) -> int:
        """Return the cards that have one of these colours or ranks."""
        return sum(self.has[value] for value in values)

    def next(self, heights: Iterable[int]) -> int:
        """Return the cards that fireworks of these heights need next."""
        key = tuple(heights)
        found = self._next.get(key)
        if found is None:
            ranks = self.game.ranks
            each = (
                1 << place * ranks + height for place, height in enumerate(key) if height < ranks
            )
            found = self._next[key] = sum(each)
        return found

    def lowest(self, cards: int) -> int:
        """Return the lowest rank of a set of cards."""
        for rank, digit in enumerate(self.game.digits, 1):
            if cards & self.has[digit]:
                return rank
        raise ValueError("the set is empty")

    def _outlook(self, fireworks: tuple[int, ...], discards: tuple[str, ...]) -> Outlook:
        game = self.game
        useless = critical = gone = reach = 0
        for colour, height in zip(game.colours, fireworks, strict=True):
            dead = False
            reach += height
            for rank in range(1, game.ranks + 1):
                card = f"{colour}{rank}"
                bit = self.of[card]
                played = rank <= height
                left = game.copies(rank) - discards.count(card) - played
                if left == 0:
                    gone |= bit
                dead = dead or (left == 0 and not played)
                if played or dead:
                    useless |= bit
                    continue
                reach += 1
                if left == 1:
                    critical |= bit
        return Outlook(self.next(fireworks), useless, critical, gone, reach)


@cache
def bits_of(game: Game) -> Bits:
    """Return the bits of a variant."""
    return Bits(game)
