"""The rules of Hanabi, as pure functions of positions, and as fast as plain Python allows.

A card is a text of a colour and a rank, such as `R3`. Players and the slots of a hand are numbers
from 0; slot 0 has the oldest card. The rules and the order of all things are those of the Hanabi
Learning Environment (Bard et al. 2020), which OpenSpiel includes.

What a player can know of cards that it does not see follows from clues and by counting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from random import Random
from typing import Literal, NamedTuple

Kind = Literal["play", "discard", "colour", "rank"]

CARDS_BY_PLAYERS = {2: 5, 3: 5, 4: 4, 5: 4}
"""The number of cards of a hand, by the number of players."""

COPIES_OF_LOWEST, COPIES_OF_HIGHEST, COPIES = 3, 1, 2
"""Copies of each card of the lowest rank, of the highest one, and of those between."""


class Move(NamedTuple):
    """A move of a player."""

    kind: Kind
    """Its kind: a play, a discard, or a clue about a colour or a rank."""
    at: int
    """The slot of the card, or the player who gets the clue."""
    value: str = ""
    """The colour or the rank that a clue tells."""


class Marks(NamedTuple):
    """The content of all clues about one card."""

    colours: str
    """The colours that it can have."""
    ranks: str
    """The ranks that it can have."""
    colour_told: bool = False
    """True if a clue named its colour."""
    rank_told: bool = False
    """True if a clue named its rank."""


class Position(NamedTuple):
    """Everything about a game at one point; players see a part of it."""

    deck: tuple[str, ...]
    """The cards to draw, the next one last."""
    hands: tuple[tuple[str, ...], ...]
    """The cards of each player."""
    marks: tuple[tuple[Marks, ...], ...]
    """The marks of each of these cards."""
    fireworks: tuple[int, ...]
    """The highest rank that was played of each colour; 0 for none."""
    discards: tuple[str, ...]
    """The cards that were discarded or misplayed, in their order."""
    clues: int
    """The clue tokens that are left."""
    lives: int
    """The life tokens that are left."""
    player: int
    """The player whose move it is."""
    left: int | None = None
    """The moves that are left, once the deck is empty; None before that."""


class Result(NamedTuple):
    """The outcome of a move."""

    position: Position
    """The position after it."""
    card: str = ""
    """The card that was played or discarded."""
    played: bool = False
    """Whether the card belongs to a firework now."""


@dataclass(frozen=True)
class Game:
    """A variant of the game; the constructor does not check its numbers."""

    players: int
    """Number of players."""
    colours: str
    """The colours, a letter each."""
    ranks: int
    """The highest rank; the lowest is 1."""
    hand: int
    """Number of cards of a hand."""
    clues: int
    """Clue tokens at the start, which are also the most."""
    lives: int
    """Life tokens at the start."""

    @cached_property
    def digits(self) -> str:
        """The ranks as texts."""
        return "".join(str(rank) for rank in range(1, self.ranks + 1))

    @cached_property
    def unmarked(self) -> Marks:
        """The marks of a card about which nothing was told."""
        return Marks(self.colours, self.digits)

    @cached_property
    def best(self) -> int:
        """The highest score."""
        return len(self.colours) * self.ranks

    def copies(self, rank: int) -> int:
        """Return the number of copies of each card of a rank."""
        if rank == 1:
            return COPIES_OF_LOWEST
        return COPIES_OF_HIGHEST if rank == self.ranks else COPIES

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """All cards, by colour and rank."""
        return tuple(
            f"{colour}{rank}"
            for colour in self.colours
            for rank in range(1, self.ranks + 1)
            for _ in range(self.copies(rank))
        )

    def shuffle(self, draw: Random) -> list[str]:
        """Return a shuffled deck, the first card first."""
        deck = list(self.cards)
        draw.shuffle(deck)
        return deck

    def deal(self, deck: Sequence[str]) -> Position:
        """Return the position at the start, with the cards of `deck` dealt from its beginning.

        The first player gets a whole hand, then the second one, and so on.
        """
        count, size = self.players, self.hand
        return Position(
            deck=tuple(reversed(deck[count * size :])),
            hands=tuple(tuple(deck[x * size : (x + 1) * size]) for x in range(count)),
            marks=((self.unmarked,) * size,) * count,
            fireworks=(0,) * len(self.colours),
            discards=(),
            clues=self.clues,
            lives=self.lives,
            player=0,
            left=None if len(deck) > count * size else count,
        )

    def moves(self, position: Position) -> Iterator[Move]:
        """Yield the legal moves of the player whose move it is; none at the end of the game.

        A card can be discarded only if a clue token is missing. A clue costs a token, and must be
        true of at least one card.
        """
        if self.is_over(position):
            return
        plays, discards, clues = self._listed
        size = len(position.hands[position.player])
        if position.clues < self.clues:
            yield from discards[:size]
        yield from plays[:size]
        if not position.clues:
            return
        here, hands = position.player, position.hands
        others = (*range(here + 1, self.players), *range(here))
        held = [(clues[other], "".join(hands[other])) for other in others]
        for values in (self.colours, self.digits):
            for told, cards in held:
                for value in values:
                    if value in cards:
                        yield told[value]

    @cached_property
    def _listed(self) -> tuple[tuple[Move, ...], tuple[Move, ...], tuple[dict[str, Move], ...]]:
        """All plays and discards by slot, and all clues by player and value."""
        slots, players = range(self.hand), range(self.players)
        told: tuple[tuple[Kind, str], ...] = (("colour", self.colours), ("rank", self.digits))
        return (
            tuple(Move("play", slot) for slot in slots),
            tuple(Move("discard", slot) for slot in slots),
            tuple(
                {value: Move(kind, player, value) for kind, values in told for value in values}
                for player in players
            ),
        )

    def play(self, position: Position, move: Move) -> Result:
        """Return the result of a legal move.

        A card that is the next of its colour joins the firework, and a completed firework gives
        back a clue token. Any other card is discarded and costs a life. The player draws the next
        card, except at the end of the game.
        """
        deck, hands, marks, fireworks, discards, clues, lives, player, left = position
        left = None if left is None else left - 1
        after = (player + 1) % self.players
        if move.kind in ("colour", "rank"):
            told = _tell(marks[move.at], hands[move.at], move)
            marks = (*marks[: move.at], told, *marks[move.at + 1 :])
            return Result(
                Position(deck, hands, marks, fireworks, discards, clues - 1, lives, after, left)
            )
        card = hands[player][move.at]
        colour, rank = self.colours.index(card[0]), int(card[1:])
        played = move.kind == "play" and rank == fireworks[colour] + 1
        if played:
            fireworks = (*fireworks[:colour], rank, *fireworks[colour + 1 :])
            clues += rank == self.ranks and clues < self.clues
        elif move.kind == "play":
            discards, lives = (*discards, card), lives - 1
        else:
            discards, clues = (*discards, card), clues + 1
        drawn: tuple[str, ...] = ()
        if deck and lives > 0 and sum(fireworks) < self.best:
            drawn, deck = deck[-1:], deck[:-1]
            left = None if deck else self.players
        slot, hand, known = move.at, hands[player], marks[player]
        hand = (*hand[:slot], *hand[slot + 1 :], *drawn)
        known = (*known[:slot], *known[slot + 1 :], *((self.unmarked,) if drawn else ()))
        hands = (*hands[:player], hand, *hands[player + 1 :])
        marks = (*marks[:player], known, *marks[player + 1 :])
        return Result(
            Position(deck, hands, marks, fireworks, discards, clues, lives, after, left),
            card,
            played,
        )

    def is_over(self, position: Position) -> bool:
        """Return whether the game is over.

        It is over if no life is left, all fireworks are complete, or each player has had one more
        move since the last card was drawn or dealt.
        """
        if position.lives <= 0 or position.left == 0:
            return True
        return sum(position.fireworks) == self.best

    def score(self, position: Position) -> int:
        """Return the score: the number of cards in fireworks, or 0 if no life is left."""
        return sum(position.fireworks) if position.lives > 0 else 0


def _tell(marks: tuple[Marks, ...], hand: tuple[str, ...], clue: Move) -> tuple[Marks, ...]:
    """Return the marks of a hand after a clue."""
    mark = mark_colour if clue.kind == "colour" else mark_rank
    return tuple([mark(each, card, clue.value) for each, card in zip(marks, hand, strict=True)])


def mark_colour(marks: Marks, card: str, colour: str) -> Marks:
    """Return the marks of a card after a clue about a colour."""
    colours, ranks, told, rank_told = marks
    if card[0] == colour:
        return Marks(colour, ranks, True, rank_told)
    return (
        Marks(colours.replace(colour, ""), ranks, told, rank_told) if colour in colours else marks
    )


def mark_rank(marks: Marks, card: str, rank: str) -> Marks:
    """Return the marks of a card after a clue about a rank."""
    colours, ranks, colour_told, told = marks
    if card[1:] == rank:
        return Marks(colours, rank, colour_told, True)
    return Marks(colours, ranks.replace(rank, ""), colour_told, told) if rank in ranks else marks


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
