"""How the restaurant speaks to a model that plans its kitchen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from episodes.world import World
from kitchen.actions import LIBRARY
from kitchen.components import DonenessTable
from kitchen.layout import STANDARD_WORK
from kitchen.state import KitchenState
from kitchen.world import Restaurant
from orchestrator.dialogue.prompting import Prompting
from orchestrator.dialogue.templates import Templates
from orchestrator.planner import Observation
from worlds.restaurant.prompts.blocks import LOOK_UP, RECIPES, observed, outline, recipes_data
from worlds.restaurant.prompts.demonstrations import demonstrate


class RestaurantVoice:
    """The kitchen, its state, the open orders and their recipes in words."""

    prompts = Path(__file__).parent
    look_up = LOOK_UP
    presets: Mapping[str, Prompting] = {}
    examples: Sequence[str] = ("navigate(fridge)", "pick(tomato)", "navigate(board_1)")

    def house(self, world: World[Any], templates: Templates) -> dict[str, str]:
        """The rules, the actions, the conventions of recipes and the table of doneness."""
        return {
            **conventions(kitchen_of(world).doneness, templates),
            "rules": templates.fill("rules"),
            "library": "\n".join(f"- {spec}" for spec in LIBRARY.values()),
        }

    def blocks(self, observation: Observation[KitchenState]) -> dict[str, Any]:
        """KITCHEN, STATE and ORDERS."""
        return observed(observation)

    def texts(self, observation: Observation[KitchenState]) -> tuple[str, dict[str, str]]:
        """RECIPES."""
        return RECIPES, recipes_data(observation)

    def outline(self, world: World[Any], state: Any) -> dict[str, Any]:
        """Who and what is where, and what is out of service."""
        return outline(world, state)

    def demonstration(
        self, observation: Observation[KitchenState], workers: int, timesteps: int | None
    ) -> dict[str, Any]:
        """How a dish that is not ordered was made in this kitchen."""
        world = observation.world
        assert isinstance(world, Restaurant)
        ordered = {line.item for line in observation.state.lines.values()}
        return demonstrate(world, ordered, workers, timesteps)


VOICE = RestaurantVoice()


def kitchen_of(world: World[Any]) -> Any:
    """The kitchen of a restaurant."""
    assert isinstance(world, Restaurant)
    return world.kitchen


def conventions(doneness: DonenessTable, templates: Templates) -> dict[str, str]:
    """How recipes are meant: the house conventions, and the table of doneness."""
    work = ", ".join(f"{process} {minutes}" for process, minutes in STANDARD_WORK.items())
    return {
        "conventions": templates.fill("conventions", {"standard_work": work}),
        "doneness": _doneness(doneness),
    }


def _doneness(table: DonenessTable) -> str:
    lines = []
    for (food, process), entry in table.items():
        levels = ", ".join(
            f"{level} {low}-{high}" if low < high else f"{level} {low}"
            for level, (low, high) in entry.levels.items()
        )
        lines.append(f"- {food}, {process}: {levels}; burnt from {entry.burnt}")
    return "\n".join(lines)
