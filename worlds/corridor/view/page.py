"""The corridor's part of the page of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from episodes.world import Json
from worlds.corridor.world import CorridorWorld
from worlds.viewing import PlainViewing


class CorridorViewing(PlainViewing):
    """Walkers beside each other, and the bells that are asked for."""

    page = (Path(__file__).with_name("corridor.js"),)

    def setup(self, world: CorridorWorld) -> dict[str, Any]:
        """How long it is."""
        return {"length": world.length}

    def event(self, event: Json) -> str:
        """Which bell is asked for."""
        name = event.get("name")
        return f"bell {name} is asked for" if name else super().event(event)


VIEWING = CorridorViewing()
