"""The status of an open episode: its published part, and facts observed from outside."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from cookmas.episodes.trace import End
from cookmas.episodes.trace_file import read_record
from cookmas.files.errors import NotAllowedError, TraceError
from cookmas.files.opening import open_file
from cookmas.mailboxes.redis.address import is_address, need_redis
from cookmas.orchestrator.runs.addresses import empty_seats, letterbox
from cookmas.orchestrator.runs.folder import TRACE, read_run
from cookmas.orchestrator.runs.lease import LOCK, PATIENCE, is_played

T = TypeVar("T")

State = Literal["opening", "acting", "planning", "outage", "asleep", "over", "unresponsive", "down"]

STATES: Mapping[State, str] = {
    "opening": "an orchestrator plays it but has published nothing yet",
    "acting": "the workers act",
    "planning": "a call of the planner is under way",
    "outage": "the planner's endpoint is away; messages are taken, and it is asked again",
    "asleep": "nothing to do until a message comes or a worker recovers",
    "over": "it has ended, and takes no messages",
    "unresponsive": "its orchestrator holds the lease but gives no heartbeat; it may be paused",
    "down": "no orchestrator plays it, though it is not over",
}
"""The meaning of each state of an open episode."""

LONGEST_END = 65_536
"""Number of bytes that are read from the end of a trace to find its last record."""

ALIVE: tuple[State, ...] = ("opening", "acting", "planning", "outage", "asleep")
"""States in which an orchestrator plays the episode and gives heartbeats."""


FIGURES = ("plans", "refused", "fails", "calls", "repairs", "tokens_in", "tokens_out", "money")
"""The fields of the status that count since the orchestrator started."""


class RunningJob(BaseModel):
    """An action that a worker is still at."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    action: str
    since: int
    """Timestep at which it was assigned."""
    timesteps: int
    """Number of timesteps since then."""
    seconds: float
    """Seconds since it began, or since the orchestrator was started last."""


class Histogram(BaseModel):
    """How many durations were within each bound, and all of them together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    counts: tuple[int, ...] = ()
    """Number of durations in each part (`BOUNDS` of the figures); the last part has no bound."""
    seconds: float = 0.0
    """All durations together."""


class Status(BaseModel):
    """The status of an open episode. If no orchestrator plays the episode, the numbers are those
    published last.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    state: State = Field(description="The state of the episode.")
    alive: bool = Field(
        description="True if an orchestrator plays the episode and gives heartbeats."
    )
    heartbeat_seconds: float | None = Field(
        description="Seconds since the last heartbeat; null if there is none."
    )
    ended: str | None = Field(description="The termination of an episode that is over.")
    timestep: int | None = Field(description="The timestep; null before anything is published.")
    reached: int = Field(description="Number of goals reached, such as orders filled.")
    lost: int = Field(description="Number of goals missed, such as by a deadline.")
    open: int = Field(description="Number of goals that messages asked for and that are open.")
    plans: int = Field(
        description="Answers of the planner since the orchestrator started, refused ones included."
    )
    refused: int = Field(description="Those of these answers that were refused as a whole.")
    fails: int = Field(description="Actions that FAILed since the orchestrator started.")
    fails_by_worker: dict[str, dict[str, int]] = Field(
        default_factory=dict, description="The same by worker, and then by the verb of the action."
    )
    job_durations: dict[str, Histogram] = Field(
        default_factory=dict,
        description="How long actions lasted that ended with a report, by the verb of the action.",
    )
    plan_durations: Histogram = Field(
        default=Histogram(), description="How long the planner thought for each answer."
    )
    message_waits: Histogram = Field(
        default=Histogram(), description="How long messages waited until they were taken."
    )
    calls: int = Field(description="Answered model calls since the orchestrator started.")
    repairs: int = Field(description="Those of these calls that asked for a better answer.")
    tokens_in: int = Field(description="Tokens of the requests of these calls.")
    tokens_out: int = Field(description="Tokens of the answers of these calls.")
    money: float = Field(description="Cost of these calls, as far as prices are known.")
    taken: int = Field(description="Number of messages and known events taken.")
    waiting: int | None = Field(
        description="Number of waiting messages; null if this user may not see it."
    )
    oldest_seconds: float | None = Field(
        description="Seconds that the oldest message has waited; null if none waits."
    )
    quarantined: int | None = Field(
        description="Number of unreadable messages in quarantine; null if this user may not see it."
    )
    away: dict[str, str] = Field(description="Unavailable workers, each with the reason.")
    running: dict[str, RunningJob] = Field(
        default_factory=dict,
        description="What busy workers are at: the action, since which timestep, and its age.",
    )
    late_seconds: float = Field(
        description="Seconds behind the pace since the orchestrator started."
    )
    call_seconds: float | None = Field(
        description="Seconds since the planner's present call began; null if there is none."
    )
    outage: str | None = Field(
        default=None,
        description="Why the planner's endpoint does not answer; null if there is no outage.",
    )
    episode: str | None = Field(
        default=None, description="Name of the episode; null before anything is published."
    )
    world_name: str | None = Field(
        default=None, description="Name of the world; null before anything is published."
    )
    world: dict[str, Any] | None = Field(
        description="The state of the world, as a spectator sees it."
    )


