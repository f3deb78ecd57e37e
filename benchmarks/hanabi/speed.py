"""Measure Hanabi beside OpenSpiel, in the same run and on one core.

    python -m benchmarks.hanabi.speed

Careful random games of two players are drawn beforehand (see `beside`); both engines then play the
same cards and moves, and list the legal moves before each. OpenSpiel is called through its Python
interface, with moves that are numbers already. Two functions of CookMAS are timed: the engine
alone, and `World.step` with the legal actions and the test of the ending. Speeds are moves per CPU
second; the ratios are medians over the rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any, NamedTuple

from benchmarks.hanabi.beside import deal_theirs, draw_move, load_theirs
from benchmarks.hanabi.notation import write_move
from cookmas.episodes.world import Command
from cookmas.worlds.hanabi.rules import Move
from cookmas.worlds.hanabi.world import HanabiLevel, HanabiWorld

GAMES = 60
"""Number of games."""

ROUNDS = 9
"""How often each function is timed, in turns."""

WORLD = HanabiWorld(HanabiLevel(players=2))
THEIRS = load_theirs(WORLD.game)


class Drawn(NamedTuple):
    """A game that was drawn beforehand."""

    deck: list[str]
    """The cards in their order."""
    moves: list[Move]
    """Our moves."""
    actions: list[int]
    """The actions of OpenSpiel: deals and moves."""


def draw_game(seed: int) -> Drawn:
    """Return a careful random game."""
    game, draw = WORLD.game, Random(seed)
    deck = game.shuffle(draw)
    position, coming, theirs = game.deal(deck), iter(deck), THEIRS.new_initial_state()
    moves: list[Move] = []
    while True:
        deal_theirs(theirs, coming)
        if game.is_over(position):
            return Drawn(deck, moves, theirs.history())
        move = draw_move(game, position, draw, careful=True)
        theirs.apply_action(theirs.string_to_action(write_move(game, move, position.player)))
        moves.append(move)
        position = game.play(position, move).position


def play_engine(drawn: Drawn) -> None:
    """Play a game in our engine."""
    game = WORLD.game
    position = game.deal(drawn.deck)
    for move in drawn.moves:
        list(game.moves(position))
        position = game.play(position, move).position


def play_world(drawn: Drawn) -> None:
    """Play a game in our world."""
    state, _ = WORLD.receive(WORLD.start(), {"kind": "deal", "deck": drawn.deck})
    for move in drawn.moves:
        WORLD.legal(state, state["player"])
        state, _, _ = WORLD.step(state, [Command(state["player"], WORLD.text_of(move))])
        WORLD.ending(state)


def play_theirs(drawn: Drawn) -> None:
    """Play a game in OpenSpiel."""
    state: Any = THEIRS.new_initial_state()
    for action in drawn.actions:
        if not state.is_chance_node():
            state.legal_actions()
        state.apply_action(action)


def measure(play: Callable[[Drawn], None], games: list[Drawn]) -> float:
    """Return the moves per CPU second."""
    begin = time.process_time()
    for drawn in games:
        play(drawn)
    return sum(len(drawn.moves) for drawn in games) / (time.process_time() - begin)


def main() -> None:
    """Print the speeds, and the ratios to OpenSpiel."""
    games = [draw_game(seed) for seed in range(GAMES)]
    ways = {"engine": play_engine, "World.step": play_world, "OpenSpiel, in Python": play_theirs}
    rounds = [
        {name: measure(play, games) for name, play in ways.items()} for _ in range(ROUNDS + 1)
    ][1:]
    print("| moves a second | median | range | / OpenSpiel |")
    print("|---|---:|---:|---:|")
    for name in ways:
        speeds = [each[name] for each in rounds]
        ratio = median(each[name] / each["OpenSpiel, in Python"] for each in rounds)
        spread = f"{min(speeds):,.0f} to {max(speeds):,.0f}"
        print(f"| {name} | {median(speeds):,.0f} | {spread} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
