"""The greedy players of Collab Capture."""

from __future__ import annotations

from tests.worlds.rooms.opened import CAPTURE, judge, value


def test_the_greedy_players_catch_the_thief_as_fast_as_optimal_play() -> None:
    assert value(judge(CAPTURE, "greedy"), "turns_to_win") == 3
