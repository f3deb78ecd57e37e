"""Optimal play of two players by exact dynamic programming over all positions of a game.

A game has a finite number of positions, moves of both players at once, and perhaps chance. Optimal
play wins as probably as possible within the turns that are left, and then as early as possible.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Generic

from cookmas.worlds.rooms.rules import JointMove, Position, Prospect, RoomGame
from cookmas.worlds.rooms.world import RoomState, RoomWorld

PRECISION = 9
"""Decimals to which probabilities and turns are compared."""

EQUAL = 10**-PRECISION
"""Difference below which probabilities are equal."""


class OptimalPlay(Generic[Position]):
    """Optimal play of a game from all positions that can come after a first one."""

    def __init__(self, game: RoomGame[Position], first: Position) -> None:
        self._game = game
        self._numbers: dict[Position, int] = {}
        self._joints: list[list[JointMove]] = []
        self._after: list[list[Sequence[tuple[float, int]]]] = []
        self._won: list[int] = []
        self._explore(game.simplify(first))
        self._chances = [array("d", bytes(8 * len(self._joints)))]
        self._spares = [array("d", bytes(8 * len(self._joints)))]
        for number in self._won:
            self._chances[0][number] = 1.0

    def _explore(self, first: Position) -> None:
        """Number all positions that can follow the first one, and list what follows each."""
        self._numbers[first] = 0
        border = [first]
        for number, position in enumerate(border):
            won = self._game.is_won(position)
            if won:
                self._won.append(number)
            joints = [] if won is not None else self._list_joints(position)
            self._joints.append(joints)
            self._after.append([])
            for joint in joints:
                after = []
                for probability, follower in self._game.results(position, joint):
                    later = self._game.simplify(follower)
                    place = self._numbers.setdefault(later, len(border))
                    if place == len(border):
                        border.append(later)
                    after.append((probability, place))
                self._after[-1].append(after)

    def _list_joints(self, position: Position) -> list[JointMove]:
        one, other = (self._game.moves(position, player) for player in (0, 1))
        return list(product(one, other))

    def __contains__(self, position: Position) -> bool:
        return self._game.simplify(position) in self._numbers

    def value(self, position: Position, left: int) -> Prospect:
        """Return the prospect of optimal play from a position with `left` turns.

        Raise KeyError if the position cannot follow the first one.
        """
        number = self._numbers[self._game.simplify(position)]
        self._extend(left)
        return Prospect(self._chances[left][number], self._spares[left][number])

    def moves(self, position: Position, left: int) -> dict[JointMove, Prospect]:
        """Return the prospect of each joint move with `left` turns, at least one, before it."""
        number = self._numbers[self._game.simplify(position)]
        self._extend(left - 1)
        chances, spares = self._chances[left - 1], self._spares[left - 1]
        prospects = [
            Prospect(
                round(sum(p * chances[n] for p, n in after), PRECISION),
                round(sum(p * spares[n] for p, n in after), PRECISION),
            )
            for after in self._after[number]
        ]
        return dict(zip(self._joints[number], prospects, strict=True))

    def best(self, position: Position, left: int) -> JointMove:
        """Return the first of the best joint moves."""
        moves = self.moves(position, left)
        return max(moves, key=lambda joint: moves[joint])

    def _extend(self, left: int) -> None:
        """Compute the values of all positions for up to `left` turns."""
        for turns in range(len(self._chances), left + 1):
            self._add_turn()
            for number in self._won:
                self._spares[turns][number] = turns

    def _add_turn(self) -> None:
        """Compute the values of all positions for one turn more."""
        chances, spares = self._chances[-1], self._spares[-1]
        best_chances, best_spares = array("d", chances), array("d", spares)
        for number, options in enumerate(self._after):
            best, best_spare = (-1.0, -1.0) if options else (chances[number], spares[number])
            for after in options:
                chance = spare = 0.0
                for probability, later in after:
                    chance += probability * chances[later]
                    spare += probability * spares[later]
                if chance > best + EQUAL or (chance > best - EQUAL and spare > best_spare):
                    best, best_spare = chance, spare
            best_chances[number], best_spares[number] = best, best_spare
        self._chances.append(best_chances)
        self._spares.append(best_spares)


def solve(world: RoomWorld, state: RoomState) -> OptimalPlay[Any]:
    """Return optimal play from a state, even if no play on this map leads to it."""
    position = world.position(state)
    play = _solve_map(world.of_setup, json.dumps(world.setup(), sort_keys=True))
    return play if position in play else OptimalPlay(world.engine, position)


@lru_cache(maxsize=4)
def _solve_map(build: Callable[[Any], RoomWorld], setup: str) -> OptimalPlay[Any]:
    world = build(json.loads(setup))
    return OptimalPlay(world.engine, world.position(world.start()))


def find_prospect(world: RoomWorld, state: RoomState, left: int) -> Prospect:
    """Return the prospect of optimal play from a state with `left` turns."""
    return solve(world, state).value(world.position(state), left)
