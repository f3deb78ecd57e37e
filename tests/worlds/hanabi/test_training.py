"""The shapes of Hanabi's numbers for a learner are those that they have."""

from __future__ import annotations

import pytest

from cookmas.world_names import domain_of
from cookmas.worlds.base.training import Training
from tests.worlds.hanabi.playing import opened, tables


@pytest.mark.parametrize(("players", "hand"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_each_array_has_the_shape_that_was_told(players: int, hand: int) -> None:
    world, table = opened(7, players=players, colours=2, ranks=5)
    numbers: Training = domain_of("hanabi").training(world)
    shapes = numbers.list_arrays()
    assert shapes["hands"].rows == players * hand
    for each in tables(world, table, 7):
        for player in world.workers[:2]:
            found = numbers.of(player).encode(world.observe(each, player))
            assert found.keys() == shapes.keys()
            for name, rows in found.items():
                assert {len(row) for row in rows} <= {len(shapes[name].columns)}
                few = name in ("hands", "recent")
                assert len(rows) <= shapes[name].rows if few else len(rows) == shapes[name].rows
