"""Maps of numbered rooms: the fields of a level, ways, moves, and random maps."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Annotated, NamedTuple, Protocol, TypeVar

from pydantic import Field

from cookmas.episodes.level import Level
from cookmas.files.errors import InputError
from cookmas.files.reading import Name

MOST_ROOMS = 12
"""Greatest number of rooms, for which optimal play is still found in seconds."""

Room = Annotated[int, Field(ge=1, le=MOST_ROOMS)]
"""Number of a room; the first room is 1."""

Ways = Mapping[int, Sequence[int]]
"""The rooms to which one can go from each room, in the order of the map."""


SOLVING = "cookmas.solving.rooms"
"""Where optimal play of all worlds of rooms stands."""

AHEAD = 40
"""Greatest number of turns for which optimal play is computed."""

STAY = 0
"""The move of a player who does nothing; other moves are the number of a room, and ACT."""

ACT = -1
"""The move of a player who uses what is in the room: a button, or a generator."""

JointMove = tuple[int, int]
"""The moves of both players."""


def move_alone(player: int, move: int) -> JointMove:
    """Return the joint move in which one player (0 or 1) moves, and the other stays."""
    return (move, STAY) if player == 0 else (STAY, move)


Position = TypeVar("Position", bound=Hashable)


class RoomGame(Protocol[Position]):
    """The rules of a game whose moves are numbers, as optimal play needs them."""

    def moves(self, position: Position, player: int) -> Sequence[int]:
        """Return the legal moves of a player (0 or 1)."""
        ...

    def results(self, position: Position, joint: JointMove) -> Sequence[tuple[float, Position]]:
        """Return the positions after a joint move, each with its probability."""
        ...

    def simplify(self, position: Position) -> Position:
        """Return the position without what makes no difference to the rest of the game."""
        ...

    def is_won(self, position: Position) -> bool | None:
        """Return whether the game is won; None if it continues."""
        ...


class RoomLevel(Level):
    """The fields of a level that all worlds of rooms have."""

    ways: Annotated[
        list[Annotated[list[Room], Field(max_length=MOST_ROOMS)]],
        Field(min_length=2, max_length=MOST_ROOMS),
    ]
    """For each room, from room 1 on, the rooms to which a way leads; the order breaks ties."""
    players: Annotated[dict[Name, Room], Field(min_length=2, max_length=2)]
    """The room in which each of the two players starts."""

    def ways_by_room(self) -> dict[int, tuple[int, ...]]:
        """Return the rooms next to each room, by its number."""
        return {room: tuple(others) for room, others in enumerate(self.ways, 1)}

    def check_rooms(self, **named: Sequence[int]) -> None:
        """Raise InputError if a way or a field leads to a room that does not exist.

        `named` has the rooms of further fields by the name of the field.
        """
        ways = self.ways_by_room()
        for room, others in ways.items():
            if not others:
                raise InputError("ways", f"room {room}: expected a way that leads out of it")
            if room in others or len(set(others)) < len(others):
                raise InputError("ways", f"room {room}: expected each other room at most once")
        fields = {"ways": [x for others in ways.values() for x in others]}
        for field, rooms in {**fields, "players": [*self.players.values()], **named}.items():
            for room in rooms:
                if room not in ways:
                    raise InputError(field, f"there is no room {room}, only 1 to {len(ways)}")


def find_way(ways: Ways, begin: int, goals: Sequence[int]) -> list[int]:
    """Return the first steps of all shortest paths to the nearest goal; none if there is no path.

    A goal in which the path begins has no first step either.
    """
    seen, border = {begin}, [(room, room) for room in ways[begin]]
    if begin in goals:
        return []
    while border:
        if found := [step for step, room in border if room in goals]:
            return list(dict.fromkeys(found))
        seen |= {room for _, room in border}
        wider = [(step, x) for step, room in border for x in ways[room] if x not in seen]
        border = list(dict.fromkeys(wider))
    return []


def count_steps(ways: Ways, begin: int) -> Mapping[int, int]:
    """Return the length of the shortest path to each room to which one leads."""
    lengths, border = {begin: 0}, [begin]
    for room in border:
        for other in ways[room]:
            if other not in lengths:
                lengths[other] = lengths[room] + 1
                border.append(other)
    return lengths


def draw_ways(draw: Random, rooms: int) -> list[list[int]]:
    """Return a random connected map whose ways lead in both directions.

    It has a way from each room to a room with a lower number, and about a third as many others.
    """
    pairs = {(draw.randint(1, room - 1), room) for room in range(2, rooms + 1)}
    for _ in range(rooms // 3):
        one, other = sorted(draw.sample(range(1, rooms + 1), 2))
        pairs.add((one, other))
    return [
        sorted({x for pair in pairs if room in pair for x in pair if x != room})
        for room in range(1, rooms + 1)
    ]


def list_rooms(rooms: Sequence[int]) -> str:
    """Return rooms in words, such as `rooms 2 and 6`."""
    if not rooms:
        return "no open room"
    *others, last = map(str, rooms)
    return f"rooms {', '.join(others)} and {last}" if others else f"room {last}"


class Prospect(NamedTuple):
    """The expectation of a position or a joint move; the better prospect is greater."""

    chance: float
    """Probability of a win within the turns that are left."""
    spare: float
    """Expected number of turns that are left after a win; a lost game has none."""
