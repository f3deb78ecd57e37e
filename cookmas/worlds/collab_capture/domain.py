"""The domain of Collab Capture, with its planners and random maps."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from cookmas.worlds.collab_capture.world import MOST_DOORS, CaptureWorld
from cookmas.worlds.rooms.domain import ROOM_PLANNERS, RoomDomain
from cookmas.worlds.rooms.rules import draw_ways


class CaptureDomain(RoomDomain):
    """The domain of the players that catch a thief."""

    world_type = CaptureWorld
    planners: Mapping[str, str] = {
        **ROOM_PLANNERS,
        "greedy": "cookmas.solving.collab_capture.planners:GREEDY",
    }
    solving = "cookmas.solving.collab_capture"
    levels = range(MOST_DOORS + 1)
    level_is = "doors"

    def draw_map(self, level: int, rooms: int, draw: Random) -> dict[str, Any]:
        """Return a random map with `level` doors."""
        ways = draw_ways(draw, rooms)
        pairs = [(room, x) for room, others in enumerate(ways, 1) for x in others if x > room]
        alice, bob, thief = draw.sample(range(1, rooms + 1), 3)
        doors = [
            {
                "between": [*pair],
                "button": draw.randint(1, rooms),
                "start": draw.choice(["open", "closed"]),
            }
            for pair in draw.sample(pairs, min(level, len(pairs)))
        ]
        return {
            "ways": ways,
            "doors": doors,
            "players": {"alice": alice, "bob": bob},
            "thief": thief,
        }


DOMAIN = CaptureDomain()
