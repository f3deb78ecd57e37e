"""The world Collab Capture: two players catch a thief, who sees where they go."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from cookmas.episodes.world import Ending
from cookmas.files.errors import InputError
from cookmas.files.reading import FileModel
from cookmas.worlds.collab_capture.rules import CaptureEngine, Chase, Door
from cookmas.worlds.rooms.rules import JointMove, Room, RoomLevel, list_rooms
from cookmas.worlds.rooms.world import Choose, RoomState, RoomWorld

MOST_DOORS = 3
"""Greatest number of doors, for which optimal play is still found in seconds."""

_ABOUT = """
- Two players, {players}, catch the thief in a building of rooms. Ways between rooms lead in both
  directions.
- A closed door shuts a way off for everybody. A press of its button opens a closed door and closes
  an open one. Two presses of the same button in one turn change nothing.
- Both players choose at once. The thief sees to which rooms they go. It goes to a room next to its
  own that is as far as possible from the nearer player. It stays only if every way is shut off.
  Distance is the difference between the numbers of two rooms. If several rooms are as far, it goes
  to the one that the map names first.
- All moves count with the doors as they were before the turn. So one can still pass a door in the
  turn in which it closes.
- The thief is caught if it is in the room of a player after the turn. It is also caught if it and a
  player change rooms with each other, except in the first turn.
""".strip()


class DoorFile(FileModel):
    """A door on the way between two rooms."""

    between: Annotated[list[Room], Field(min_length=2, max_length=2)]
    """The two rooms."""
    button: Room
    """The room with the button of the door."""
    start: Literal["open", "closed"]
    """How the door is at the start."""

    @property
    def name(self) -> str:
        """The rooms of the door, such as `1-2`."""
        return "-".join(map(str, self.between))


class CaptureLevel(RoomLevel):
    """The fields of a scenario's file from which the world is built."""

    doors: Annotated[list[DoorFile], Field(max_length=MOST_DOORS)] = Field(default_factory=list)
    """The doors."""
    thief: Room
    """The room in which the thief starts."""

    def check(self) -> None:
        """Raise InputError if the map is not sound."""
        buttons = [door.button for door in self.doors]
        self.check_rooms(thief=[self.thief], doors=buttons)
        ways = self.ways_by_room()
        for room, others in ways.items():
            for other in others:
                if room not in ways[other]:
                    raise InputError("ways", f"room {other}: expected a way back to room {room}")
        pairs = [frozenset(door.between) for door in self.doors]
        if len(set(pairs)) < len(pairs):
            raise InputError("doors", "two doors are on the same way")
        for door in self.doors:
            one, other = door.between
            if other not in ways.get(one, ()):
                raise InputError("doors", f"there is no way between rooms {one} and {other}")
        if self.thief in self.players.values():
            raise InputError("thief", "expected a room without a player")


class CaptureWorld(RoomWorld):
    """Two players and a thief in rooms with doors."""

    name = "collab-capture"
    level: CaptureLevel
    engine: CaptureEngine
    level_type = CaptureLevel
    idle = "stay"
    act = "press"
    characters = ("thief",)
    act_means = "press the button in the room."

    def __init__(self, level: CaptureLevel) -> None:
        level.check()
        super().__init__(level)
        doors = [Door((x.between[0], x.between[1]), x.button) for x in level.doors]
        self.engine = CaptureEngine(self.ways, doors)
        self._doors = [door.name for door in level.doors]

    @cached_property
    def about(self) -> str:  # type: ignore[override]
        """The rules and the map in words."""
        ways = [f"Room {x} is next to {list_rooms(others)}." for x, others in self.ways.items()]
        doors = [
            f"A door is between {list_rooms(door.between)}; its button is in room {door.button}."
            for door in self.level.doors
        ]
        return "\n".join([_ABOUT.format(players=" and ".join(self.workers)), *ways, *doors])

    def opening(self) -> RoomState:
        """Return the state at the start."""
        rooms = self.rooms_of({"players": self.level.players})
        doors = tuple(door.start == "open" for door in self.level.doors)
        return self.entries(Chase(rooms, self.level.thief, doors))

    def position(self, state: RoomState) -> Chase:
        """Return a state as a position of the game."""
        return Chase(
            self.rooms_of(state),
            state["thief"],
            tuple(state["doors"].values()),
            state["timestep"] > 0,
            state["caught"],
        )

    def entries(self, position: Chase) -> RoomState:
        """Return the entries of the state for a position."""
        return {
            "players": dict(zip(self.workers, position.players, strict=True)),
            "thief": position.thief,
            "doors": dict(zip(self._doors, position.doors, strict=True)),
            "caught": position.caught,
        }

    def turn(self, position: Chase, joint: JointMove, choose: Choose) -> Chase:
        """Return the position after a turn, in which nothing is drawn."""
        return self.engine.turn(position, joint)

    def ending(self, state: RoomState) -> Ending | None:
        """Return that the thief is caught; None before that."""
        return Ending("won", "the thief is caught") if state["caught"] else None

    def narrate(self, observed: RoomState, worker: str | None) -> list[str]:
        """Return where everybody is, which doors are open, and where one can go."""
        position = self.position(observed)
        ways = self.engine.open_ways(position.doors)
        told = []
        for name, room in observed["players"].items():
            here = self.tell_room(observed, name, worker)
            told.append(f"{here}, next to {list_rooms(ways[room])}.")
        thief = observed["thief"]
        told.append(f"The thief is in room {thief}, next to {list_rooms(ways[thief])}.")
        for door in self.level.doors:
            is_open = observed["doors"][door.name]
            told.append(
                f"The door between {list_rooms(door.between)} is {'open' if is_open else 'closed'}."
            )
        return told
