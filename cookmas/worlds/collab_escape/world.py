"""The world Collab Escape: two players repair generators, and one of them leaves by the exit."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

from pydantic import Field

from cookmas.episodes.world import Ending
from cookmas.files.errors import InputError
from cookmas.worlds.collab_escape.rules import NEEDED, EscapeEngine, Flight
from cookmas.worlds.rooms.rules import JointMove, Room, RoomLevel, list_rooms
from cookmas.worlds.rooms.world import Choose, RoomState, RoomWorld

MOST_GENERATORS = 2
"""Greatest number of generators, for which optimal play is still found in seconds."""

_ABOUT = """
- Two players, {players}, flee from the killer in a building of rooms. A way leads from one room to
  another, and not always back.
- The game is won if all generators are repaired and a player is in the exit, room {exit}. It is
  lost if the killer is in the room of a player after a turn. If both happen, it is lost.
- A player fixes the generator in its room. A generator is repaired for good after {needed} fixes.
  Two players who fix it together repair it in one turn. If nobody fixes it in a turn before it is
  repaired, all earlier fixes of it are lost.
- Both players choose at once, and the killer before them. It sees the players in the rooms to which
  a way leads from its own. If it sees one player, it goes to the room in which this player is
  before the turn. If it sees both, it follows the one that it did not see a turn before. If it saw
  both or none then, it follows the player it followed, or else {first}.
- If it sees nobody, it goes to a random room to which a way leads. It never stays.
""".strip()


class EscapeLevel(RoomLevel):
    """The fields of a scenario's file from which the world is built."""

    generators: Annotated[list[Room], Field(min_length=1, max_length=MOST_GENERATORS)]
    """The rooms with a generator."""
    exit: Room
    """The room with the exit."""
    killer: Room
    """The room in which the killer starts."""

    def check(self) -> None:
        """Raise InputError if the map is not sound."""
        self.check_rooms(generators=self.generators, exit=[self.exit], killer=[self.killer])
        if len(set(self.generators)) < len(self.generators):
            raise InputError("generators", "two are in the same room")
        if self.killer in self.players.values():
            raise InputError("killer", "expected a room without a player")


class EscapeWorld(RoomWorld):
    """Two players and a killer in rooms with generators and an exit."""

    name = "collab-escape"
    level: EscapeLevel
    engine: EscapeEngine
    level_type = EscapeLevel
    idle = "wait"
    act = "fix"
    characters = ("killer",)
    act_means = "fix the generator in the room."
    drawn = "where the killer goes if it sees nobody"

    def __init__(self, level: EscapeLevel) -> None:
        level.check()
        super().__init__(level)
        self.engine = EscapeEngine(self.ways, level.generators, level.exit)
        self._generators = [str(room) for room in level.generators]

    @cached_property
    def about(self) -> str:  # type: ignore[override]
        """The rules and the map in words."""
        rules = _ABOUT.format(
            players=" and ".join(self.workers),
            exit=self.level.exit,
            needed=NEEDED,
            first=self.workers[0],
        )
        ways = [f"From room {x} a way leads to {list_rooms(to)}." for x, to in self.ways.items()]
        return "\n".join([rules, *ways, f"Generators: {list_rooms(self.level.generators)}."])

    def opening(self) -> RoomState:
        """Return the state at the start."""
        rooms = self.rooms_of({"players": self.level.players})
        return self.entries(self.engine.begin(rooms, self.level.killer))

    def entries(self, position: Flight) -> RoomState:
        """Return the entries of the state for a position."""
        return {
            "players": dict(zip(self.workers, position.players, strict=True)),
            "killer": position.killer,
            "fixes": dict(zip(self._generators, position.fixes, strict=True)),
            "follows": None if position.target is None else self.workers[position.target],
        }

    def position(self, state: RoomState) -> Flight:
        """Return a state as a position of the game."""
        follows = state["follows"]
        return Flight(
            self.rooms_of(state),
            state["killer"],
            tuple(state["fixes"].values()),
            None if follows is None else self.workers.index(follows),
        )

    def turn(self, position: Flight, joint: JointMove, choose: Choose) -> Flight:
        """Return the position after a turn; `choose` draws for a killer that sees nobody."""
        goals = self.engine.goals(position)
        goal = goals[0] if len(goals) == 1 else choose(goals)
        return self.engine.turn(position, joint, goal)

    def ending(self, state: RoomState) -> Ending | None:
        """Return that a player is caught or has escaped; None before that."""
        won = self.engine.is_won(self.position(state))
        if won is None:
            return None
        if won:
            return Ending("won", "a player has escaped")
        return Ending("lost", "the killer has caught a player")

    def narrate(self, observed: RoomState, worker: str | None) -> list[str]:
        """Return where everybody is, where the killer goes, and what the generators need."""
        told = []
        for name, room in observed["players"].items():
            here = self.tell_room(observed, name, worker)
            told.append(f"{here}. Ways lead to {list_rooms(self.ways[room])}.")
        goals = self.engine.goals(self.position(observed))
        told.append(f"The killer is in room {observed['killer']}.")
        certain = len(goals) == 1
        told.append(
            f"Next it goes {'to' if certain else 'at random to one of'} {list_rooms(goals)}."
        )
        for room, count in observed["fixes"].items():
            missing = max(NEEDED - count, 0)
            need = f"needs {missing} of {NEEDED} fixes" if missing else "is repaired"
            told.append(f"The generator in room {room} {need}.")
        shut = min(observed["fixes"].values()) < NEEDED
        later = (
            " once all generators are repaired; its room can be entered before" if shut else " now"
        )
        told.append(f"The exit in room {self.level.exit} leads out{later}.")
        return told
