"""What a player concludes from what it sees, the conventions and counting."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from cookmas.solving.hanabi.bits import bits_of
from cookmas.solving.hanabi.conventions import believe, deduce
from cookmas.solving.hanabi.seen import Seen


class Conclusions:
    """The conclusions of a player whose move it is."""

    def __init__(self, seen: Seen) -> None:
        self.game, self.position, self.calls = seen
        self.player = seen.player
        self.bits = bits_of(self.game)
        position = self.position
        self.outlook = self.bits.outlook(position.fireworks, position.discards)
        """What the fireworks and the discards say about each card."""
        self.beliefs = believe(self.bits, position, self.calls)
        """What everyone knows."""
        self.own = self.beliefs.hands[self.player]
        """What clues say about the own hand."""
        self.mine = deduce(self.own, self.outlook.useless, self._find_gone(), self.beliefs.held)
        """What each own card can be."""

    def _find_gone(self) -> int:
        """Return the cards of which the player sees all copies."""
        position, game = self.position, self.game
        gone = self.outlook.gone
        others = (hand for player, hand in enumerate(position.hands) if player != self.player)
        for card, count in Counter(chain.from_iterable(others)).items():
            rank = int(card[1:])
            played = position.fireworks[game.colours.index(card[0])] >= rank
            if count + position.discards.count(card) + played >= game.copies(rank):
                gone |= self.bits.of[card]
        return gone

    def find_all(self, cards: int) -> list[int]:
        """Return the own slots whose cards are surely in a set."""
        return [slot for slot, each in enumerate(self.mine) if not each & ~cards]

    def chance(self, slot: int, cards: int) -> float:
        """Return how many of the cards that the own card can be are in a set, as a share."""
        each = self.mine[slot]
        return (each & cards).bit_count() / each.bit_count()

    def is_busy(self, other: int) -> bool:
        """Return whether a player knows a card to play, or one that is useless."""
        playable, useless = self.outlook.playable, self.outlook.useless
        return any(
            not each & ~playable or not each & ~useless for each in self.beliefs.cards[other]
        )

    def true(self, other: int) -> list[int]:
        """Return the cards of another player, each as a set."""
        return [self.bits.of[card] for card in self.position.hands[other]]
