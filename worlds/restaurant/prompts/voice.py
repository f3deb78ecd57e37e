"""How the restaurant speaks to a model that plans its kitchen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from episodes.world import World
from kitchen.actions import LIBRARY, ActionSpec
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
    example: Sequence[Sequence[str]] = (
        ("place", "navigate(pantry)"),
        ("start", "pick(rice)"),
        ("navigate(aisle)", "navigate(pot_1)"),
    )

    def house(self, world: World[Any], templates: Templates) -> dict[str, str]:
        """The rules, the actions, and the conventions of recipes."""
        return {
            "rules": templates.fill("rules"),
            "library": library(),
            "conventions": conventions(templates),
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


def library() -> str:
    """The action library; actions that need and do the same share one sentence."""
    alike: dict[tuple[str, str], list[ActionSpec]] = {}
    for spec in LIBRARY.values():
        alike.setdefault((spec.needs, spec.effect), []).append(spec)
    return "\n".join(
        f"- {_calls(specs)}. Needs {needs}. {effect}" for (needs, effect), specs in alike.items()
    )


def _calls(specs: Sequence[ActionSpec]) -> str:
    where: dict[str, list[str]] = {}
    for spec in specs:
        call = f"{spec.name}({spec.argument})" if spec.argument else spec.name
        where.setdefault(spec.where, []).append(call)
    return "; ".join(f"{', '.join(calls)} at {place}" for place, calls in where.items())


def conventions(templates: Templates) -> str:
    """How recipes are meant: the house conventions."""
    work = ", ".join(f"{process} {minutes}" for process, minutes in STANDARD_WORK.items())
    return templates.fill("conventions", {"standard_work": work})
