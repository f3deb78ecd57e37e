"""The prompt adapter of plain worlds: their rules in words, and their state as data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.capabilities import characters, movers, simulable
from cookmas.episodes.world import AnyWorld
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.look_up import LookUp
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.plain.world import PlainWorld

STATE, TEXTS, POSSIBLE = "STATE", "TEXTS", "POSSIBLE"

LOOK_UP = LookUp(
    tool="look_up_text",
    about="A text that belongs to this world.",
    key="name",
    about_key="the name of the text",
    text="text",
)


def mark(name: str) -> str:
    """Return the name of the block that only requests of the world `name` have."""
    return f"WORLD_{re.sub('[^A-Z]+', '_', name.upper())}"


class PlainVoice:
    """The prompt adapter of any plain world: the world's setup, state and possible actions."""

    prompts = Path(__file__).parent
    look_up = LOOK_UP
    listed = POSSIBLE
    presets: Mapping[str, Prompting] = {}
    example: Sequence[Sequence[str]] = ()

    def house(self, world: AnyWorld[Any], templates: Templates) -> dict[str, str]:
        """Return the texts for the system prompt: the rules and the actions.

        The rules also name the agents that are not workers.
        """
        assert isinstance(world, PlainWorld)
        others = ", ".join(characters(world))
        beside = templates.fill("characters", {"characters": others}) if others else ""
        forms = {**world.actions, world.idle: world.actions.get(world.idle, "do nothing.")}
        library = "\n".join(f"- `{form}`: {what}" for form, what in forms.items())
        return {"rules": f"{world.about}\n\n{beside}".strip(), "library": library}

    def house_of(self, world: AnyWorld[Any], templates: Templates, agent: str) -> dict[str, str]:
        """Return the texts for the system prompt of an agent, which are the same for all agents."""
        return self.house(world, templates)

    def example_of(self, world: AnyWorld[Any], agent: str) -> list[str]:
        """Return three example actions of the world, which need not be legal."""
        assert isinstance(world, PlainWorld)
        counted = world.every_action()
        forms = counted if counted is not None else [world.idle, *world.actions]
        others = [form for form in forms if form != world.idle] or [world.idle]
        return [others[0], world.idle, others[-1]]

    def setting(self, observation: Observation[Any]) -> dict[str, Any]:
        """Return the block with the setup of the world."""
        return {mark(observation.world.name): dict(observation.world.setup())}

    def blocks(self, observation: Observation[Any]) -> dict[str, Any]:
        """Return the block STATE with the state, and the block POSSIBLE with legal actions.

        The legal actions are those of the agent that is asked, or of all workers, if it is their
        move. The block POSSIBLE is left out if the observed state cannot be simulated.
        """
        world, state = observation.world, observation.state
        known = simulable(world, state, observation.agent)
        if known is None:
            return {STATE: world.dump(state)}
        asked = [name for name in movers(world, state) if observation.agent in (None, name)]
        legal = {name: list(world.legal(known, name)) for name in asked}
        return {STATE: world.dump(state), POSSIBLE: legal}

    def texts(self, observation: Observation[Any]) -> tuple[str, dict[str, str]]:
        """Return the block TEXTS: the texts that were looked up."""
        return TEXTS, dict(observation.texts)

    def remarks_on_schedule(self, observation: Observation[Any]) -> dict[str, Any]:
        """Return no remarks."""
        return {}

    def outline(self, world: AnyWorld[Any], state: Any) -> dict[str, Any]:
        """Return the whole state as plain data."""
        return world.dump(state)

    def demonstration(
        self, observation: Observation[Any], workers: int, timesteps: int | None
    ) -> dict[str, Any]:
        """Raise InputError: a plain world has no demonstration."""
        raise InputError(
            "--demonstration",
            f"the world {observation.world.name} has no demonstration; leave it out",
        )


VOICE = PlainVoice()
