"""The base of the worlds of rooms: two players and their actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from cookmas.episodes.base import NO_ACTION, World
from cookmas.episodes.world import DONE, Commands, Outcome, Trigger
from cookmas.worlds.rooms.rules import ACT, STAY, JointMove, RoomGame, RoomLevel

Choose = Callable[[Sequence[int]], int]
"""A function that draws one of several rooms."""

RoomState = dict[str, Any]
"""The state: the `timestep`, the room of each of the `players`, and what a world adds."""


class RoomWorld(World):
    """A world in which two players go from room to room, both at once."""

    # What such a world overrides.

    act: str
    """The action that uses what is in the room."""
    act_means: str
    """The effect of this action, in words."""
    level: Any
    engine: RoomGame[Any]
    """The rules as a game of moves that are numbers."""
    timed = True

    def position(self, state: RoomState) -> Any:
        """Return a state as a position of the game."""
        raise NotImplementedError(f"{self.name} has no position")

    def entries(self, position: Any) -> RoomState:
        """Return the entries of the state for a position."""
        raise NotImplementedError(f"{self.name} has no entries")

    def turn(self, position: Any, joint: JointMove, choose: Choose) -> Any:
        """Return the position after a turn; `choose` draws one of several rooms."""
        raise NotImplementedError(f"{self.name} has no turn")

    # The machinery.

    def __init__(self, level: RoomLevel) -> None:
        super().__init__(level)
        self.workers: Sequence[str] = list(level.players)
        self.ways = level.ways_by_room()
        self.actions: Mapping[str, str] = {
            "move(ROOM)": "go to a room to which an open way leads.",
            self.act: self.act_means,
            self.idle: "stay in the room.",
        }
        self.choices: Mapping[str, Sequence[str]] = {"ROOM": [str(room) for room in self.ways]}
        self._text = {STAY: self.idle, ACT: self.act, **{x: f"move({x})" for x in self.ways}}
        self._move = {text: move for move, text in self._text.items()}

    def legal(self, state: RoomState, worker: str) -> Sequence[str]:
        """Return the actions of a player in its room."""
        moves = self.engine.moves(self.position(state), self.workers.index(worker))
        return [self._text[move] for move in moves]

    def step(
        self, state: RoomState, commands: Commands
    ) -> tuple[RoomState, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one turn; a player whose action FAILs stays."""
        given, position = dict(commands), self.position(state)
        outcomes: dict[str, Outcome] = {}
        moves = []
        for player, name in enumerate(self.workers):
            action = given.get(name)
            move = self._move.get(action or "")
            if move is not None and move in self.engine.moves(position, player):
                outcomes[name] = DONE
                moves.append(move)
            else:
                outcomes[name] = self._fail(name, action)
                moves.append(STAY)

        def choose(rooms: Sequence[int]) -> int:
            return Random(f"{state['seed']}/{state['timestep']}").choice(rooms)

        after = self.turn(position, (moves[0], moves[1]), choose)
        later = {**state, **self.entries(after), "timestep": state["timestep"] + 1}
        return later, outcomes, ()

    def _fail(self, worker: str, action: str | None) -> Outcome:
        if action is None:
            return Outcome(NO_ACTION, f"{worker} gave no action.")
        if action == self.act:
            return Outcome("nothing_here", f"There is nothing to {action} in the room of {worker}.")
        return Outcome("no_way", f"No open way leads there from the room of {worker}.")

    def joint_move(self, actions: Mapping[str, str]) -> JointMove:
        """Return the moves of both players; a player without a legal action stays."""
        one, two = (self._move[actions.get(name, self.idle)] for name in self.workers)
        return one, two

    def texts_of(self, joint: JointMove) -> dict[str, str]:
        """Return the action of each player for a joint move."""
        return {name: self._text[move] for name, move in zip(self.workers, joint, strict=True)}

    def tell_room(self, observed: RoomState, name: str, worker: str | None) -> str:
        """Return where a player is, in words for a worker, who is `You`; without a full stop."""
        who = "You are" if name == worker else f"{name} is"
        return f"{who} in room {observed['players'][name]}"

    def rooms_of(self, state: RoomState) -> tuple[int, int]:
        """Return the rooms of both players."""
        one, two = state["players"].values()
        return one, two
