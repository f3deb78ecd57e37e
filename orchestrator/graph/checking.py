"""Check that a checkpoint holds a state of the graph, before an episode goes on from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.types import Interrupt, Send
from pydantic import BaseModel, TypeAdapter

from episodes.trace import StepRecord, Trace
from episodes.world import World
from orchestrator.checkpoints.serializer import ForgedCheckpointError
from orchestrator.graph.state import Assignment, State, Together
from workers.person import Asked

Versions = dict[str, str | int | float]


class _Checkpoint(BaseModel):
    """What LangGraph needs of a checkpoint; `step` counts its supersteps."""

    id: str
    step: int
    channel_values: dict[str, Any]
    channel_versions: Versions
    versions_seen: dict[str, Versions]


_STATE = TypeAdapter(State)
_COMMANDS = TypeAdapter(list[tuple[str, str]])
_SENT: TypeAdapter[Any] = TypeAdapter(Assignment | Together)
_ASKED = TypeAdapter(Asked)


def check_state(found: CheckpointTuple, where: str) -> None:
    """Raise ForgedCheckpointError if the graph cannot go on from a checkpoint in a database."""
    try:
        _Checkpoint.model_validate({**found.checkpoint, "step": found.metadata["step"]})
        for channel, value in channels(found):
            _check(channel, value)
    except Exception as error:
        raise ForgedCheckpointError(where) from error


def check_against(trace: Trace, found: CheckpointTuple, world: World[Any], where: str) -> None:
    """Raise ForgedCheckpointError if a checkpoint does not fit the trace up to it, or its world."""
    try:
        timestep = 0
        for channel, value in channels(found):
            if channel == "timestep":
                timestep = value
            if channel == "world":
                _try(world, world.load(value))
        if timestep != sum(1 for _ in trace.of(StepRecord)):
            raise ValueError(timestep)
    except Exception as error:
        raise ForgedCheckpointError(where) from error


def _try(world: World[Any], state: Any) -> None:
    """Let a world look at a state, as the graph does."""
    world.finished(state)
    world.tally(state)
    world.made(state)
    world.lookups(state)


def channels(found: CheckpointTuple) -> Iterator[tuple[str, Any]]:
    """Yield the channels of a checkpoint with their values, and those written since."""
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
