"""The engine of Collab Capture: a turn of two players and the thief, as fast as possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cookmas.worlds.rooms.rules import ACT, STAY, JointMove, Ways


class Door(NamedTuple):
    """A door between two rooms, and the room with its button."""

    between: tuple[int, int]
    button: int


class Chase(NamedTuple):
    """A position: where everybody is, and which doors are open."""

    players: tuple[int, int]
    """The rooms of the players."""
    thief: int
    """The room of the thief."""
    doors: tuple[bool, ...]
    """True for each door that is open."""
    begun: bool = True
    """False before the first turn, in which players and thief can pass each other."""
    caught: bool = False
    """True if the thief is caught."""


class CaptureEngine:
    """The rules on one map."""

    def __init__(self, ways: Ways, doors: Sequence[Door]) -> None:
        self._ways = ways
        self._doors = doors
        self._buttons = {door.button for door in doors}
        self._open: dict[tuple[bool, ...], Mapping[int, tuple[int, ...]]] = {}

    def open_ways(self, doors: tuple[bool, ...]) -> Mapping[int, tuple[int, ...]]:
        """Return the rooms next to each room that no closed door shuts off."""
        found = self._open.get(doors)
        if found is None:
            shut = [
                door.between
                for door, is_open in zip(self._doors, doors, strict=True)
                if not is_open
            ]
            closed = {*shut, *((two, one) for one, two in shut)}
            found = self._open[doors] = {
                room: tuple(x for x in others if (room, x) not in closed)
                for room, others in self._ways.items()
            }
        return found

    def moves(self, position: Chase, player: int) -> Sequence[int]:
        """Return the legal moves of a player."""
        room = position.players[player]
        act = (ACT,) if room in self._buttons else ()
        return (STAY, *self.open_ways(position.doors)[room], *act)

    def simplify(self, position: Chase) -> Chase:
        """Return the position unchanged."""
        return position

    def is_won(self, position: Chase) -> bool | None:
        """Return True if the thief is caught; the game is never lost."""
        return True if position.caught else None

    def results(self, position: Chase, joint: JointMove) -> Sequence[tuple[float, Chase]]:
        """Return the only position after a joint move."""
        return ((1.0, self.turn(position, joint)),)

    def turn(self, position: Chase, joint: JointMove) -> Chase:
        """Return the position after a turn with two legal moves."""
        (one, two), thief, doors, begun, _ = position
        to_one = joint[0] if joint[0] > 0 else one
        to_two = joint[1] if joint[1] > 0 else two
        goal, farthest = thief, -1
        for room in (self._open.get(doors) or self.open_ways(doors))[thief]:
            near = min(abs(room - to_one), abs(room - to_two))
            if near > farthest:
                goal, farthest = room, near
        caught = goal in (to_one, to_two) or (
            begun and ((to_one == thief and goal == one) or (to_two == thief and goal == two))
        )
        if ACT in joint:
            doors = self._press(
                doors, [p for p, move in zip((one, two), joint, strict=True) if move == ACT]
            )
        return Chase((to_one, to_two), goal, doors, True, caught)

    def _press(self, doors: tuple[bool, ...], rooms: Sequence[int]) -> tuple[bool, ...]:
        """Return the doors after a press in each room; two presses of a button change nothing."""
        return tuple(
            is_open ^ (rooms.count(door.button) == 1)
            for door, is_open in zip(self._doors, doors, strict=True)
        )
