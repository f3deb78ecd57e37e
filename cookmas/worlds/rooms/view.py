"""The words and the drawing of worlds of rooms: every room with its ways and who is in it.

Rooms are drawn on an ellipse, in an order in which few ways cross.
The places depend on nothing but the map. Two ways between rooms on an ellipse cross if each of them
has an end on both sides of the other one, so crossings are counted without any point. The page
bends each way towards the middle of the drawing, so that it passes the rooms between its ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import cos, pi, sin
from pathlib import Path
from typing import Any

from cookmas.worlds.base.viewing import Item, Panel, Terms, Viewing, WorkerPlace
from cookmas.worlds.rooms.rules import Ways
from cookmas.worlds.rooms.world import RoomState

WIDTH, HEIGHT = 170, 110
"""Size of a drawing, in its own units."""

ROOM_WIDTH, ROOM_HEIGHT = 25, 18
"""Size of a room in a drawing."""

BEND = 0.3
"""The share of the distance to the middle of the drawing by which the middle of a way is bent."""

Spots = Mapping[int, tuple[int, int]]
"""The middle of each room, from the upper left corner of the drawing."""

Pair = tuple[int, int]


def pair_rooms(ways: Ways) -> list[Pair]:
    """Return the pairs of rooms between which a way leads, in one direction or both."""
    return sorted({(min(x, y), max(x, y)) for x, others in ways.items() for y in others})


def place_rooms(ways: Ways) -> Spots:
    """Return where each room is drawn, in whole units; the first one is on the left."""
    order = _arrange(tuple(ways), tuple(pair_rooms(ways)))
    turns = {room: pi + 2 * pi * number / len(order) for number, room in enumerate(order)}
    right, down = (WIDTH - ROOM_WIDTH) / 2 - 1, (HEIGHT - ROOM_HEIGHT) / 2 - 1
    return {
        room: (
            round(WIDTH / 2 + right * cos(turns[room])),
            round(HEIGHT / 2 + down * sin(turns[room])),
        )
        for room in ways
    }


@lru_cache(maxsize=16)
def _arrange(rooms: Sequence[int], pairs: Sequence[Pair]) -> Sequence[int]:
    """Return the rooms in the order along the ellipse, so that moving none leaves fewer crossings.

    The first room stays where it is.
    """
    order, least = rooms, _count_crossings(rooms, pairs)
    while True:
        first, *rest = order
        tried = [
            (first, *others[:place], room, *others[place:])
            for room in rest
            for others in [[each for each in rest if each != room]]
            for place in range(len(rest))
        ]
        best = min(tried, key=lambda each: _count_crossings(each, pairs))
        fewest = _count_crossings(best, pairs)
        if fewest >= least:
            return order
        order, least = best, fewest


def _count_crossings(order: Sequence[int], pairs: Sequence[Pair]) -> int:
    place = {room: number for number, room in enumerate(order)}
    spans = [sorted((place[one], place[other])) for one, other in pairs]
    return sum(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(spans, 2))


ROOM_PAGE: Sequence[Path] = tuple(
    Path(__file__).parent / "page" / name for name in ("rooms.css", "rooms.js")
)
"""The styles and the script that draw the rooms of Collab Capture and Collab Escape."""


class RoomViewing(Viewing):
    """The words for rooms; a world adds its own remarks on a room, and its own panel."""

    terms = Terms(goals="goals", reached="reached", doing="moving")
    hunter: str
    """Name of the character that the rules move."""
    act: str
    """The action that uses what is in the room, in words."""

    def open_ways(self, world: Any, state: RoomState, room: int) -> Sequence[int]:
        """Return the rooms to which one can go now from a room; by default all."""
        ways: Sequence[int] = world.ways[room]
        return ways

    def remark(self, world: Any, state: RoomState, room: int) -> str:
        """Return what a room has besides people; empty for nothing."""
        return ""

    def setup(self, world: Any) -> dict[str, Any]:
        """Return the map: its ways, where rooms are drawn, how ways are bent, and the sizes."""
        return {
            "hunter": self.hunter,
            "ways": {str(room): list(others) for room, others in world.ways.items()},
            "spots": {str(room): list(spot) for room, spot in place_rooms(world.ways).items()},
            "size": [WIDTH, HEIGHT],
            "room": [ROOM_WIDTH, ROOM_HEIGHT],
            "bend": BEND,
        }

    def action(self, world: Any, state: RoomState, worker: str, action: str) -> str:
        """Return an action in words."""
        if action == world.idle:
            return "stays"
        if action == world.act:
            return self.act
        return action.replace("move(", "goes to room ").rstrip(")")

    def place_workers(self, world: Any, state: RoomState) -> Mapping[str, WorkerPlace]:
        """Return the rooms of the players, and of the character that the rules move."""
        rooms = {**state["players"], self.hunter: state[self.hunter]}
        return {name: WorkerPlace(at=f"room {room}") for name, room in rooms.items()}

    def panels(self, world: Any, state: RoomState) -> Sequence[Panel]:
        """Return the map: each room with who is in it, where one can go from it, and its remark."""
        people = {**state["players"], self.hunter: state[self.hunter]}
        items = []
        for room in world.ways:
            here = [name for name, at in people.items() if at == room]
            ways = ", ".join(map(str, self.open_ways(world, state, room))) or "no room"
            note = "; ".join(filter(None, (self.remark(world, state, room), ", ".join(here))))
            alarming = self.hunter in here
            items.append(Item(name=f"room {room}", what=f"to {ways}", note=note, alarming=alarming))
        return [Panel(title="rooms", items=items)]

    def keys(self, world: Any, state: RoomState, worker: str) -> Mapping[str, str]:
        """Return the digit of a room as the key for going there."""
        legal = world.legal(state, worker)
        moves = {str(room): f"move({room})" for room in world.ways if room <= 9}
        return {
            **{key: action for key, action in moves.items() if action in legal},
            **({" ": world.act} if world.act in legal else {}),
        }
