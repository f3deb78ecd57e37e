"""Hanabi plays as that of OpenSpiel, move by move, in all variants and up to all endings."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import benchmarks.hanabi.beside
from benchmarks.hanabi.beside import FULL, SMALL, main, play_both
from benchmarks.hanabi.speed import THEIRS, WORLD, draw_game, play_engine, play_theirs, play_world
from cookmas.worlds.hanabi.rules import Game, Position
from cookmas.worlds.hanabi.world import HanabiLevel, HanabiWorld

GAMES = 8
"""Number of games of each variant."""


@pytest.mark.parametrize("variant", [*FULL, *SMALL])
def test_random_games_agree_with_open_spiel(variant: Mapping[str, int]) -> None:
    for seed in range(GAMES):
        moves, difference = play_both(variant, seed)
        assert difference is None
        assert moves > 0


def test_games_of_all_endings_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    endings = set()
    is_over = Game.is_over

    def watch(game: Game, position: Position) -> bool:
        if over := is_over(game, position):
            complete = sum(position.fireworks) == game.best
            endings.add("lost" if not position.lives else "won" if complete else "over")
        return over

    monkeypatch.setattr(Game, "is_over", watch)
    for seed in range(GAMES):
        play_both(FULL[1], seed)
        play_both(SMALL[2], seed)
    assert endings == {"lost", "won", "over"}


def test_games_without_a_card_to_draw_are_compared_to_their_last_move() -> None:
    """No recording has such a deck: each player has one move, unless all is won before."""
    dealt = [each for each in SMALL if _deal_all(each)]
    assert {each["players"] for each in dealt} == {2, 4}
    for variant in dealt:
        played = [play_both(variant, seed) for seed in range(GAMES)]
        assert max(moves for moves, _ in played) == variant["players"]
        assert not any(difference for _, difference in played)


def _deal_all(variant: Mapping[str, int]) -> bool:
    game = HanabiWorld(HanabiLevel.model_validate(variant)).game
    return len(game.cards) == game.players * game.hand


def test_a_difference_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmarks.hanabi.beside, "FULL", ())
    monkeypatch.setattr(benchmarks.hanabi.beside, "SMALL", SMALL[2:3])
    assert main(2) == 0
    monkeypatch.setattr(Game, "score", lambda game, position: 7)
    assert main(2) == 1
    out = capsys.readouterr().out
    assert "move 0: returns is [0.0, 0.0] as recorded, [7, 7] in ours" in out
    assert "2 of 2 recordings differ" in out


def test_the_games_that_are_timed_are_played_to_their_end() -> None:
    drawn = draw_game(0)
    for play in (play_engine, play_world, play_theirs):
        play(drawn)
    theirs = THEIRS.new_initial_state()
    for action in drawn.actions:
        theirs.apply_action(action)
    position = WORLD.game.deal(drawn.deck)
    for move in drawn.moves:
        position = WORLD.game.play(position, move).position
    assert theirs.is_terminal()
    assert WORLD.game.is_over(position)
    assert theirs.returns()[0] == WORLD.game.score(position)
