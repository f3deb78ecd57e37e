"""Games of Hanabi for tests: any variant and shipped ones, with random moves."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from cookmas.api import load_scenario
from cookmas.episodes.world import Command
from cookmas.worlds.hanabi.rules import Game, Position
from cookmas.worlds.hanabi.world import HanabiLevel, HanabiWorld, Table

SEEDS = st.integers(0, 2**32)
SCENARIOS = ("small", "two", "five")


@st.composite
def levels(draw: st.DrawFn) -> HanabiLevel:
    """Any variant whose cards suffice for the hands."""
    players, colours, ranks = (draw(st.integers(*each)) for each in ((2, 5), (1, 5), (2, 5)))
    copies = 2 * ranks if ranks > 1 else 1
    most = min(5, colours * copies // players)
    if most == 0:
        players, colours, most = 2, 2, 2
    return HanabiLevel(
        players=players,
        colours=colours,
        ranks=ranks,
        hand=draw(st.integers(1, most)),
        clues=draw(st.integers(1, 8)),
        lives=draw(st.integers(1, 3)),
    )


def positions(game: Game, seed: int) -> Iterator[Position]:
    """Yield the positions of a random game, up to its end; half of all games are careful."""
    draw = Random(seed)
    position = game.deal(game.shuffle(draw))
    yield position
    while moves := list(game.moves(position)):
        if seed % 2:
            sound = [m for m in moves if m.kind != "play" or game.play(position, m).played]
            moves = sound or moves
        position = game.play(position, draw.choice(moves)).position
        yield position


def opened(seed: int = 0, **fields: Any) -> tuple[HanabiWorld, Table]:
    """Return a world, and its table after the deal."""
    world = HanabiWorld(HanabiLevel.model_validate(fields))
    table, _ = world.apply(world.start(), {"kind": "begin", "seed": seed})
    return world, table


def dealt(deck: list[str], **fields: Any) -> tuple[HanabiWorld, Table]:
    """Return a world, and its table after the deal of cards from a list, and then of all others."""
    world = HanabiWorld(HanabiLevel.model_validate(fields))
    rest = list(world.game.cards)
    for card in deck:
        rest.remove(card)
    table, _ = world.receive(world.start(), {"kind": "deal", "deck": [*deck, *rest]})
    return world, table


def do(world: HanabiWorld, table: Table, *actions: str) -> Table:
    """Return the table after these moves, which are all legal."""
    for action in actions:
        player = table["player"]
        table, outcomes, _ = world.step(table, [Command(player, action)])
        assert outcomes[player].done, (player, action)
    return table


def tables(world: HanabiWorld, table: Table, seed: int) -> Iterator[Table]:
    """Yield the tables of a random game."""
    draw = Random(seed)
    yield table
    while world.ending(table) is None:
        table = do(world, table, draw.choice(list(world.legal(table, table["player"]))))
        yield table


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
