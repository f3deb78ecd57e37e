"""The search for the quickest dish: what it finds, and how few situations it keeps for that."""

from __future__ import annotations

import pytest

from cookmas.solving.cuisineworld.quickest import find_quickest
from cookmas.worlds.cuisineworld.rules.book import build_kitchen
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask, start
from cookmas.worlds.cuisineworld.rules.kitchen import Agent


@pytest.mark.parametrize(
    ("at", "command", "within", "kept"),
    [("servingtable0", "put", 1, 0), ("blender0", "goto", 2, 1)],
)
def test_a_dish_in_hand_is_served_without_a_search(
    at: str, command: str, within: int, kept: int
) -> None:
    kitchen, dish = build_kitchen("level_0", "1.0", 1), "salmonMeatcake"
    state = start(CuisineTask(kitchen=kitchen, stream=()))._replace(agents=(Agent(at, dish),))
    found = find_quickest(kitchen, state, dish, 0, kept)
    assert found == ({f"{command}_agent0_servingtable0"}, within)
