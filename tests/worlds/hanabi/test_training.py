"""Hanabi in numbers: each player from its own place, and environments of both forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from cookmas.bridges.pettingzoo import aec_env, parallel_env
from cookmas.world_names import domain_of
from cookmas.worlds.base.training import Training
from tests.worlds.hanabi.playing import dealt, do, opened, tables

SMALL = {"players": 3, "colours": 2, "ranks": 2, "hand": 2, "clues": 3, "lives": 2}
DECK = ["R1", "Y2", "R2", "Y1", "R1", "Y1"]
TABLE = ("timestep", "player", "clues", "lives", "deck", "left")

ADVICE = pytest.mark.filterwarnings(
    "ignore:We recommend agents:UserWarning", "ignore:Observation:UserWarning"
)
"""How PettingZoo would name agents, and that it would have arrays alone."""


@ADVICE
def test_the_tests_of_pettingzoo_pass_in_both_forms() -> None:
    api_test(aec_env("hanabi/three"), num_cycles=60)
    seed_test(lambda: aec_env("hanabi/small"), num_cycles=30)
    parallel_api_test(parallel_env("hanabi/two"), num_cycles=40)
    parallel_seed_test(lambda: parallel_env("hanabi/small"), num_cycles=30)


def test_clues_are_counted_from_the_player_who_gives_them() -> None:
    world, table = dealt(DECK, **SMALL)
    numbers = domain_of("hanabi").training(world)
    assert numbers.actions[:5] == ("wait", "play(1)", "play(2)", "discard(1)", "discard(2)")
    assert numbers.actions[5:7] == ("clue(+1,red)", "clue(+1,yellow)")
    assert len(numbers.actions) == 1 + 2 * 2 + 2 * 4
    after = do(world, table, "clue(bob,red)")
    for state in (table, after):
        player = state["player"]
        mine, seen = numbers.of(player), world.observe(state, player)
        legal = [mine.text(seen, number) for number in mine.legal(seen, player)]
        assert legal == world.legal(state, player)
    assert numbers.of("cara").text(after, numbers.number["clue(+1,red)"]) == "clue(alice,red)"
    assert numbers.of("bob").text(after, numbers.number["clue(+2,1)"]) == "clue(alice,1)"


def test_each_player_comes_first_in_its_own_arrays() -> None:
    world, table = dealt(DECK, **SMALL)
    table = do(world, table, "clue(bob,red)", "play(1)")
    mine = domain_of("hanabi").training(world).of("bob")
    seen = {name: list(rows) for name, rows in mine.encode(world.observe(table, "bob")).items()}
    assert dict(zip(TABLE, seen["table"][0], strict=True)) == {
        "timestep": 2, "player": 1, "clues": 2, "lives": 1, "deck": 1, "left": -1,
    }  # fmt: skip
    assert seen["fireworks"] == [[0], [0]]
    assert seen["discards"] == [[0], [1], [0], [0]]
    assert [row[:2] for row in seen["hands"]] == [[x, y] for x in range(3) for y in range(2)]
    assert seen["hands"][0] == [0, 0, -1, -1, 0, 0, 0, 1, 1, 1]
    assert seen["hands"][1] == [0, 1, -1, -1, 0, 0, 1, 1, 1, 1]
    assert seen["hands"][2][:6] == [1, 0, 0, 1, 0, 0], "cara's R1"
    assert seen["hands"][5][:6] == [2, 1, 1, 2, 0, 0], "alice's Y2"
    clue, played = mine.number["clue(+1,red)"], mine.number["play(1)"]
    assert seen["recent"] == [[2, clue, -1, -1, 0], [0, played, 0, 2, 0]]


def test_a_game_in_numbers_is_rewarded_by_the_score() -> None:
    env: Any = aec_env("hanabi/small")
    env.reset(seed=1)
    total = dict.fromkeys(env.possible_agents, 0.0)
    draw = np.random.default_rng(1)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        legal = np.flatnonzero(seen["action_mask"])
        env.step(None if terminated or truncated else int(draw.choice(legal)))
    verdict = env.trace().end
    assert verdict.termination in ("won", "lost", "over")
    scores = set(total.values())
    assert len(scores) == 1, "all players share the score"


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
