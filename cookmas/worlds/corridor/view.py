"""The words and the drawing of the corridor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.world import Json
from cookmas.worlds.base.viewing import OPEN, Panel, Terms, Viewing, VisibleGoal, WorkerPlace
from cookmas.worlds.corridor.world import Corridor, CorridorWorld


class CorridorViewing(Viewing):
    """The words and the drawing of walkers and bells."""

    terms = Terms(goals="bells", reached="rung", doing="walking")
    page: Sequence[Path] = (Path(__file__).parent / "page" / "corridor.js",)

    def setup(self, world: CorridorWorld) -> dict[str, Any]:
        """Return the length of the corridor."""
        return {"length": world.length}

    def event(self, event: Json) -> str:
        """Return the event in words: the bell that is asked for, or an instruction."""
        name = event.get("name")
        return f"bell {name} is asked for" if name else super().event(event)

    def action(self, world: CorridorWorld, state: Corridor, worker: str, action: str) -> str:
        """Return an action in words, such as "goes left"."""
        match action.partition("(")[0]:
            case "left" | "right":
                return f"goes {action}"
            case "stay":
                return "stays"
            case "ring":
                return f"rings {action[len('ring(') : -1]}"
        return action

    def place_workers(self, world: CorridorWorld, state: Corridor) -> Mapping[str, WorkerPlace]:
        """Return the place of each walker."""
        return {name: WorkerPlace(at=f"place {place}") for name, place in state["places"].items()}

    def panels(self, world: CorridorWorld, state: Corridor) -> Sequence[Panel]:
        """Return no panels, because a corridor has only walkers and bells."""
        return ()

    def goals(self, world: CorridorWorld, state: Corridor) -> Sequence[VisibleGoal]:
        """Return a goal for each bell, with the place where the bell was rung."""
        return [
            VisibleGoal(
                name=name,
                what="bell",
                status=OPEN if bell["rung"] is None else f"rung at place {bell['rung']}",
            )
            for name, bell in state["bells"].items()
        ]


VIEWING = CorridorViewing()
