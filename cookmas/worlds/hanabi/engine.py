"""The rules of Hanabi, as pure functions of positions, and as fast as plain Python allows.

A card is a text of a colour and a rank, such as `R3`. Players and the slots of a hand are numbers
from 0; slot 0 has the oldest card. The rules and the order of all things are those of the Hanabi
Learning Environment (Bard et al. 2020), which OpenSpiel includes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

Kind = Literal["play", "discard", "colour", "rank"]

CARDS_BY_PLAYERS = {2: 5, 3: 5, 4: 4, 5: 4}
"""The number of cards of a hand, by the number of players."""

COPIES_OF_LOWEST, COPIES_OF_HIGHEST, COPIES = 3, 1, 2
"""Copies of each card of the lowest rank, of the highest one, and of those between."""


class Move(NamedTuple):
    """A move of a player."""

    kind: Kind
    """Whether it plays a card, discards one, or tells a colour or a rank."""
    at: int
    """The slot of the card; of a clue, the player who is told."""
    value: str = ""
    """The colour or the rank that a clue tells."""


class Marks(NamedTuple):
    """What all clues have told about one card."""

    colours: str
    """The colours that it can have."""
    ranks: str
    """The ranks that it can have."""
    colour_told: bool = False
    """Whether a clue named its colour."""
    rank_told: bool = False
    """Whether a clue named its rank."""


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
    """What a move led to."""

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

    @property
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
        )

    def moves(self, position: Position) -> Iterator[Move]:
        """Yield the legal moves of the player whose move it is; none at the end of the game.

        A card can be discarded only if a clue token is missing. A clue costs a token, and must be
        true of at least one card.
        """
        if self.is_over(position):
            return
        here = position.player
        slots = range(len(position.hands[here]))
        if position.clues < self.clues:
            for slot in slots:
                yield Move("discard", slot)
        for slot in slots:
            yield Move("play", slot)
        if not position.clues:
            return
        others = [(here + ahead) % self.players for ahead in range(1, self.players)]
        held = {other: "".join(position.hands[other]) for other in others}
        for other, cards in held.items():
            for colour in self.colours:
                if colour in cards:
                    yield Move("colour", other, colour)
        for other, cards in held.items():
            for rank in self.digits:
                if rank in cards:
                    yield Move("rank", other, rank)

    def play(self, position: Position, move: Move) -> Result:
        """Return the result of a legal move.

        A card that is the next of its colour joins the firework, and a completed firework gives
        back a clue token. Any other card is discarded and costs a life.
        """
        left = None if position.left is None else position.left - 1
        after = position._replace(player=(position.player + 1) % self.players, left=left)
        if move.kind in ("colour", "rank"):
            return Result(self._tell(after, move))
        card = position.hands[position.player][move.at]
        colour, rank = self.colours.index(card[0]), int(card[1:])
        played = move.kind == "play" and rank == position.fireworks[colour] + 1
        if played:
            fireworks = (*after.fireworks[:colour], rank, *after.fireworks[colour + 1 :])
            returned = rank == self.ranks and after.clues < self.clues
            after = after._replace(fireworks=fireworks, clues=after.clues + returned)
        elif move.kind == "play":
            after = after._replace(discards=(*after.discards, card), lives=after.lives - 1)
        else:
            after = after._replace(discards=(*after.discards, card), clues=after.clues + 1)
        return Result(self._draw(after, position.player, move.at), card, played)

    def _tell(self, position: Position, move: Move) -> Position:
        hand = position.hands[move.at]
        of_colour = move.kind == "colour"
        marks = tuple(
            mark_colour(each, card, move.value) if of_colour else mark_rank(each, card, move.value)
            for each, card in zip(position.marks[move.at], hand, strict=True)
        )
        every = (*position.marks[: move.at], marks, *position.marks[move.at + 1 :])
        return position._replace(marks=every, clues=position.clues - 1)

    def _draw(self, position: Position, player: int, slot: int) -> Position:
        """Return the position after a player puts a card away and draws the next one.

        At the end of the game nothing is drawn.
        """
        hand, marks = position.hands[player], position.marks[player]
        hand, marks = hand[:slot] + hand[slot + 1 :], marks[:slot] + marks[slot + 1 :]
        deck, left = position.deck, position.left
        if deck and not self.is_over(position):
            hand, marks = (*hand, deck[-1]), (*marks, self.unmarked)
            deck = deck[:-1]
            left = None if deck else self.players
        hands = (*position.hands[:player], hand, *position.hands[player + 1 :])
        every = (*position.marks[:player], marks, *position.marks[player + 1 :])
        return position._replace(deck=deck, hands=hands, marks=every, left=left)

    def is_over(self, position: Position) -> bool:
        """Return whether the game is over.

        It is over if no life is left, all fireworks are complete, or each player has had one more
        move since the last card was drawn.
        """
        if position.lives <= 0 or position.left == 0:
            return True
        return sum(position.fireworks) == self.best

    def score(self, position: Position) -> int:
        """Return the score: the number of cards in fireworks, or 0 if no life is left."""
        return sum(position.fireworks) if position.lives > 0 else 0


def mark_colour(marks: Marks, card: str, colour: str) -> Marks:
    """Return the marks of a card after a clue about a colour."""
    if card[0] == colour:
        return marks._replace(colours=colour, colour_told=True)
    return marks._replace(colours=marks.colours.replace(colour, ""))


def mark_rank(marks: Marks, card: str, rank: str) -> Marks:
    """Return the marks of a card after a clue about a rank."""
    if card[1:] == rank:
        return marks._replace(ranks=rank, rank_told=True)
    return marks._replace(ranks=marks.ranks.replace(rank, ""))
