"""The words and the drawing of Collab Escape: the rooms, the generators and the exit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cookmas.worlds.base.viewing import OPEN, Panel, VisibleGoal, panel_of
from cookmas.worlds.collab_escape.rules import NEEDED
from cookmas.worlds.collab_escape.world import EscapeWorld
from cookmas.worlds.rooms.rules import list_rooms
from cookmas.worlds.rooms.view import ROOM_PAGE, RoomViewing
from cookmas.worlds.rooms.world import RoomState


class EscapeViewing(RoomViewing):
    """The words for rooms, generators and the killer."""

    hunter = "killer"
    act = "fixes the generator"
    page: Sequence[Path] = ROOM_PAGE

    def setup(self, world: EscapeWorld) -> dict[str, Any]:
        """Return the map, the exit, and the number of fixes that repair a generator."""
        return {**super().setup(world), "exit": world.level.exit, "needed": NEEDED}

    def remark(self, world: EscapeWorld, state: RoomState, room: int) -> str:
        """Return whether the room has a generator or the exit."""
        has = ["generator"] if room in world.level.generators else []
        return ", ".join([*has, *(["exit"] if room == world.level.exit else [])])

    def panels(self, world: EscapeWorld, state: RoomState) -> Sequence[Panel]:
        """Return the rooms, and the plan of the killer."""
        goals = world.engine.goals(world.position(state))
        killer = [
            ("follows", state["follows"] or "nobody"),
            ("next", f"{'one of ' if len(goals) > 1 else ''}{list_rooms(goals)}"),
        ]
        return [*super().panels(world, state), panel_of("killer", killer)]

    def goals(self, world: EscapeWorld, state: RoomState) -> Sequence[VisibleGoal]:
        """Return a goal for each generator, and the escape."""
        lost = world.engine.is_won(world.position(state)) is False
        repaired = {room: count >= NEEDED for room, count in state["fixes"].items()}
        goals = [
            VisibleGoal(
                name=f"generator {room}",
                what="repair it",
                note=f"{min(state['fixes'][room], NEEDED)} of {NEEDED} fixes",
                status="repaired" if done else OPEN,
                lost=lost and not done,
            )
            for room, done in repaired.items()
        ]
        escaped = world.engine.is_won(world.position(state)) is True
        status = "escaped" if escaped else OPEN
        return [
            *goals,
            VisibleGoal(name="escape", what="leave by the exit", status=status, lost=lost),
        ]


VIEWING = EscapeViewing()
