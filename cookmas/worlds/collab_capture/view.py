"""The words and the drawing of Collab Capture: the rooms, and the doors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cookmas.worlds.base.viewing import OPEN, Panel, VisibleGoal, panel_of
from cookmas.worlds.collab_capture.world import CaptureWorld
from cookmas.worlds.rooms.rules import list_rooms
from cookmas.worlds.rooms.view import ROOM_PAGE, RoomViewing
from cookmas.worlds.rooms.world import RoomState


class CaptureViewing(RoomViewing):
    """The words for rooms, doors and the thief."""

    hunter = "thief"
    act = "presses the button"
    page: Sequence[Path] = ROOM_PAGE

    def setup(self, world: CaptureWorld) -> dict[str, Any]:
        """Return the map, and between which rooms each door is and where its button is."""
        doors = [
            {"name": door.name, "between": door.between, "button": door.button}
            for door in world.level.doors
        ]
        return {**super().setup(world), "doors": doors}

    def open_ways(self, world: CaptureWorld, state: RoomState, room: int) -> Sequence[int]:
        """Return the rooms to which an open way leads."""
        return world.engine.open_ways(world.position(state).doors)[room]

    def remark(self, world: CaptureWorld, state: RoomState, room: int) -> str:
        """Return the doors whose button is in the room."""
        doors = [door.name for door in world.level.doors if door.button == room]
        return f"button of the door {', '.join(doors)}" if doors else ""

    def panels(self, world: CaptureWorld, state: RoomState) -> Sequence[Panel]:
        """Return the rooms and the doors."""
        doors = [
            (list_rooms(door.between), "open" if state["doors"][door.name] else "closed")
            for door in world.level.doors
        ]
        return [*super().panels(world, state), panel_of("doors", doors)]

    def goals(self, world: CaptureWorld, state: RoomState) -> Sequence[VisibleGoal]:
        """Return the capture as the only goal."""
        status = "caught" if state["caught"] else OPEN
        return [VisibleGoal(name="thief", what="catch it", status=status)]


VIEWING = CaptureViewing()
