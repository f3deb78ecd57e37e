"""The policies as players that take seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from cookmas.orchestrator.planner import Observation
from cookmas.solving.hanabi import published
from cookmas.solving.hanabi.conventional import conventional
from cookmas.solving.hanabi.conventions import Calls, Policy, Seen, hear, no_calls
from cookmas.solving.hanabi.search import search
from cookmas.solving.policies import DrawingPolicy
from cookmas.worlds.hanabi.rules import UNSEEN, Game, Move, Position
from cookmas.worlds.hanabi.world import HanabiWorld, Table


def recall(game: Game, position: Position, past: Sequence[tuple[Move, str]]) -> Calls:
    """Return the calls in a position that a player sees, after these moves.

    `past` has each move with the card that it played or discarded. The game is played once more. In
    the place of each unseen card is one that fits the clues about it, so the same clues touch it.
    """
    count = game.players * game.hand
    order = [
        [*range(player * game.hand, (player + 1) * game.hand)] for player in range(game.players)
    ]
    cards: dict[int, str] = {}
    for number, (move, card) in enumerate(past):
        if card:
            places = order[number % game.players]
            cards[places.pop(move.at)] = card
            if count < len(game.cards):
                places.append(count)
                count += 1
    for places, hand, marks in zip(order, position.hands, position.marks, strict=True):
        for place, card, (colours, ranks, *_) in zip(places, hand, marks, strict=True):
            cards[place] = f"{colours[0]}{ranks[0]}" if card == UNSEEN else card
    before = game.deal([cards.get(place, UNSEEN) for place in range(len(game.cards))])
    calls = no_calls(game)
    for move, _ in past:
        after = game.play(before, move).position
        calls = hear(game, calls, before, move, after)
        before = after
    return calls


def see_table(world: HanabiWorld, observed: Table) -> Seen:
    """Return what the player whose move it is observes, without what past moves meant."""
    return Seen(world.game, world.position(observed), no_calls(world.game))


def see(world: HanabiWorld, observed: Table) -> Seen:
    """Return what the player whose move it is knows of a table that it observes."""
    position = world.position(observed)
    past = [(world.move_of(action), card) for action, card in observed["past"]]
    return Seen(world.game, position, recall(world.game, position, past))


def _play(
    policy: Policy, look: Callable[[HanabiWorld, Table], Seen] = see_table
) -> Callable[[Observation[Any], Random], str]:
    """Return the function by which a player follows a policy, which gets what `look` returns.

    Only policies with conventions need to recall the past moves.
    """

    def act(observation: Observation[Any], draw: Random) -> str:
        world = observation.world
        assert isinstance(world, HanabiWorld)
        return world.text_of(policy(look(world, observation.state), draw))

    return act


CAUTIOUS = partial(DrawingPolicy, "cautious", _play(published.cautious))
"""The player that plays only cards that are surely playable."""

INTERNAL = partial(DrawingPolicy, "internal", _play(published.internal))
"""The player that does not remember what it told."""

OUTER = partial(DrawingPolicy, "outer", _play(published.outer))
"""The player that tells only what is new."""

IGGI = partial(DrawingPolicy, "iggi", _play(published.iggi))
"""The player that discards its oldest card."""

PIERS = partial(DrawingPolicy, "piers", _play(published.piers))
"""The player that also plays cards that are probably playable."""

CONVENTIONAL = partial(DrawingPolicy, "conventional", _play(conventional, see))
"""The player that gives and reads clues by conventions."""

SEARCH = partial(DrawingPolicy, "search", _play(search, see))
"""The player that tries its moves on deals that fit what it sees."""
