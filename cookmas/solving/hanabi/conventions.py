"""Conventions: what a clue means beyond its words, and what a player concludes by them.

The meaning of a clue comes from public facts alone. The chop of a hand is its oldest card that no
clue has touched; it is discarded next.

- A clue of a rank that touches the chop saves it, or calls it to be played: a firework needs it
  next, or it is the last copy of a useful card, or it is a useful 2.
- Any other clue calls a card to be played: the newest of those that it touches for the first time,
  or else the newest that it touches. A firework needs a called card next, perhaps after other cards
  that hands are known to hold.
- Clues touch only useful cards, and no second copy of a card that a hand is known to hold.

Nothing is concluded from what a player could have done instead. If the meaning of a clue is
impossible, it means its words alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import NamedTuple

from cookmas.solving.hanabi.bits import Bits, Outlook, bits_of
from cookmas.worlds.hanabi.rules import UNSEEN, Game, Marks, Move, Position

REMEMBERED = 256
"""Number of positions of which the common knowledge is remembered."""

Calls = tuple[tuple[int, ...], ...]
"""For each card of each hand what it can be by the conventions, as a set of cards; 0: anything."""


class CluedHand(NamedTuple):
    """What clues say about the cards of a hand."""

    fitting: Sequence[int]
    """For each card the set of cards that fit the clues."""
    touched: Sequence[bool]
    """Whether a clue has touched the card."""
    calls: Sequence[int]
    """The calls of the hand."""

    def find_chop(self) -> int | None:
        """Return the slot of the chop; None if clues have touched all cards."""
        return self.touched.index(False) if False in self.touched else None

    def tell(self, cards: int, told: Sequence[bool]) -> CluedHand:
        """Return the hand after a clue about a set of cards, without its meaning.

        `told` says of each slot whether the clue touches it.
        """
        fitting = [
            each & cards if yes else each & ~cards
            for each, yes in zip(self.fitting, told, strict=True)
        ]
        touched = [old or yes for old, yes in zip(self.touched, told, strict=True)]
        return self._replace(fitting=fitting, touched=touched)

    def call(self, slot: int, cards: int) -> CluedHand:
        """Return the hand after a card has been called, which is one of a set."""
        return self._replace(calls=(*self.calls[:slot], cards, *self.calls[slot + 1 :]))


class Beliefs(NamedTuple):
    """What everyone knows if all follow the conventions."""

    hands: tuple[CluedHand, ...]
    """What clues say about each hand."""
    cards: tuple[list[int], ...]
    """What each card of each hand can be."""
    heights: tuple[int, ...]
    """The fireworks, as soon as all known cards that can follow are played."""
    held: int
    """The useful cards that some hand is known to hold."""


def no_calls(game: Game) -> Calls:
    """Return the calls at the start of a game."""
    return ((0,) * game.hand,) * game.players


def deduce(hand: CluedHand, useless: int, gone: int, held: int) -> list[int]:
    """Return what each card of a hand can be, if all follow the conventions.

    `useless` are the cards that no firework can take, `gone` those of which no copy is left for the
    hand, and `held` those that another hand is known to hold.
    """
    left, useful, other, single = ~gone, ~useless, ~held, 0
    found = []
    for cards, touched, call in zip(*hand, strict=True):
        cards = cards & left or cards
        if touched:
            cards = cards & call or cards
            cards = cards & useful or cards
            cards = cards & other or cards
            if not cards & (cards - 1):
                single |= cards
        found.append(cards)
    if single:
        for slot, cards in enumerate(found):
            if hand.touched[slot] and cards & (cards - 1):
                found[slot] = cards & ~single or cards
    return found


def believe(bits: Bits, position: Position, calls: Calls) -> Beliefs:
    """Return what everyone knows in a position."""
    outlook = bits.outlook(position.fireworks, position.discards)
    return _believe(bits, outlook, position.fireworks, position.marks, calls)


@lru_cache(REMEMBERED)
def _believe(
    bits: Bits,
    outlook: Outlook,
    fireworks: tuple[int, ...],
    marks: tuple[tuple[Marks, ...], ...],
    calls: Calls,
) -> Beliefs:
    hands = tuple(
        CluedHand(
            [bits.fitting(each) for each in row], [each[2] or each[3] for each in row], called
        )
        for row, called in zip(marks, calls, strict=True)
    )
    gone, useless = outlook.gone, outlook.useless
    cards = tuple(deduce(hand, useless, gone, 0) for hand in hands)
    held = 0
    for hand, found in zip(hands, cards, strict=True):
        for touched, each in zip(hand.touched, found, strict=True):
            if touched and not each & (each - 1):
                held |= each
    held &= ~useless
    if held:
        for hand, found in zip(hands, cards, strict=True):
            for slot, each in enumerate(found):
                if hand.touched[slot] and each & (each - 1):
                    found[slot] = each & ~held or each
    heights = list(fireworks)
    ranks = bits.game.ranks
    for place, height in enumerate(heights):
        while height < ranks and held >> place * ranks + height & 1:
            height += 1
        heights[place] = height
    return Beliefs(hands, cards, tuple(heights), held)


def interpret(
    bits: Bits, outlook: Outlook, beliefs: Beliefs, player: int, move: Move, told: Sequence[bool]
) -> CluedHand:
    """Return a hand after a clue with its meaning; `told` says of each slot whether it touches."""
    before = beliefs.hands[player]
    after = before.tell(bits.has[move.value], told)
    slots = [slot for slot, yes in enumerate(told) if yes]
    fresh = [slot for slot in slots if not before.touched[slot]]
    meant = bits.next(beliefs.heights)
    chop = before.find_chop()
    if move.kind == "rank" and chop in fresh:
        assert chop is not None
        focus = chop
        meant |= outlook.critical
        if move.value == "2":
            meant |= ~outlook.useless
    else:
        focus = max(fresh or slots)
    meant &= after.fitting[focus] & ~outlook.useless
    if not fresh:
        meant = meant & before.calls[focus] or meant or before.calls[focus]
    return after.call(focus, meant)


def hear(game: Game, calls: Calls, before: Position, move: Move, after: Position) -> Calls:
    """Return the calls after a move, which follow from public facts."""
    kind, at, value = move
    if kind in ("colour", "rank"):
        bits = bits_of(game)
        cards = bits.has[value]
        told = [not bits.fitting(each) & ~cards for each in after.marks[at]]
        outlook = bits.outlook(before.fireworks, before.discards)
        hand = interpret(bits, outlook, believe(bits, before, calls), at, move, told)
        return (*calls[:at], tuple(hand.calls), *calls[at + 1 :])
    player = before.player
    own = calls[player]
    own = own[:at] + own[at + 1 :]
    if len(own) < len(after.hands[player]):
        own = (*own, 0)
    return (*calls[:player], own, *calls[player + 1 :])


class Seen(NamedTuple):
    """What a player knows when it moves."""

    game: Game
    """The variant of the game."""
    position: Position
    """The position, with the own cards and the deck unseen."""
    calls: Calls
    """What the moves so far mean by the conventions, which follows from public facts."""

    @property
    def player(self) -> int:
        """The player, whose move it is."""
        return self.position.player


Policy = Callable[[Seen, Random], Move]
"""A function that returns the move of a player; all that it draws comes from the second one."""


def hide(position: Position, player: int) -> Position:
    """Return a position as a player sees it: its own cards and the deck are unseen."""
    hands = position.hands
    unseen = (UNSEEN,) * len(hands[player])
    return position._replace(
        deck=(UNSEEN,) * len(position.deck),
        hands=(*hands[:player], unseen, *hands[player + 1 :]),
    )


def play_out(
    game: Game, position: Position, calls: Calls, policies: Sequence[Policy], draw: Random
) -> Position:
    """Return the position at the end of a game; `policies` are those of the players in order."""
    while not game.is_over(position):
        player = position.player
        move = policies[player](Seen(game, hide(position, player), calls), draw)
        after = game.play(position, move).position
        calls = hear(game, calls, position, move, after)
        position = after
    return position


def play_deal(game: Game, policies: Sequence[Policy], seed: int) -> Position:
    """Return the position at the end of the game with the deck and the draws of a seed."""
    draw = Random(f"{seed}/deal")
    return play_out(game, game.deal(game.shuffle(draw)), no_calls(game), policies, draw)


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
