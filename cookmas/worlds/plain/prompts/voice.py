"""The voice of plain worlds: their rules in words, and their state as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cookmas.episodes.capabilities import characters
from cookmas.episodes.world import AnyWorld
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.dialogue.voice import Voice
from cookmas.worlds.plain.world import PlainWorld


class PlainVoice(Voice):
    """The voice of any plain world: the world's setup, state and possible actions."""

    prompts = Path(__file__).parent

    def rules_and_actions(
        self, world: AnyWorld[Any], templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return the texts for the system prompt: the rules and the actions.

        The rules also name the agents that are not workers.
        """
        assert isinstance(world, PlainWorld)
        others = ", ".join(characters(world))
        beside = templates.fill("characters", {"characters": others}) if others else ""
        forms = {**world.actions, world.idle: world.actions.get(world.idle, "do nothing.")}
        library = "\n".join(f"- `{form}`: {what}" for form, what in forms.items())
        return {"rules": f"{world.about}\n\n{beside}".strip(), "library": library}

    def example(self, world: AnyWorld[Any]) -> list[list[str]]:
        """Return three actions of the world, which all workers do."""
        assert isinstance(world, PlainWorld)
        counted = world.every_action()
        forms = counted if counted is not None else [world.idle, *world.actions]
        others = [form for form in forms if form != world.idle] or [world.idle]
        return [[form] * len(world.workers) for form in (others[0], world.idle, others[-1])]


VOICE = PlainVoice()
