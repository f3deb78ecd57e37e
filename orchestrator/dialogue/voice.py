"""The prompt adapter protocol: how a world puts its observations into words for a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from cookmas.episodes.world import AnyWorld
from cookmas.orchestrator.dialogue.look_up import LookUp
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.planner import Observation


class Voice(Protocol):
    """The prompt adapter of a world; the form of the dialogue is the same for all worlds.

    `prompts` is the folder of the world's prompt files; a file there replaces the shared file of
    the same name. `look_up` is the tool for the world's texts. `presets` are the presets that the
    world defines differently from `PRESETS`. `example` has three rows of a schedule, each with the
    actions of the first workers; the rows show the form of an answer and typical work.
    """

    prompts: Path
    look_up: LookUp
    presets: Mapping[str, Prompting]
    example: Sequence[Sequence[str]]

    def house(self, world: AnyWorld[Any], templates: Templates) -> Mapping[str, str]:
        """Return the values of the world's own slots in `system.md`."""
        ...

    def setting(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return the blocks that do not change during an episode: data by the name of the block."""
        ...

    def blocks(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return the blocks that change with the observation: data by the name of the block."""
        ...

    def remarks_on_schedule(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return remarks on the active schedule, such as the goals that its actions are for."""
        ...

    def texts(self, observation: Observation[Any]) -> tuple[str, Mapping[str, str]]:
        """Return the block of the texts that are needed now: its name, and the texts by key.

        The observation has these texts already.
        """
        ...

    def outline(self, world: AnyWorld[Any], state: Any) -> dict[str, Any]:
        """Return the part of the state that decisions depend on, for memory and demonstrations."""
        ...

    def demonstration(
        self, observation: Observation[Any], workers: int, timesteps: int | None
    ) -> Mapping[str, Any]:
        """Return the data that show how `workers` workers solve another task.

        They cover the first `timesteps` timesteps, or the whole task if that is None. Raise
        InputError if the world has no demonstration.
        """
        ...


@runtime_checkable
class VoiceByAgent(Protocol):
    """A prompt adapter with texts of its own for each agent, for worlds whose workers differ."""

    def house_of(self, world: AnyWorld[Any], templates: Templates, agent: str) -> Mapping[str, str]:
        """Return the values of the slots in `agent_system.md` for an agent, as `house` does."""
        ...

    def example_of(self, world: AnyWorld[Any], agent: str) -> Sequence[str]:
        """Return an agent's actions at three timesteps, which show the form of an answer."""
        ...


@runtime_checkable
class ListingVoice(Protocol):
    """A prompt adapter that lists the legal actions in a block of its own.

    A prompt for a choice leaves the block out: it lists the actions with letters, or not at all.
    """

    listed: str
    """Name of the block."""


def house(
    voice: Voice, world: AnyWorld[Any], templates: Templates, agent: str | None
) -> Mapping[str, str]:
    """Return the values of the world's own slots, for an agent or for all workers."""
    if agent is not None and isinstance(voice, VoiceByAgent):
        return voice.house_of(world, templates, agent)
    return voice.house(world, templates)


def example(voice: Voice, world: AnyWorld[Any], agent: str | None) -> list[dict[str, str]]:
    """Return three rows of a schedule, with the actions of all workers or of one agent.

    If the adapter is no `VoiceByAgent`, every agent gets the actions of the first worker.
    """
    if isinstance(voice, VoiceByAgent):
        agents = list(world.workers) if agent is None else [agent]
        columns = [voice.example_of(world, each) for each in agents]
        return [dict(zip(agents, row, strict=True)) for row in zip(*columns, strict=True)]
    if agent is None:
        return [dict(zip(world.workers, row, strict=False)) for row in voice.example]
    return [{agent: row[0]} for row in voice.example]
