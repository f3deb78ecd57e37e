"""The readings of "greedy" are computed exactly, and so is the table of the command."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.collab_games.greedy import GreedyReading, choose, play, rows
from tests.worlds.rooms.opened import CAPTURE, judge, opened, step, value


def test_the_first_reading_reaches_what_the_greedy_planner_does() -> None:
    world: Any = opened(CAPTURE)
    reached = play(world, GreedyReading("open", False, "now", "chance"))
    assert reached == (1, 3, 1)
    assert value(judge(CAPTURE, "greedy"), "turns_to_win") == reached.turns


@pytest.mark.parametrize(
    ("reading", "moves"),
    [
        (GreedyReading("open", False, "now", "chance"), [6]),
        (GreedyReading("all", True, "now", "chance"), [0]),
        (GreedyReading("numbers", True, "answer", "chance"), [0]),
    ],
)
def test_a_reading_decides_what_a_player_does_behind_a_closed_door(
    reading: GreedyReading, moves: list[int]
) -> None:
    world: Any = opened(CAPTURE)
    assert choose(world, world.position(world.start()), 0, reading) == moves


def test_ties_are_broken_by_the_order_of_the_map() -> None:
    world: Any = opened(CAPTURE)
    position = world.position(step(world, world.start(), "stay", "stay"))
    assert position.thief == 3
    bob = [
        choose(world, position, 1, GreedyReading("all", False, "now", ties))
        for ties in ("chance", "first", "last")
    ]
    assert bob == [[5, 1], [5], [1]]


def test_the_table_has_the_rates_of_each_reading() -> None:
    world: Any = opened(CAPTURE)
    first, *_, last = rows(world)
    assert first == (
        "| open ways | no | where the thief is | 1.00 | 3.00 | 1.00 | 1.00 | 3.00 | 1.00 | 3.00 |"
    )
    assert last == (
        "| numbers of the rooms | yes | where it goes after the own move "
        "| 1.00 | 6.00 | 0.62 | 1.00 | 3.00 | 0.00 | - |"
    )
