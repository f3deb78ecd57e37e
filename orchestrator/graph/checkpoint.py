"""The last checkpoint of an episode, which is checked before the graph continues from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.types import Interrupt, Send
from pydantic import BaseModel, TypeAdapter

from cookmas.episodes.base import World
from cookmas.orchestrator.checkpoints.serializer import ForgedCheckpointError
from cookmas.orchestrator.checkpoints.sqlite import Checkpoints
from cookmas.orchestrator.graph.state import Assignment, State, Together
from cookmas.workers.person import Asked

THREAD = "episode"
"""The name of the checkpoint thread if the database belongs to a single episode."""

Versions = dict[str, str | int | float]


class _Checkpoint(BaseModel):
    """The parts of a checkpoint that LangGraph needs; `step` counts its supersteps."""

    id: str
    step: int
    channel_values: dict[str, Any]
    channel_versions: Versions
    versions_seen: dict[str, Versions]


_STATE = TypeAdapter(State)
_COMMANDS = TypeAdapter(list[tuple[str, str]])
_SENT: TypeAdapter[Any] = TypeAdapter(Assignment | Together)
_ASKED = TypeAdapter(Asked)


def thread_of(saver: BaseCheckpointSaver[Any]) -> str:
    """Return the name of the thread that holds an episode's checkpoints."""
    return saver.thread if isinstance(saver, Checkpoints) else THREAD


async def latest_of(saver: BaseCheckpointSaver[Any]) -> CheckpointTuple | None:
    """Return the last checkpoint; None if there is none.

    Raise ForgedCheckpointError if CookMAS did not write the checkpoint.
    """
    config = RunnableConfig(configurable={"thread_id": thread_of(saver)})
    latest = await saver.aget_tuple(config)
    if latest is not None:
        _check_state(latest, _describe_place(saver))
    return latest


def count_records(latest: CheckpointTuple) -> int:
    """Return the number of trace records that a checkpoint counts.

    This includes records of nodes that have finished since the checkpoint.
    """
    return max((value for channel, value in _channels(latest) if channel == "records"), default=0)


def check_against(
    timesteps: int, found: CheckpointTuple, world: World, saver: BaseCheckpointSaver[Any]
) -> None:
    """Raise ForgedCheckpointError unless a checkpoint fits both its trace and its world.

    The trace has that many `timesteps` where the checkpoint was written.
    """
    try:
        timestep = 0
        for channel, value in _channels(found):
            if channel == "timestep":
                timestep = value
            if channel == "world":
                _try(world, world.load(value))
        if timestep != timesteps:
            raise ValueError(timestep)
    except Exception as error:
        raise ForgedCheckpointError(_describe_place(saver)) from error


def _describe_place(saver: BaseCheckpointSaver[Any]) -> str:
    return saver.where if isinstance(saver, Checkpoints) else "the checkpoints"


def _check_state(found: CheckpointTuple, where: str) -> None:
    """Raise ForgedCheckpointError if the graph cannot continue from a checkpoint.

    `where` names the database in the error.
    """
    try:
        _Checkpoint.model_validate({**found.checkpoint, "step": found.metadata["step"]})
        for channel, value in _channels(found):
            _check(channel, value)
    except Exception as error:
        raise ForgedCheckpointError(where) from error


def _try(world: World, state: Any) -> None:
    """Call the methods that the graph calls for a state of a world, to find errors."""
    world.is_finished(state)
    world.tally(state)
    world.progress_key(state)
    world.lookups(state)


def _channels(found: CheckpointTuple) -> Iterator[tuple[str, Any]]:
    """Yield the channels of a checkpoint (the parts of the graph's state) with their values.

    The values that nodes have written since the checkpoint come last.
    """
    yield from found.checkpoint["channel_values"].items()
    for _, channel, value in found.pending_writes or ():
        yield channel, value


def _check(channel: str, value: Any) -> None:
    if channel in State.__annotations__:
        _STATE.validate_python({channel: value})
    if channel == "commands":
        _COMMANDS.validate_python(value)
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, Send):
            _SENT.validate_python(each.arg)
        if isinstance(each, Interrupt):
            _ASKED.validate_python(each.value)
