"""The words and the drawing of worlds of rooms: every room with its ways and who is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.worlds.base.viewing import Item, Panel, Terms, Viewing, WorkerPlace
from cookmas.worlds.rooms.layout import (
    BEND,
    HEIGHT,
    ROOM_HEIGHT,
    ROOM_WIDTH,
    WIDTH,
    place_rooms,
)
from cookmas.worlds.rooms.world import RoomState

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
