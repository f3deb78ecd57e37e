"""What a policy gets, and games that policies play among themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from cookmas.solving.hanabi.conventions import Calls, hear, no_calls
from cookmas.worlds.hanabi.rules.engine import Game, Move, Position
from cookmas.worlds.hanabi.rules.knowledge import UNSEEN


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
