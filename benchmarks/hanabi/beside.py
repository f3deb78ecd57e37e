"""Compare our Hanabi with that of OpenSpiel, move by move on random games.

    python -m benchmarks.hanabi.beside [GAMES]

Each variant is played GAMES times, by default 200. A seed draws the deck and the moves. In games
with an odd seed no card is played that does not fit, and half of the moves play one that fits, so
that all endings occur. Before each move and at the end these are compared: whose move it is, the
legal moves in their order, what each player sees, with what clues told of each card, the score, and
the ending. The command prints the first difference of each game. The exit code is 1 if there is
any.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pyspiel

from benchmarks.hanabi.notation import write_move, write_view
from benchmarks.recordings import RecordingDifference, report
from cookmas.solving.hanabi.conventions import hide
from cookmas.worlds.hanabi.rules import Game, Move, Position
from cookmas.worlds.hanabi.world import HanabiLevel, HanabiWorld

FULL: tuple[Mapping[str, int], ...] = tuple({"players": players} for players in (2, 3, 4, 5))
"""The variants with the full deck."""

SMALL: tuple[Mapping[str, int], ...] = (
    {"players": 2, "colours": 1, "ranks": 2, "hand": 2, "clues": 2, "lives": 2},
    {"players": 2, "colours": 1, "ranks": 5, "hand": 2, "clues": 3, "lives": 1},
    {"players": 2, "colours": 2, "ranks": 3, "hand": 2, "clues": 3, "lives": 2},
    {"players": 2, "colours": 2, "ranks": 5, "hand": 5, "clues": 8, "lives": 3},
    {"players": 3, "colours": 3, "ranks": 4, "hand": 3, "clues": 1, "lives": 3},
    {"players": 4, "colours": 2, "ranks": 2, "hand": 2, "clues": 3, "lives": 3},
    {"players": 4, "colours": 4, "ranks": 2, "hand": 3, "clues": 5, "lives": 3},
    {"players": 5, "colours": 5, "ranks": 3, "hand": 2, "clues": 8, "lives": 1},
)
"""Variants with fewer colours, ranks, cards or tokens; in two of them all cards are dealt."""


def play_both(variant: Mapping[str, int], seed: int) -> tuple[int, RecordingDifference | None]:
    """Play a random game in both engines; return its number of moves, and the first difference."""
    game, where = HanabiWorld(HanabiLevel.model_validate(variant)).game, f"{dict(variant)}, {seed}"
    draw = Random(seed)
    deck = game.shuffle(draw)
    position, coming = game.deal(deck), iter(deck)
    theirs, moves = load_theirs(game).new_initial_state(), 0
    while True:
        deal_theirs(theirs, coming)
        for field, recorded, ours in _compare(game, position, theirs):
            if recorded != ours:
                difference = RecordingDifference(f"{where}, move {moves}", field, recorded, ours)
                return moves, difference
        if theirs.is_terminal():
            return moves, None
        move = draw_move(game, position, draw, careful=bool(seed % 2))
        theirs.apply_action(theirs.string_to_action(write_move(game, move, position.player)))
        position, moves = game.play(position, move).position, moves + 1


def draw_move(game: Game, position: Position, draw: Random, *, careful: bool) -> Move:
    """Return a random legal move; a careful one plays no card that does not fit."""
    moves = list(game.moves(position))
    if careful:
        fit = [each for each in moves if each.kind == "play" and game.play(position, each).played]
        if fit and draw.random() < 0.5:
            return draw.choice(fit)
        moves = [each for each in moves if each.kind != "play" or each in fit] or moves
    return draw.choice(moves)


def load_theirs(game: Game) -> Any:
    """Return OpenSpiel's game of the same variant."""
    parameters = {
        "players": game.players,
        "colors": len(game.colours),
        "ranks": game.ranks,
        "hand_size": game.hand,
        "max_information_tokens": game.clues,
        "max_life_tokens": game.lives,
    }
    return pyspiel.load_game("hanabi", parameters)


def deal_theirs(theirs: Any, coming: Iterator[str]) -> None:
    """Let OpenSpiel deal the next cards, until it is a player's move or the game is over."""
    while theirs.is_chance_node():
        theirs.apply_action(theirs.string_to_action(f"(Deal {next(coming)})"))


def _compare(game: Game, position: Position, theirs: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name, their value and our value of everything that is compared."""
    yield "over", theirs.is_terminal(), game.is_over(position)
    for player in range(game.players):
        view = write_view(game, hide(position, player), player)
        yield f"the view of player {player}", theirs.observation_string(player), view
    yield "returns", theirs.returns(), [game.score(position)] * game.players
    legal = [] if theirs.is_terminal() else theirs.legal_actions()
    moves = [write_move(game, move, position.player) for move in game.moves(position)]
    yield "legal", [theirs.action_to_string(each) for each in legal], moves
    if legal:
        yield "player", theirs.current_player(), position.player


def main(games: int = 200) -> int:
    """Play all variants; return 0 if the engines agree, 1 if not."""
    return report(play_both(variant, seed) for variant in (*FULL, *SMALL) for seed in range(games))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
