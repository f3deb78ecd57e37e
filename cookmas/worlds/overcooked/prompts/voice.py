"""The prompt adapter: the rules of the kitchen, the forms of the actions, and the state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cookmas.episodes.world import AnyWorld
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.worlds.overcooked.words import describe_rules
from cookmas.worlds.overcooked.world import OvercookedWorld
from cookmas.worlds.plain.prompts.voice import PlainVoice


class OvercookedVoice(PlainVoice):
    """The prompt adapter of Overcooked-AI."""

    prompts = Path(__file__).parent

    def house(self, world: AnyWorld[Any], templates: Templates) -> dict[str, str]:
        """Return the rules of the kitchen, and the forms of the actions."""
        assert isinstance(world, OvercookedWorld)
        library = "\n".join(f"- `{form}`: {what}" for form, what in world.actions.items())
        return {"rules": describe_rules(world.kitchen, world.workers), "library": library}

    def example_of(self, world: AnyWorld[Any], agent: str) -> list[str]:
        """Return three example actions of the world, which need not be legal."""
        assert isinstance(world, OvercookedWorld)
        forms = world.every_action()
        return [forms[0], world.idle, forms[1]]


VOICE = OvercookedVoice()
"""The prompt adapter that all planners use that ask a model."""
