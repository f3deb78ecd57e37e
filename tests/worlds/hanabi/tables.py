"""Tables of Hanabi in the middle of a game, which a seed decides."""

from __future__ import annotations

from random import Random

from cookmas.api import load_scenario
from cookmas.episodes.world import Command
from cookmas.worlds.hanabi.world import HanabiWorld, Table

SCENARIOS = ("small", "two", "five")


def world_of(name: str) -> HanabiWorld:
    world = load_scenario(f"hanabi/{name}").world()
    assert isinstance(world, HanabiWorld)
    return world


def begun(world: HanabiWorld, seed: int) -> Table:
    """Return the table with the cards dealt."""
    state: Table = world.apply(world.start(), {"kind": "begin", "seed": seed})[0]
    return state


def played(world: HanabiWorld, seed: int, moves: int) -> Table:
    """Return the table after random moves, of which few are plays; the last one before the end."""
    state, draw = begun(world, seed), Random(seed)
    for _ in range(moves):
        legal = list(world.legal(state, state["player"]))
        others = [move for move in legal if not move.startswith("play")]
        move = draw.choice(others if others and draw.random() < 0.8 else legal)
        after, _, _ = world.step(state, [Command(state["player"], move)])
        if world.ending(after):
            break
        state = after
    return state
