"""The voice of the restaurant: it puts observations into words for a model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World
from cookmas.files.errors import NotationError
from cookmas.kitchen.actions import LIBRARY, ActionSpec, Navigate, parse_action
from cookmas.kitchen.layout import KINDS, STANDARD_WORK, Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.dialogue.voice import Templates, Voice
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.restaurant.voice.blocks import (
    LOOK_UP,
    RECIPES,
    changing_blocks,
    constant_blocks,
    outline,
    read_state_data,
    recipes_data,
    state_data,
)
from cookmas.worlds.restaurant.voice.demonstrations import demonstrate
from cookmas.worlds.restaurant.voice.underway import describe_schedule

_WITH_ARGUMENT = re.compile(r"([a-z]+)\((?!\d).*\)")
_SPACED = re.compile(r"\s*([(),])\s*")


class RestaurantVoice(Voice):
    """The voice, which describes the kitchen, its state, and the orders with recipes."""

    prompts = Path(__file__).parent.with_name("prompts")
    look_up = LOOK_UP
    hidden = ("lines",)

    def rules_and_actions(
        self, world: World, templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return texts for the system prompt: the rules, the actions, and how to read recipes."""
        assert isinstance(world, Restaurant)
        return {
            "rules": templates.fill("rules", places_of_work(world.kitchen)),
            "library": library(),
            "conventions": conventions(templates),
        }

    def example(self, world: World) -> Sequence[Sequence[str]]:
        """Return three rows of actions: one worker starts an appliance, another fetches rice."""
        return (
            ("place", "navigate(pantry)"),
            ("start", "pick(rice)"),
            ("navigate(aisle)", "navigate(pot_1)"),
        )

    def setting(self, observation: Observation[KitchenState]) -> dict[str, Any]:
        """Return the block KITCHEN."""
        return constant_blocks(observation)

    def tell_state(self, world: World, state: KitchenState) -> dict[str, Any]:
        """Return the state without order lines, which ORDERS has, and without empty parts."""
        assert isinstance(world, Restaurant)
        return state_data(world, state)

    def read_state(self, world: World, told: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plain data of the state, without order lines."""
        return read_state_data(told)

    def blocks(self, observation: Observation[KitchenState]) -> dict[str, Any]:
        """Return the blocks STATE and ORDERS."""
        return changing_blocks(observation)

    def remarks_on_schedule(self, observation: Observation[KitchenState]) -> dict[str, Any]:
        """Return what the active schedule serves and occupies, and what has cooked so far."""
        return describe_schedule(observation)

    def texts(self, observation: Observation[KitchenState]) -> tuple[str, dict[str, str]]:
        """Return the block RECIPES, as its name and the recipes by item."""
        return RECIPES, recipes_data(observation)

    def outline(self, world: World, state: Any) -> dict[str, Any]:
        """Return where workers and things are, and what is out of service."""
        return outline(world, state)

    def normalise_action(self, action: str) -> str:
        """Return an action in its standard spelling, without redundant spaces or empty brackets.

        If an action takes no argument, an argument is dropped: `place(bread)` becomes `place`. A
        number is not dropped, because it has a meaning, such as a duration.
        """
        action = _SPACED.sub(r"\1", action.strip()).replace(",", ", ").removesuffix("()")
        match = _WITH_ARGUMENT.fullmatch(action)
        spec = LIBRARY.get(match[1]) if match else None
        return spec.name if spec and spec.argument is None else action

    def find_unknown(self, world: World, action: str) -> str | None:
        """Return the station that an action goes to and that the kitchen does not have."""
        assert isinstance(world, Restaurant)
        try:
            known = parse_action(action)
        except NotationError:
            return None
        if isinstance(known, Navigate) and known.station not in world.kitchen.stations:
            return f"there is no station {known.station!r} in this kitchen."
        return None

    def demonstration(
        self, observation: Observation[KitchenState], workers: int, timesteps: int | None
    ) -> dict[str, Any]:
        """Return how a dish that is not ordered is made in this kitchen. Raises InputError."""
        world = observation.world
        assert isinstance(world, Restaurant)
        ordered = {line.item for line in observation.state.lines.values()}
        return demonstrate(world, ordered, workers, timesteps)


VOICE = RestaurantVoice()


def places_of_work(kitchen: Kitchen) -> dict[str, str]:
    """Return the processes of each kind of tool and of each kind of appliance in a kitchen."""
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
    """Return the action library as text; actions with equal needs and effect share one entry."""
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
    """Return the conventions for reading recipes, such as the standard minutes of work."""
    work = ", ".join(f"{process} {minutes}" for process, minutes in STANDARD_WORK.items())
    return templates.fill("conventions", {"standard_work": work})
