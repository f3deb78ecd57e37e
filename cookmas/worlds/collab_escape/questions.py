"""The questions of Collab Escape: which move meets the killer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cookmas.worlds.base.questions import Question
from cookmas.worlds.collab_escape.world import EscapeWorld
from cookmas.worlds.rooms.questions import RoomQuestioner
from cookmas.worlds.rooms.rules import move_alone
from cookmas.worlds.rooms.world import RoomState
from cookmas.worlds.shipped import solved


class EscapeQuestioner(RoomQuestioner):
    """The questions of Collab Escape."""

    greed = (
        "fixes a broken generator in its room, goes to the nearest broken one by a shortest way, "
        "goes to the exit if none is broken, and flees from nobody."
    )

    def list_steps(self, world: Any, state: RoomState, worker: str) -> Sequence[str]:
        """Return the moves of which a greedy player takes one."""
        steps: Sequence[str] = solved("collab-escape", "planners:list_steps")(world, state, worker)
        return steps

    def ask_character(self, world: EscapeWorld, state: RoomState, seat: str) -> Iterator[Question]:
        """Yield after which moves the seat is in the killer's room, if that is certain."""
        position = world.position(state)
        goals = world.engine.goals(position)
        if len(goals) > 1:
            return
        player, rooms = world.workers.index(seat), {}
        for action in world.legal(state, seat):
            own = world.joint_move({seat: action})[player]
            after = world.engine.turn(position, move_alone(player, own), goals[0])
            rooms[action] = after.players[player]
        met = [action for action, room in rooms.items() if room == goals[0]]
        if met and len(met) < len(rooms):
            yield Question(
                kind="comprehension",
                about="killer",
                text=f"After which action is {seat} in the same room as the killer?",
                options=list(rooms),
                right=met,
                proof={
                    action: f"leads to room {room}; the killer goes to room {goals[0]}"
                    for action, room in rooms.items()
                },
            )


QUESTIONER = EscapeQuestioner()
