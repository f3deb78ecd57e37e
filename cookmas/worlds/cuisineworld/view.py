"""The words and the drawing of CuisineWorld."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.world import Json
from cookmas.worlds.base.viewing import Item, Panel, Terms, Viewing, VisibleGoal, WorkerPlace
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineState
from cookmas.worlds.cuisineworld.world import CuisineWorld

_HERE = Path(__file__).parent / "page"


class CuisineViewing(Viewing):
    """The words and the drawing of places, their contents, and occupied tools."""

    terms = Terms(goals="orders", reached="completed", texts="recipes", doing="cooking")
    page = (_HERE / "cuisineworld.js",)

    def setup(self, world: CuisineWorld) -> dict[str, Any]:
        """Return the places by kind, the tools, and the lifetimes of the dishes."""
        kitchen = world.kitchen
        return {
            "agents": list(world.workers),
            "places": dict(kitchen.places),
            "tools": {name: tool._asdict() for name, tool in kitchen.tools.items()},
            "dishes": {dish: kitchen.lifetimes[dish] for dish in kitchen.dishes},
        }

    def event(self, event: Json) -> str:
        """Return the event in words: the dish that is ordered, or an instruction."""
        dish = event.get("dish")
        return f"{dish} is ordered" if dish else super().event(event)

    def action(self, world: CuisineWorld, state: CuisineState, worker: str, action: str) -> str:
        """Return an action in words, such as "gets rice from storage0"."""
        verb, *words = action.split("_")
        if worker not in world.workers:
            return action
        held = state.agents[world.workers.index(worker)].holding or "nothing"
        match verb, words:
            case "goto", [place]:
                return f"goes to {place}"
            case "get", [*item, place]:
                inside = ", ".join(state.inside.get(place, ())) or "nothing"
                return f"gets {'_'.join(item) or inside} from {place}"
            case "put", [place]:
                return f"puts {held} into {place}"
            case "activate", [place]:
                return f"turns {place} on"
            case "noop", _:
                return "waits"
        return action

    def place_workers(self, world: CuisineWorld, state: CuisineState) -> Mapping[str, WorkerPlace]:
        """Return the place of each agent and the item that it holds."""
        return {
            name: WorkerPlace(at=agent.at, holds=agent.holding or "")
            for name, agent in zip(world.workers, state.agents, strict=True)
        }

    def panels(self, world: CuisineWorld, state: CuisineState) -> Sequence[Panel]:
        """Return one panel: the contents of places, and how long tools stay occupied."""
        items = [
            Item(
                name=place,
                what=", ".join(state.inside.get(place, ())),
                note=f"occupied for {busy}" if (busy := state.busy.get(place)) else "",
            )
            for place in world.kitchen.places
            if place in state.inside or place in state.busy
        ]
        return [Panel(title="in use", items=items)]

    def goals(self, world: CuisineWorld, state: CuisineState) -> Sequence[VisibleGoal]:
        """Return the closed orders, then the open ones; orders have no names."""
        closed = {"completed": state.completed, "lost": state.failed}
        return [
            *(
                VisibleGoal(name="", what=dish, status=how)
                for how in closed
                for dish in closed[how]
            ),
            *(
                VisibleGoal(name="", what=o.dish, due=state.timestep + o.lifetime)
                for o in state.orders
            ),
        ]


VIEWING = CuisineViewing()
