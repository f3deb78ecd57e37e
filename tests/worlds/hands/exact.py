"""Exact results of games, by dynamic programming over states, with chance as branches."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import permutations
from math import comb
from typing import Any, Protocol

from cookmas.episodes.base import World, ending, movers
from cookmas.episodes.world import Command
from tests.worlds.hands import cards, chase

Result = tuple[str, float]
"""How a game ended, and its score."""

Chances = Mapping[Result, Fraction]
State = dict[str, Any]
Branches = Callable[[State], Iterable[tuple[Fraction, State]]]


class Choosing(Protocol):
    """A policy as a function of its player's observation."""

    def choose(self, seen: State, player: str) -> str: ...


def chances(world: World, state: State, by: Mapping[str, Choosing], branches: Branches) -> Chances:
    """Return the probability of each result from a state on; `by` has each worker's policy.

    `branches` returns the states that a state may become by chance at the next timestep, with their
    probabilities.
    """
    known: dict[str, Chances] = {}

    def of(state: State) -> Chances:
        if end := ending(world, state):
            return {(end.how, world.tally(state).score or 0.0): Fraction(1)}
        key = json.dumps(state)
        if key not in known:
            total: dict[Result, Fraction] = defaultdict(Fraction)
            for chance, branch in branches(state):
                commands = [
                    Command(name, by[name].choose(world.observe(branch, name), name))
                    for name in movers(world, branch)
                ]
                for result, part in of(world.step(branch, commands)[0]).items():
                    total[result] += chance * part
            known[key] = total
        return known[key]

    return of(state)


def chances_of_cards(by: Mapping[str, Choosing]) -> Chances:
    """Return the results of the card game over all deals, with the deck drawn card by card."""
    world = cards.CardsWorld()

    def next_cards(state: State) -> Iterable[tuple[Fraction, State]]:
        deck = sorted(state["deck"])
        if not deck:
            yield Fraction(1), state
        for card in deck:
            rest = [other for other in deck if other != card]
            yield Fraction(1, len(deck)), {**state, "deck": [card, *rest]}

    hands = {
        json.dumps({**deal, "deck": sorted(deal["deck"])})
        for order in permutations(cards.CARDS)
        for deal, _ in [world.apply(world.start(), {"kind": "deal", "cards": list(order)})]
    }
    total: dict[Result, Fraction] = defaultdict(Fraction)
    for deal in hands:
        for result, part in chances(world, json.loads(deal), by, next_cards).items():
            total[result] += part / len(hands)
    return total


def chances_of_chase(by: Mapping[str, Choosing]) -> Chances:
    """Return the results of the chase, with a die thrown at each timestep."""

    def throws(state: State) -> Iterable[tuple[Fraction, State]]:
        return [(Fraction(1, 3), {**state, "dice": [die]}) for die in range(3)]

    world = chase.ChaseWorld()
    return chances(world, world.start(), by, throws)


def doubled_tail(count: int, trials: int, chance: Fraction) -> Fraction:
    """Return twice the smaller tail of the binomial distribution at `count`.

    For every `x`, the result is at most `x` with a probability of at most `x`.
    """
    weights = [
        comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)
    ]
    below, above = sum(weights[: count + 1], Fraction()), sum(weights[count:], Fraction())
    return min(Fraction(1), 2 * min(below, above))
