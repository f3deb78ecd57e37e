"""The corridor's part of the page of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from episodes.world import Json
from worlds.corridor.world import Corridor, CorridorWorld
from worlds.viewing import OPEN, Goal, Panel, PlainViewing, Standing, Terms


class CorridorViewing(PlainViewing):
    """Walkers beside each other, and the bells that are asked for."""

    terms = Terms(goals="bells", reached="rung", doing="walking")
    page = (Path(__file__).with_name("corridor.js"),)

    def setup(self, world: CorridorWorld) -> dict[str, Any]:
        """How long it is."""
        return {"length": world.length}

    def event(self, event: Json) -> str:
        """Which bell is asked for."""
        name = event.get("name")
        return f"bell {name} is asked for" if name else super().event(event)

    def action(self, world: CorridorWorld, state: Corridor, worker: str, action: str) -> str:
        """`left` is "goes left"."""
        match action.partition("(")[0]:
            case "left" | "right":
                return f"goes {action}"
            case "stay":
                return "stays"
            case "ring":
                return f"rings {action[len('ring(') : -1]}"
        return action

    def standing(self, world: CorridorWorld, state: Corridor) -> Mapping[str, Standing]:
        """At which place each walker is."""
        return {name: Standing(at=f"place {place}") for name, place in state["places"].items()}

    def panels(self, world: CorridorWorld, state: Corridor) -> Sequence[Panel]:
        """Nothing stays in a corridor."""
        return ()

    def goals(self, world: CorridorWorld, state: Corridor) -> Sequence[Goal]:
        """The bells, and where they were rung."""
        return [
            Goal(
                name=name,
                what="bell",
                status=OPEN if bell["rung"] is None else f"rung at place {bell['rung']}",
            )
            for name, bell in state["bells"].items()
        ]


VIEWING = CorridorViewing()
