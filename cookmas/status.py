"""The status of an open episode: what it has published, and what can be seen from outside."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from cookmas.letterboxes import letterbox
from cookmas.redis import empty_seats
from episodes.trace import End
from episodes.trace_file import read_record
from files.errors import NotAllowedError, TraceError
from files.reading import open_file
from mailboxes.redis.address import is_address
from orchestrator.checkpoints.shared_lease import PATIENCE
from orchestrator.runs.folder import TRACE, read_run
from orchestrator.runs.liveness import heartbeat_age

T = TypeVar("T")

State = Literal["opening", "acting", "planning", "asleep", "over", "unresponsive", "down"]

STATES: Mapping[State, str] = {
    "opening": "an orchestrator plays it, and has published nothing yet",
    "acting": "the workers act",
    "planning": "a call of the planner is under way",
    "asleep": "nothing is to be done until a message comes or a worker is back",
    "over": "it was closed and has ended",
    "unresponsive": "its orchestrator holds the lease and gives no heartbeat, as a paused one",
    "down": "nobody plays it though it is not over",
}
"""What an open episode does, by its state."""

LONGEST_END = 65_536
"""Bytes at the end of a trace in which its last record is."""

ALIVE: tuple[State, ...] = ("opening", "acting", "planning", "asleep")


class Status(BaseModel):
    """How an open episode stands. Numbers are the last published ones while nobody plays it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    state: State = Field(description="What the episode does.")
    alive: bool = Field(description="Whether an orchestrator plays it and gives heartbeats.")
    heartbeat_seconds: float | None = Field(
        description="Seconds since the last heartbeat; null if nobody gives any."
    )
    ended: str | None = Field(description="The termination of an episode that is over.")
    timestep: int | None = Field(description="The timestep; null before anything is published.")
    reached: int = Field(description="Goals that were reached, such as orders that were filled.")
    taken: int = Field(description="Messages and known events that were taken.")
    waiting: int | None = Field(
        description="Messages that wait to be taken; null where this user may not know."
    )
    oldest_seconds: float | None = Field(
        description="Seconds that the oldest of these has waited; null if none waits."
    )
    quarantined: int | None = Field(
        description="Messages in quarantine, since they cannot be read; null where this user may "
        "not know."
    )
    away: dict[str, str] = Field(description="Workers out of reach, each with the reason.")
    late_seconds: float = Field(
        description="Seconds behind the pace since the orchestrator was started."
    )
    call_seconds: float | None = Field(
        description="Seconds that the planner's call under way has lasted; null if there is none."
    )
    world: dict[str, Any] | None = Field(
        description="The state of the world, as a spectator sees it."
    )


async def status_of(where: Path | str) -> Status:
    """Return the status of the episode in a folder, or at its address in Redis.

    Raises MissingError if there is none, InfrastructureError if its mailbox does not answer.
    """
    folder = None if is_address(where) else Path(where)
    redis = await asyncio.to_thread(_redis_of, folder) if folder else str(where)
    box = letterbox(redis or where)
    try:
        heartbeat = await heartbeat_age(where)
        published = await box.status() or {}
        backlog = await _unless_hidden(box.backlog())
        quarantined = await _unless_hidden(box.quarantined())
    finally:
        await box.leave()
    ended = published.get("ended")
    if heartbeat is None and not ended and folder:
        ended = await asyncio.to_thread(_termination, folder)
    state = _state(heartbeat, ended, published, locked=folder is not None)
    seats = empty_seats(redis, published.get("remote", ())) if redis else None
    away = (await _unless_hidden(seats) if seats else None) or {}
    since = published.get("published") if state == "planning" else None
    return Status(
        state=state,
        alive=state in ALIVE,
        heartbeat_seconds=_rounded(heartbeat),
        ended=ended,
        timestep=published.get("timestep"),
        reached=published.get("done", 0),
        taken=published.get("letters", 0),
        waiting=backlog.waiting if backlog else None,
        oldest_seconds=_rounded(backlog.oldest if backlog else None),
        quarantined=quarantined,
        away={**away, **published.get("away", {})},
        late_seconds=published.get("late", 0.0),
        call_seconds=_rounded(since and max(0.0, time.time() - since)),
        world=published.get("world"),
    )


async def _unless_hidden(asked: Awaitable[T]) -> T | None:
    """Return what is asked for; None if the server does not let this user know, such as a guest."""
    try:
        return await asked
    except NotAllowedError:
        return None


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)


def _redis_of(folder: Path) -> str | None:
    redis = read_run(folder).redis
    return redis.address() if redis else None


def _termination(folder: Path) -> str | None:
    """Return the end in the trace of a run, which its orchestrator may not have published."""
    trace = folder / TRACE
    try:
        with open_file(trace) as file:
            file.seek(max(0, trace.stat().st_size - LONGEST_END))
            *_, last = file.read().splitlines()
        record = read_record(last.decode(), str(trace))
    except (FileNotFoundError, ValueError, TraceError):
        return None
    return record.termination if isinstance(record, End) else None


def _state(
    heartbeat: float | None, ended: str | None, published: Mapping[str, Any], *, locked: bool
) -> State:
    """Return the state; a paused orchestrator is told from a dead one by its lock alone."""
    if ended:
        return "over"
    if heartbeat is None:
        return "down"
    if heartbeat > PATIENCE:
        return "unresponsive" if locked else "down"
    if "published" not in published:
        return "opening"
    return "asleep" if published["asleep"] else "planning" if published["planning"] else "acting"
