"""What a player can know of cards that it does not see, from clues and by counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from random import Random

from cookmas.worlds.hanabi.rules.engine import Game, Marks, Position

UNSEEN = "??"
"""The place of a card that an observer does not see."""


def fits(card: str, marks: Marks) -> bool:
    """Return whether a card can be the one about which these clues were given."""
    return card[0] in marks.colours and card[1:] in marks.ranks


def list_unseen(game: Game, position: Position, *players: int) -> Counter[str]:
    """Return the cards that lie in the deck or in the hands of these players, with their number.

    All of these players know at least this much. Cards that are UNSEEN in other hands count as
    lying in the deck.
    """
    unseen = Counter(game.cards)
    unseen.subtract(position.discards)
    for colour, height in zip(game.colours, position.fireworks, strict=True):
        unseen.subtract(f"{colour}{rank}" for rank in range(1, height + 1))
    others = (hand for player, hand in enumerate(position.hands) if player not in players)
    unseen.subtract(card for card in chain.from_iterable(others) if card != UNSEEN)
    return +unseen


def list_possible(unseen: Counter[str], marks: Sequence[Marks]) -> tuple[Counter[str], ...]:
    """Return for each card of a hand what it can be, with the number of unseen copies.

    `unseen` are the cards that the owner does not see. A card that the owner can name is counted,
    so that it leaves one copy less for the others.
    """
    left = Counter(unseen)
    known: dict[int, str] = {}
    while True:
        possible = [
            Counter({known[slot]: 1})
            if slot in known
            else Counter({card: n for card, n in left.items() if n > 0 and fits(card, each)})
            for slot, each in enumerate(marks)
        ]
        found = {
            slot: next(iter(cards))
            for slot, cards in enumerate(possible)
            if len(cards) == 1 and slot not in known
        }
        if not found:
            return tuple(possible)
        slot, card = next(iter(found.items()))
        known[slot] = card
        left[card] -= 1


def complete_deal(
    position: Position, player: int, hand: tuple[str, ...], unseen: Counter[str], draw: Random
) -> Position:
    """Return the position in which a player has this hand, and the deck the other unseen cards."""
    deck = list((unseen - Counter(hand)).elements())
    draw.shuffle(deck)
    hands = (*position.hands[:player], hand, *position.hands[player + 1 :])
    return position._replace(hands=hands, deck=tuple(deck))


def draw_hand(unseen: Counter[str], marks: Sequence[Marks], draw: Random) -> tuple[str, ...]:
    """Return a random hand that fits the clues; all deals of the unseen cards are equally likely.

    Slots are drawn one after the other. A draw after which a later slot has fewer choices than at
    the start is kept with the probability that makes all deals equally likely (rejection
    sampling).
    """
    cards = list(unseen.elements())
    choices = [[n for n, card in enumerate(cards) if fits(card, each)] for each in marks]
    order = sorted(range(len(marks)), key=lambda slot: len(choices[slot]))
    while True:
        drawn: dict[int, int] = {}
        kept = 1.0
        for slot in order:
            free = [n for n in choices[slot] if n not in drawn.values()]
            kept *= len(free) / len(choices[slot])
            if not free:
                break
            drawn[slot] = draw.choice(free)
        if kept and draw.random() < kept:
            return tuple(cards[drawn[slot]] for slot in range(len(marks)))
