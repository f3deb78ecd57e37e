"""The questions of Collab Capture: which way is open, and where the thief goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cookmas.worlds.base.questions import Question
from cookmas.worlds.collab_capture.world import CaptureWorld
from cookmas.worlds.rooms.questions import RoomQuestioner
from cookmas.worlds.rooms.rules import STAY, Ways
from cookmas.worlds.rooms.world import RoomState
from cookmas.worlds.shipped import solved


class CaptureQuestioner(RoomQuestioner):
    """The questions of Collab Capture."""

    greed = "goes to the thief by a shortest open way, presses no button, and else stays."

    def list_steps(self, world: Any, state: RoomState, worker: str) -> Sequence[str]:
        """Return the moves of which a greedy player takes one."""
        steps: Sequence[str] = solved("collab-capture", "planners:list_steps")(world, state, worker)
        return steps

    def open_ways(self, world: CaptureWorld, state: RoomState) -> Ways:
        """Return the rooms to which open ways lead."""
        return world.engine.open_ways(world.position(state).doors)

    def ask_character(self, world: CaptureWorld, state: RoomState, seat: str) -> Iterator[Question]:
        """Yield to which room the thief goes if both players stay."""
        position = world.position(state)
        goal = world.engine.turn(position, (STAY, STAY)).thief
        rooms = sorted({position.thief, *world.ways[position.thief]})
        near = {room: min(abs(room - x) for x in position.players) for room in rooms}
        both = " and ".join(world.workers)
        yield Question(
            kind="comprehension",
            about="thief",
            text=f"If {both} both stay in this turn, in which room is the thief after it?",
            options=[str(room) for room in rooms],
            right=[str(goal)],
            proof={str(x): f"its number is {near[x]} from the nearer player's" for x in rooms},
        )


QUESTIONER = CaptureQuestioner()
