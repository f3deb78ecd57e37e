"""How the restaurant speaks to a model that plans its kitchen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from episodes.world import World
from kitchen.actions import LIBRARY, ActionSpec
from kitchen.layout import KINDS, STANDARD_WORK, Kitchen
from kitchen.state import KitchenState
from kitchen.world import Restaurant
from orchestrator.dialogue.prompting import Prompting
from orchestrator.dialogue.templates import Templates
from orchestrator.planner import Observation
from worlds.restaurant.prompts.blocks import (
    LOOK_UP,
    RECIPES,
    outline,
    recipes_data,
    seen,
    setting,
)
from worlds.restaurant.prompts.demonstrations import demonstrate
from worlds.restaurant.prompts.underway import about


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
        assert isinstance(world, Restaurant)
        return {
            "rules": templates.fill("rules", places_of_work(world.kitchen)),
            "library": library(),
            "conventions": conventions(templates),
        }

    def setting(self, observation: Observation[KitchenState]) -> dict[str, Any]:
        """Return KITCHEN."""
        return setting(observation)

    def blocks(self, observation: Observation[KitchenState]) -> dict[str, Any]:
        """Return STATE and ORDERS."""
        return seen(observation)

    def underway(self, observation: Observation[KitchenState]) -> dict[str, Any]:
        """Return what the schedule is for, which stations it books, and what has cooked so far."""
        return about(observation)

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


def places_of_work(kitchen: Kitchen) -> dict[str, str]:
    """Return which process is done at which tool and appliance of a kitchen."""
    kinds = [kind for kind in KINDS.values() if kitchen.of_kind(kind.name)]
    return {
        f"{role}s": "; ".join(
            f"{kind.name}: {', '.join(f'`{process}`' for process in kind.processes)}"
            for kind in kinds
            if kind.role == role
        )
        for role in ("tool", "appliance")
    }


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
