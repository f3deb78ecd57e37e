"""The greedy players of Collab Escape."""

from __future__ import annotations

import pytest

from cookmas.solving.collab_escape.planners import list_steps
from cookmas.worlds.collab_escape.world import EscapeWorld
from tests.worlds.rooms.opened import ESCAPE, judge, opened


def test_the_greedy_players_do_not_escape_from_every_killer() -> None:
    assert any(not judge(ESCAPE, "greedy", seed=seed).success for seed in range(3))


@pytest.mark.parametrize(
    ("room", "fixes", "goal"),
    [
        (1, (0, 0), 0),
        (1, (1, 0), 0),
        (1, (2, 0), 6),
        (6, (2, 0), 0),
        (1, (2, 2), 7),
        (6, (2, 2), 7),
    ],
)
def test_who_is_greedy_fixes_what_is_broken_and_then_leaves(
    room: int, fixes: tuple[int, int], goal: int
) -> None:
    """The generators are in the rooms 1 and 6, and the exit is room 7; 0 is a fix here."""
    world = opened(ESCAPE)
    assert isinstance(world, EscapeWorld)
    state = {**world.start(), "fixes": {1: fixes[0], 6: fixes[1]}}
    state["players"] = {"alice": room, "bob": 2}
    steps = list_steps(world, state, "alice")
    if goal == 0:
        assert list(steps) == [world.act]
        return
    near, reached = {goal}, 0
    while room not in near:
        near |= {each for each, ways in world.ways.items() if near & {*ways}}
        reached += 1
    within = {goal}
    for _ in range(reached - 1):
        within |= {each for each, ways in world.ways.items() if within & {*ways}}
    assert {*steps} == {f"move({each})" for each in world.ways[room] if each in within}
