"""The voice of a world: how it puts its observations and texts into words for a model."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World, movers
from cookmas.episodes.conversation import ToolCall
from cookmas.episodes.possible import list_legal
from cookmas.files.errors import InputError, MissingError
from cookmas.orchestrator.dialogue.prompting import DEFAULT, Prompting, preset
from cookmas.orchestrator.dialogue.scratch_pad import Pad
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.models.message import ToolSpec
from cookmas.orchestrator.planner import Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """A tool that returns the text for a key, such as the rules of a task for its name."""

    tool: str
    """Name of the tool."""
    about: str
    """Description of the tool for the model."""
    key: str
    """Name of the tool's argument."""
    about_key: str
    """Description of the argument for the model."""
    text: str
    """Name of the field that holds the text in the tool's answer."""

    def spec(self) -> ToolSpec:
        """Return the specification of the tool for a request."""
        return ToolSpec(
            name=self.tool,
            description=self.about,
            parameters={
                "type": "object",
                "properties": {self.key: {"type": "string", "description": self.about_key}},
                "required": [self.key],
                "additionalProperties": False,
            },
        )

    def stands_in(self, text: str) -> bool:
        """Return whether a text has a call of the tool, in any form."""
        called = rf"""["'<:=]\s*{self.tool}\b|\b{self.tool}\s*[({{]"""
        return re.search(called, text) is not None

    async def answer(self, wish: ToolCall, fetch: Fetch) -> dict[str, str]:
        """Return the tool's answer to the model's call `wish`.

        The answer is the text, or an error if the call is invalid. `fetch` gets the text by its
        key.
        """
        if wish.name != self.tool:
            return {"error": f"there is no such tool, only {self.tool}"}
        try:
            key = json.loads(wish.arguments)[self.key]
        except (ValueError, RecursionError, KeyError, TypeError):
            key = None
        if not isinstance(key, str):
            return {"error": f'the arguments should be {{"{self.key}": "{self.about_key}"}}'}
        try:
            return {self.key: key, self.text: await fetch(key)}
        except MissingError:
            return {self.key: key, "error": f"there is no {self.text} of that name"}


STATE, TEXTS = "STATE", "TEXTS"
"""Names of the blocks with the state and with the texts, unless a world has its own."""

POSSIBLE = "POSSIBLE"
"""Name of the block with the legal actions that `Voice.blocks` returns.

A prompt that lists the legal actions leaves this block out. So does a prompt for a choice, which
lists them as OPTIONS or not at all.
"""

LOOK_UP = LookUp(
    tool="look_up_text",
    about="A text that belongs to this world.",
    key="name",
    about_key="the name of the text",
    text="text",
)
"""The tool for the texts of a world that has no tool of its own."""


def mark(name: str) -> str:
    """Return the name of the block that only requests of the world `name` have."""
    return f"WORLD_{re.sub('[^A-Z]+', '_', name.upper())}"


class Voice(ABC):
    """The prompt adapter of a world; the form of the dialogue is the same for all worlds.

    A world must define `prompts`, `rules_and_actions` and `example`; it may override the rest.
    """

    prompts: Path
    """The folder of the world's prompt files; a file there replaces the shared one of its name."""
    look_up: LookUp = LOOK_UP
    """The tool with which a model looks up the world's texts."""
    lettered = False
    """True if a choice names the letter of an option; it may stand for another action next time."""
    presets: Mapping[str, Prompting] = {}
    """The presets that the world defines differently from `PRESETS`."""

    @property
    def default_prompting(self) -> Prompting:
        """The options of a planner that has none of its own: those of the preset `default`."""
        return preset(DEFAULT, self.presets)

    @abstractmethod
    def rules_and_actions(
        self, world: World, templates: Templates, agent: str | None = None
    ) -> Mapping[str, str]:
        """Return the values of the world's own slots in `system.md`: `rules`, `library` and others.

        In a team, return those in `agent_system.md` for an `agent`.
        """

    @abstractmethod
    def example(self, world: World) -> Sequence[Sequence[str]]:
        """Return three rows of a schedule, each with the actions of the first workers.

        The rows show the form of an answer and typical work; the actions need not be legal.
        """

    def setting(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return the blocks that do not change during an episode: data by the name of the block.

        The default is one block with the setup of the world.
        """
        return {mark(observation.world.name): dict(observation.world.setup())}

    def blocks(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return the blocks that change with the observation: data by the name of the block.

        The default is the block STATE with the state, and the block POSSIBLE with the legal
        actions of the agent that is asked, or of all workers, if it is their move. POSSIBLE is
        left out if the world cannot list them for what is observed.
        """
        world, state = observation.world, observation.state
        asked = [name for name in movers(world, state) if observation.agent in (None, name)]
        legal = list_legal(world, state, observation.agent, asked)
        possible = {} if legal is None else {POSSIBLE: legal}
        return {STATE: world.dump(state), **possible}

    def without_deductions(self) -> Voice:
        """Return a voice that shows only what was observed, not what follows from it.

        Raise InputError if there is none, as by default.
        """
        raise InputError("--no-deductions", "this world shows no deductions; leave it out")

    def select_own(
        self, world: World, state: Mapping[str, Any], workers: Sequence[str]
    ) -> dict[str, Any]:
        """Return the part of the block STATE that is at the stations of these workers.

        It also has what is asked for. A station that is empty is told as such. A world that
        overrides this has the prompt file `given_own.md`. By default the world has no stations.
        """
        raise NotImplementedError(f"{world.name} has no stations")

    def pad(self, world: World) -> Pad:
        """Return the form of a scratch pad: texts, or further forms, by name.

        The default is a text for each worker.
        """
        return dict.fromkeys(world.workers, "...")

    def texts(self, observation: Observation[Any]) -> tuple[str, Mapping[str, str]]:
        """Return the block of the texts that are needed now: its name, and the texts by key.

        The default is the block TEXTS with all texts that were looked up.
        """
        return TEXTS, dict(observation.texts)

    def remarks_on_schedule(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return remarks on the active schedule, such as the goals that its actions are for."""
        return {}

    def outline(self, world: World, state: Any) -> dict[str, Any]:
        """Return the part of the state that decisions depend on, for memory and demonstrations.

        The default is the whole state.
        """
        return world.dump(state)

    def normalise_action(self, action: str) -> str:
        """Return an action of an answer in the world's own spelling.

        The default is the action unchanged.
        """
        return action

    def find_unknown(self, world: World, action: str) -> str | None:
        """Return, as a sentence, what an action names that there is not in this world.

        Return None if there is no such thing, which is the default.
        """
        return None

    def demonstration(
        self, observation: Observation[Any], workers: int, timesteps: int | None
    ) -> Mapping[str, Any]:
        """Return the data that show how `workers` workers solve another task.

        They cover the first `timesteps` timesteps, or the whole task if that is None. Raise
        InputError if the world has no demonstration.
        """
        raise InputError(
            "--demonstration",
            f"the world {observation.world.name} has no demonstration; leave it out",
        )
