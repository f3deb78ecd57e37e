"""The voice of Overcooked-AI: the rules of the kitchen, the forms of the actions, and the state."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World
from cookmas.orchestrator.dialogue.voice import Templates, mark
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.base.voice import WorldVoice
from cookmas.worlds.overcooked.rules.actions import PICK_UP, PLACE, PUT, MediumAction, read_action
from cookmas.worlds.overcooked.rules.places import cells_reached, places_of
from cookmas.worlds.overcooked.world import OvercookedWorld

ORDERS = "orders"
"""Key of the ordered soups in the block of the kitchen."""


class OvercookedVoice(WorldVoice):
    """The voice of a kitchen."""

    prompts = Path(__file__).with_name("prompts")

    def rules_and_actions(
        self, world: World, templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return the rules, the actions, and what the block of possible actions leaves out."""
        assert isinstance(world, OvercookedWorld)
        lists_all = world.options.acts != "any"
        return {
            **super().rules_and_actions(world, templates, agent),
            "possible": "" if lists_all else templates.fill("possible_low"),
        }

    def setting(self, observation: Observation[Any]) -> dict[str, Any]:
        """Return the block of the kitchen, with the ordered soups in the place of all recipes."""
        world = observation.world
        assert isinstance(world, OvercookedWorld)
        setup = {name: value for name, value in world.setup().items() if name != "recipes"}
        orders = [
            {"ingredients": list(soup.ingredients), "points": soup.points, "cooks": soup.time}
            for soup in world.kitchen.ordered
        ]
        return {mark(world.name): {**setup, ORDERS: orders}}

    def example(self, world: World) -> list[list[str]]:
        """Return three actions of each cook: it takes something, puts it down, and takes more."""
        assert isinstance(world, OvercookedWorld)
        by_cook = [_example_of(world, number) for number in range(len(world.workers))]
        return [list(row) for row in zip(*by_cook, strict=True)]


def _example_of(world: OvercookedWorld, number: int) -> Sequence[str]:
    """Return three actions at places that a cook reaches; low-level acts if it may do no others."""
    forms = world.every_action()
    if world.options.acts == "low":
        return forms[:3]
    kitchen = world.kitchen
    reached = cells_reached(kitchen, kitchen.grid.starts[number])
    near = [
        action
        for action in map(read_action, forms)
        if isinstance(action, MediumAction) and places_of(kitchen).get(action.place) in reached
    ]
    takes = (each for each in near if each.verb == PICK_UP and each.item != "soup")
    take = next(takes, None)
    if take is None:
        return [world.idle] * 3
    puts = (each for each in near if each.verb in (PUT, PLACE) and each.item == take.item)
    return [str(take), str(next(puts, world.idle)), str(take)]


VOICE = OvercookedVoice()
"""The voice of all planners that ask a model."""
