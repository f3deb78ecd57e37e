"""The policies as players that take seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.base.planners.partners import draw_for
from cookmas.worlds.hanabi.engine import Game, Move, Position
from cookmas.worlds.hanabi.knowledge import UNSEEN
from cookmas.worlds.hanabi.policies import published
from cookmas.worlds.hanabi.policies.conventional import conventional
from cookmas.worlds.hanabi.policies.conventions import Calls, hear, no_calls
from cookmas.worlds.hanabi.policies.rules import random_move
from cookmas.worlds.hanabi.policies.search import search
from cookmas.worlds.hanabi.policies.seen import Policy, Seen
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


class HanabiPlayer:
    """The base of the players; each follows a policy."""

    name: str
    policy: Policy
    look: Callable[[HanabiWorld, Table], Seen] = staticmethod(see_table)
    """What the policy gets. Only policies with conventions need to recall the past moves."""
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def act(self, observation: Observation[Any]) -> str:
        """Return the move of the policy."""
        world = observation.world
        assert isinstance(world, HanabiWorld)
        seen = type(self).look(world, observation.state)
        return world.text_of(type(self).policy(seen, draw_for(self._seed, observation)))


class RandomHanabiPlayer(HanabiPlayer):
    """A player that draws a legal move."""

    name = "random"
    policy = staticmethod(random_move)


class CautiousPlayer(HanabiPlayer):
    """A player that plays only cards that are surely playable."""

    name = "cautious"
    policy = staticmethod(published.cautious)


class InternalPlayer(HanabiPlayer):
    """A player that does not remember what it told."""

    name = "internal"
    policy = staticmethod(published.internal)


class OuterPlayer(HanabiPlayer):
    """A player that tells only what is new."""

    name = "outer"
    policy = staticmethod(published.outer)


class IggiPlayer(HanabiPlayer):
    """A player that discards its oldest card."""

    name = "iggi"
    policy = staticmethod(published.iggi)


class PiersPlayer(HanabiPlayer):
    """A player that also plays cards that are probably playable."""

    name = "piers"
    policy = staticmethod(published.piers)


class ConventionalPlayer(HanabiPlayer):
    """A player that gives and reads clues by conventions."""

    name = "conventional"
    policy = staticmethod(conventional)
    look = staticmethod(see)


class SearchingPlayer(HanabiPlayer):
    """A player that tries its moves on deals that fit what it sees."""

    name = "search"
    policy = staticmethod(search)
    look = staticmethod(see)
