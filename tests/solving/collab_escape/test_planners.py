"""The greedy players of Collab Escape."""

from __future__ import annotations

from tests.worlds.rooms.opened import ESCAPE, judge


def test_the_greedy_players_do_not_escape_from_every_killer() -> None:
    assert any(not judge(ESCAPE, "greedy", seed=seed).success for seed in range(3))
