"""The voice of Overcooked-AI: the rules of the kitchen, the forms of the actions, and the state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cookmas.episodes.world import AnyWorld
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.worlds.base.voice import WorldVoice
from cookmas.worlds.overcooked.words import describe_rules
from cookmas.worlds.overcooked.world import OvercookedWorld


class OvercookedVoice(WorldVoice):
    """The voice of a kitchen."""

    prompts = Path(__file__).parent

    def rules_and_actions(
        self, world: AnyWorld[Any], templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return the rules of the kitchen, and the forms of the actions."""
        assert isinstance(world, OvercookedWorld)
        library = "\n".join(f"- `{form}`: {what}" for form, what in world.actions.items())
        return {"rules": describe_rules(world.kitchen, world.workers), "library": library}

    def example(self, world: AnyWorld[Any]) -> list[list[str]]:
        """Return three actions of the world, which all cooks do."""
        assert isinstance(world, OvercookedWorld)
        forms = world.every_action()
        return [[form] * len(world.workers) for form in (forms[0], world.idle, forms[1])]


VOICE = OvercookedVoice()
"""The voice of all planners that ask a model."""
