"""The voice of a world that has none of its own: its rules in words, and its state as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.reports import duration, has_long_actions
from cookmas.orchestrator.dialogue.voice import TEXTS, Templates, Voice
from cookmas.orchestrator.planner import Observation


class WorldVoice(Voice):
    """The voice of any world: the members `about` and `actions` have the rules and the actions."""

    prompts = Path(__file__).parent / "prompts"

    def rules_and_actions(
        self, world: World, templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return the texts for the system prompt: the rules and the actions.

        The rules also name the agents that are not workers.
        """
        others = ", ".join(world.characters)
        beside = templates.fill("characters", {"characters": others}) if others else ""
        forms = {**world.actions, world.idle: world.actions.get(world.idle, "do nothing.")}
        forms = {form: f"{what}{_tell_duration(world, form)}" for form, what in forms.items()}
        return {"rules": f"{world.about}\n\n{beside}".strip(), "library": list_forms(forms)}

    def example(self, world: World) -> Sequence[Sequence[str]]:
        counted = world.every_action()
        forms = counted if counted is not None else [world.idle, *world.actions]
        others = [form for form in forms if form != world.idle] or [world.idle]
        return [[form] * len(world.workers) for form in (others[0], world.idle, others[-1])]

    def texts(self, observation: Observation[Any]) -> tuple[str, Mapping[str, str]]:
        """Return the block TEXTS: the texts that the world still requires in this state."""
        texts, due = observation.texts, observation.world.lookups(observation.state)
        return TEXTS, {name: texts[name] for name in due if name in texts}


def list_forms(forms: Mapping[str, str]) -> str:
    """Return the forms of actions with their effects, a line for each."""
    return "\n".join(f"- `{form}`: {what}" for form, what in forms.items())


def _tell_duration(world: World, form: str) -> str:
    """Return a sentence on how long the actions of a form last, if they are long; else nothing.

    A world that cannot say this of a form alone, without its arguments, is not asked further.
    """
    if form == world.idle or not has_long_actions(world):
        return ""
    try:
        lasts, longest = duration(world, form), world.longest(form)
    except Exception:
        return ""
    stopped = "" if longest is None else f", and is stopped after {longest}"
    return f" It lasts about {lasts} timesteps{stopped}." if lasts > 1 else ""


VOICE = WorldVoice()
