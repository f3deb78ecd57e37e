"""The engine of Collab Escape: a turn of two players and the killer, as fast as possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cookmas.worlds.rooms.rules import ACT, STAY, JointMove, Ways

NEEDED = 2
"""Number of fixes that repair a generator."""


class Flight(NamedTuple):
    """A position: where everybody is, whom the killer follows, and the generators."""

    players: tuple[int, int]
    """The rooms of the players."""
    killer: int
    """The room of the killer."""
    fixes: tuple[int, ...]
    """For each generator how often it was fixed; NEEDED or more: it is repaired."""
    target: int | None
    """The player (0 or 1) that the killer follows in the next turn; None: it sees nobody."""


class EscapeEngine:
    """The rules on one map."""

    def __init__(self, ways: Ways, generators: Sequence[int], out: int) -> None:
        self.ways = ways
        self._generators = tuple(generators)
        self._out = out

    def begin(self, players: tuple[int, int], killer: int) -> Flight:
        """Return the first position."""
        fixes = (0,) * len(self._generators)
        return Flight(players, killer, fixes, self._choose(players, killer, (False, False), None))

    def moves(self, position: Flight, player: int) -> Sequence[int]:
        """Return the legal moves of a player."""
        room = position.players[player]
        act = (ACT,) if room in self._generators else ()
        return (STAY, *self.ways[room], *act)

    def is_won(self, position: Flight) -> bool | None:
        """Return False if the killer meets a player, True if one escapes, None otherwise."""
        if position.killer in position.players:
            return False
        repaired = min(position.fixes) >= NEEDED
        return True if repaired and self._out in position.players else None

    def simplify(self, position: Flight) -> Flight:
        """Return the position without fixes above NEEDED."""
        return position._replace(fixes=tuple(min(x, NEEDED) for x in position.fixes))

    def results(self, position: Flight, joint: JointMove) -> Sequence[tuple[float, Flight]]:
        """Return the positions after a joint move, one for each room that the killer may go to."""
        goals = self.goals(position)
        return [(1 / len(goals), self.turn(position, joint, goal)) for goal in goals]

    def goals(self, position: Flight) -> Sequence[int]:
        """Return the rooms to which the killer may go, all with equal probability."""
        if position.target is None:
            return self.ways[position.killer]
        return (position.players[position.target],)

    def turn(self, position: Flight, joint: JointMove, goal: int) -> Flight:
        """Return the position after a turn; the moves are legal, and the killer goes to `goal`."""
        (one, two), killer, fixes, target = position
        if min(fixes) < NEEDED or ACT in joint:
            fixes = self._fix(position, joint)
        players = (joint[0] if joint[0] > 0 else one, joint[1] if joint[1] > 0 else two)
        near = self.ways[killer]
        return Flight(
            players, goal, fixes, self._choose(players, goal, (one in near, two in near), target)
        )

    def _fix(self, position: Flight, joint: JointMove) -> tuple[int, ...]:
        (one, two), _, fixes, _ = position
        added = [
            (joint[0] == ACT and one == room) + (joint[1] == ACT and two == room)
            for room in self._generators
        ]
        return tuple(
            old + more if more or old >= NEEDED else 0
            for old, more in zip(fixes, added, strict=True)
        )

    def _choose(
        self, players: tuple[int, int], killer: int, saw: tuple[bool, bool], target: int | None
    ) -> int | None:
        """Return the player that the killer follows: of two the one that it did not see before."""
        near = self.ways[killer]
        one, two = players[0] in near, players[1] in near
        if not (one and two):
            return 0 if one else 1 if two else None
        if saw[0] != saw[1]:
            return 1 if saw[0] else 0
        return target or 0
