"""The chase as an open episode: a world without a kitchen that gets messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cookmas.episodes.trace import Trace
from cookmas.episodes.world import Json
from cookmas.worlds.base.viewing import Viewing, WorkerPlace
from tests.worlds.hands import chase
from tests.worlds.hands.table import GameDomain


class Rooms(Viewing):
    """Shows the room of each player."""

    def place_workers(self, world: Any, state: chase.Ring) -> Mapping[str, WorkerPlace]:
        rooms = {**state["places"], "hunter": state["hunter"]}
        return {name: WorkerPlace(at=f"room {room}") for name, room in rooms.items()}


class OpenDomain(GameDomain):
    """The chase on a page."""

    viewing = Rooms()

    def add_meanings(
        self, truth: Any, trace: Trace, meanings: Mapping[int, Mapping[str, Any]]
    ) -> Any:
        return truth


class StillWorld(chase.ChaseWorld):
    """A world in which no player ever moves and no goal is ever reached."""

    def movers(self, state: chase.Ring) -> Sequence[str]:
        return ()

    def ending(self, state: chase.Ring) -> None:
        return None

    def progress_key(self, state: chase.Ring) -> Json:
        return {}


DOMAIN = OpenDomain(chase.GAME, chase.DOMAIN.planners)
STILL = OpenDomain(replace(chase.GAME, make=StillWorld), chase.DOMAIN.planners)
