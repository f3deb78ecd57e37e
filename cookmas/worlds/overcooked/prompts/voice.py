"""The voice of Overcooked-AI: the rules of the kitchen, the forms of the actions, and the state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cookmas.episodes.world import AnyWorld
from cookmas.worlds.base.voice import WorldVoice
from cookmas.worlds.overcooked.world import OvercookedWorld


class OvercookedVoice(WorldVoice):
    """The voice of a kitchen."""

    prompts = Path(__file__).parent

    def example(self, world: AnyWorld[Any]) -> list[list[str]]:
        """Return three actions of the world, which all cooks do."""
        assert isinstance(world, OvercookedWorld)
        forms = world.every_action()
        return [[form] * len(world.workers) for form in (forms[0], world.idle, forms[1])]


VOICE = OvercookedVoice()
"""The voice of all planners that ask a model."""