async def heartbeat_age(episode: str | Path) -> float | None:
    """Return the seconds since the last heartbeat of a run's orchestrator; None if there is none.

    `episode` is the folder of a run, or the address of an episode in Redis. For a folder, None
    means that no process plays the run now; a paused process has an age. For Redis, None means that
    no process has played the run yet; after a process has ended, the age grows. The age is only for
    display, because it compares clocks: if a clock jumps, the age is wrong until the next
    heartbeat. Raise InfrastructureError if Redis does not answer.
    """
    if is_address(episode):
        need_redis()
        from cookmas.orchestrator.runs.redis_runs import heartbeat_age_in_redis

        return await heartbeat_age_in_redis(str(episode))
    if not is_played(Path(episode)):
        return None
    return max(0.0, time.time() - (Path(episode) / LOCK).stat().st_mtime)


async def status_of(where: Path | str) -> Status:
    """Return the status of the episode in a folder, or at its address in Redis.

    Raises MissingError if there is no episode, InfrastructureError if the mailbox does not answer.
    """
    folder = None if is_address(where) else Path(where)
    redis = await asyncio.to_thread(_find_redis, folder) if folder else str(where)
    box = letterbox(redis or where)
    try:
        heartbeat = await heartbeat_age(where)
        published = await box.status() or {}
        backlog = await _unless_hidden(box.backlog())
        quarantined = await _unless_hidden(box.count_quarantined())
    finally:
        await box.leave()
    ended = published.get("ended")
    if heartbeat is None and not ended and folder:
        ended = await asyncio.to_thread(_read_termination, folder)
    state = _derive_state(heartbeat, ended, published, locked=folder is not None)
    seats = empty_seats(redis or where, published.get("remote", ()))
    away = await _unless_hidden(seats) or {}
    since = published.get("published") if state == "planning" else None
    figures = published.get("figures", {})
    return Status(
        state=state,
        alive=state in ALIVE,
        heartbeat_seconds=_round(heartbeat),
        ended=ended,
        timestep=published.get("timestep"),
        reached=published.get("done", 0),
        lost=published.get("lost", 0),
        open=published.get("open", 0),
        **{name: figures.get(name, 0) for name in FIGURES},
        fails_by_worker=figures.get("fails_by_worker", {}),
        job_durations=figures.get("job_durations", {}),
        plan_durations=figures.get("plan_durations", Histogram()),
        message_waits=figures.get("message_waits", Histogram()),
        episode=published.get("episode"),
        world_name=published.get("world_name"),
        taken=published.get("letters", 0),
        waiting=backlog.waiting if backlog else None,
        oldest_seconds=_round(backlog.oldest if backlog else None),
        quarantined=quarantined,
        away={**away, **published.get("away", {})},
        running={
            name: RunningJob(
                action=each["action"],
                since=each["since"],
                timesteps=published["timestep"] - each["since"],
                seconds=round(max(0.0, time.time() - each["began"]), 3),
            )
            for name, each in published.get("running", {}).items()
        },
        late_seconds=published.get("late", 0.0),
        call_seconds=_round(since and max(0.0, time.time() - since)),
        outage=published.get("outage") if state in ALIVE else None,
        world=published.get("world"),
    )


async def _unless_hidden(asked: Awaitable[T]) -> T | None:
    """Return the awaited value; None if this user, such as a guest, is not allowed to see it."""
    try:
        return await asked
    except NotAllowedError:
        return None


def _round(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)


def _find_redis(folder: Path) -> str | None:
    redis = read_run(folder).redis
    return redis.address() if redis else None


def _read_termination(folder: Path) -> str | None:
    """Return how the trace of a run ended; None if it has no end.

    The trace is read because a process may end a run without publishing the end.
    """
    trace = folder / TRACE
    try:
        with open_file(trace) as file:
            file.seek(max(0, trace.stat().st_size - LONGEST_END))
            *_, last = file.read().splitlines()
        record = read_record(last.decode(), str(trace))
    except (FileNotFoundError, ValueError, TraceError):
        return None
    return record.termination if isinstance(record, End) else None


def _derive_state(
    heartbeat: float | None, ended: str | None, published: Mapping[str, Any], *, locked: bool
) -> State:
    """Return the state of an episode.

    `heartbeat` is the age of the last heartbeat in seconds. If this age is too high, the
    orchestrator is paused or dead. In a folder (`locked`) the age is known only while a process
    holds the lock, so there the orchestrator is paused.
    """
    if ended:
        return "over"
    if heartbeat is None:
        return "down"
    if heartbeat > PATIENCE:
        return "unresponsive" if locked else "down"
    if "published" not in published:
        return "opening"
    if published.get("outage") and (published["asleep"] or published["planning"]):
        return "outage"
    return "asleep" if published["asleep"] else "planning" if published["planning"] else "acting"
