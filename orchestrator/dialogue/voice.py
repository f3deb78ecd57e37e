"""What a voice is: how the observations of a world are put into words for a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from episodes.world import World
from orchestrator.dialogue.look_up import LookUp
from orchestrator.dialogue.prompting import Prompting
from orchestrator.dialogue.templates import Templates
from orchestrator.planner import Observation


class Voice(Protocol):
    """What a world says to a model; the form of the dialogue is the same for all.

    `prompts` is the folder of its prompt files, which take the place of shared ones of the same
    name; `look_up` the tool for its texts; `presets` those that are not as `PRESETS` has them;
    `example` three rows of a schedule, each with the actions of the first workers, which show the
    form of an answer and how a day's work looks.
    """

    prompts: Path
    look_up: LookUp
    presets: Mapping[str, Prompting]
    example: Sequence[Sequence[str]]

    def house(self, world: World[Any], templates: Templates) -> Mapping[str, str]:
        """What is put into the slots of `system.md` that are this world's own."""
        ...

    def setting(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return what does not change in an episode, as data by the name of its block."""
        ...

    def blocks(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return what is seen and changes, as data by the name of its block."""
        ...

    def underway(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return what can be said about the schedule under way, such as what it is for."""
        ...

    def texts(self, observation: Observation[Any]) -> tuple[str, Mapping[str, str]]:
        """The block of what has been looked up and is needed now: its name, the texts by key."""
        ...

    def outline(self, world: World[Any], state: Any) -> dict[str, Any]:
        """The state as far as decisions are about it, for the memory and for demonstrations."""
        ...

    def demonstration(
        self, observation: Observation[Any], workers: int, timesteps: int | None
    ) -> Mapping[str, Any]:
        """How something else was done, by so many workers: all of it, or so many timesteps.

        Raises InputError where the world has nothing to show.
        """
        ...


@runtime_checkable
class VoiceByAgent(Protocol):
    """A voice of a world whose workers are not alike: in a team each is told what it can do."""

    def house_of(self, world: World[Any], templates: Templates, agent: str) -> Mapping[str, str]:
        """Return what is put into the slots of `agent_system.md`, as `house` does, for an agent."""
        ...

    def example_of(self, world: World[Any], agent: str) -> Sequence[str]:
        """Return an agent's actions at three timesteps, which show the form of an answer."""
        ...


def house(
    voice: Voice, world: World[Any], templates: Templates, agent: str | None
) -> Mapping[str, str]:
    """Return the world's own slots; an agent's are those of all where its voice does not differ."""
    if agent is not None and isinstance(voice, VoiceByAgent):
        return voice.house_of(world, templates, agent)
    return voice.house(world, templates)


def example(voice: Voice, world: World[Any], agent: str | None) -> list[dict[str, str]]:
    """Return three timesteps of a schedule, of all workers or of an agent.

    A voice that does not differ shows every agent what its first worker does.
    """
    if isinstance(voice, VoiceByAgent):
        agents = list(world.workers) if agent is None else [agent]
        columns = [voice.example_of(world, each) for each in agents]
        return [dict(zip(agents, row, strict=True)) for row in zip(*columns, strict=True)]
    if agent is None:
        return [dict(zip(world.workers, row, strict=False)) for row in voice.example]
    return [{agent: row[0]} for row in voice.example]
