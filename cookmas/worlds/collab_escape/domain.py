"""The domain of Collab Escape, with its planners and random maps."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from cookmas.worlds.collab_escape.world import MOST_GENERATORS, EscapeWorld
from cookmas.worlds.rooms.domain import ROOM_PLANNERS, RoomDomain
from cookmas.worlds.rooms.rules import draw_ways


class EscapeDomain(RoomDomain):
    """The domain of the players that escape from a killer."""

    world_type = EscapeWorld
    planners: Mapping[str, str] = {
        **ROOM_PLANNERS,
        "greedy": "cookmas.solving.collab_escape.planners:GREEDY",
    }
    solving = "cookmas.solving.collab_escape"
    levels = range(1, MOST_GENERATORS + 1)
    level_is = "generators"

    def draw_map(self, level: int, rooms: int, draw: Random) -> dict[str, Any]:
        """Return a random map with `level` generators, whose ways lead in both directions."""
        ways = draw_ways(draw, rooms)
        alice, bob, killer = draw.sample(range(1, rooms + 1), 3)
        *generators, leave = draw.sample(range(1, rooms + 1), level + 1)
        return {
            "ways": ways,
            "generators": generators,
            "exit": leave,
            "players": {"alice": alice, "bob": bob},
            "killer": killer,
        }


DOMAIN = EscapeDomain()
