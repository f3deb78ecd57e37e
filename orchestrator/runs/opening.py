"""Runs that are played: the episode of a folder, with its checkpoints, its lease and its time."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from episodes.scenario import Scenario
from episodes.sessions import read_sessions
from episodes.trace import PlannerClass
from mailboxes.desk import Desk
from mailboxes.protocol import Mailbox
from mailboxes.redis.address import need_redis
from mailboxes.sqlite.mailbox import SqliteMailbox
from orchestrator.checkpoints.shared_lease import SharedLease
from orchestrator.checkpoints.sqlite import Checkpoints, sqlite_checkpoints
from orchestrator.episode import episode_of
from orchestrator.library import Fetch
from orchestrator.member import Team
from orchestrator.pace import Pace
from orchestrator.planner import Observation, Plan, Planner
from orchestrator.runner import Episode
from orchestrator.runs.folder import (
    CHECKPOINTS,
    MEANINGS,
    MEASUREMENTS,
    TRACE,
    RunError,
    RunFile,
    read_run,
    write_data,
)
from orchestrator.runs.lease import leased
from workers.person import Person
from workers.protocol import Worker

if TYPE_CHECKING:
    from orchestrator.runs.redis_runs import RedisEpisode

NOBODY: Mapping[str, Person] = MappingProxyType({})


@asynccontextmanager
async def open_run(
    folder: Path,
    scenario: Scenario,
    planner: Planner | Team,
    desk: Desk | None = None,
    people: Mapping[str, Person] = NOBODY,
) -> AsyncIterator[Episode]:
    """The episode of a run, to be played or gone on with; measurements are written at the end.

    An open one is received at the `desk` of its world. `people` play workers; one of those whom
    people play in this run that is not among them does what it is assigned.

    Raises MissingError if there is no run, RunError if it is under way in another process or the
    scenario is not the one it began with, InputError if a file of it is damaged.
    """
    file = read_run(folder)
    if scenario.digest != file.scenario_digest:
        raise RunError(f"{folder}: scenario {file.scenario} has been changed since the run began")
    read_sessions(folder / MEASUREMENTS)
    timed = planner if isinstance(planner, Team) else _Timed(planner)
    began, used = time.perf_counter(), time.process_time()
    pace = Pace(file.pace or 0)
    async with (
        _checkpoints(folder, file) as saver,
        _in_redis(folder, file, scenario) as redis,
        leased(folder, saver, _shared(saver, redis)) as fence,
        _outside(folder, file, scenario, fence, redis) as outside,
    ):
        episode = episode_of(
            scenario,
            timed,
            horizon=file.horizon,
            judges=file.judges,
            path=folder / TRACE,
            checkpointer=saver,
            fetch=outside.fetch,
            mailbox=outside.mailbox,
            workers={**outside.workers, **people},
            people=file.people,
            desk=desk if file.pace is not None else None,
            pace=pace,
            max_stalled=file.max_stalled,
        )
        try:
            yield episode
        finally:
            seconds = timed.seconds if isinstance(timed, _Timed) else []
            session: dict[str, Any] = {
                "wall_seconds": round(time.perf_counter() - began, 6),
                "cpu_seconds": round(time.process_time() - used, 6),
                "late_seconds": round(pace.late, 6),
                "planner_seconds": [round(each, 6) for each in seconds],
                "model_calls": [asdict(measured) for measured in episode.measured],
            }
            if people:
                session["people_seconds"] = {
                    name: [round(each, 3) for each in person.seconds]
                    for name, person in people.items()
                }
            _add_session(folder / MEASUREMENTS, session)


@asynccontextmanager
async def _checkpoints(folder: Path, file: RunFile) -> AsyncIterator[Checkpoints]:
    if file.checkpoints is None:
        async with sqlite_checkpoints(folder / CHECKPOINTS, file.keep_checkpoints) as saver:
            yield saver
    else:
        from orchestrator.checkpoints.postgres import postgres_checkpoints

        keep = file.keep_checkpoints
        async with postgres_checkpoints(file.checkpoints, file.thread, keep) as shared:
            yield shared


class _Outside(NamedTuple):
    """What of an open run other processes take part in."""

    mailbox: Mailbox | None = None
    workers: Mapping[str, Worker] = MappingProxyType({})
    fetch: Fetch | None = None


@asynccontextmanager
async def _in_redis(
    folder: Path, file: RunFile, scenario: Scenario
) -> AsyncIterator[RedisEpisode | None]:
    if file.redis is None:
        yield None
        return
    need_redis()
    from orchestrator.runs.redis_runs import opened_episode

    setup = {"world": file.world, "setup": scenario.world().setup()}
    known = None if (folder / TRACE).exists() else scenario.events()
    async with opened_episode(file.redis, setup, known) as episode:
        yield episode


def _shared(*places: object) -> list[SharedLease]:
    """Those in which processes with other folders may want the lease too."""
    return [each for each in places if isinstance(each, SharedLease)]


@asynccontextmanager
async def _outside(
    folder: Path, file: RunFile, scenario: Scenario, fence: int, redis: RedisEpisode | None
) -> AsyncIterator[_Outside]:
    if redis:
        parts = await redis.parts(fence)
        yield _Outside(parts.mailbox, parts.workers, redis.fetch(scenario))
        write_data(folder / MEANINGS, await parts.mailbox.meanings())
    elif file.pace is not None:
        with closing(SqliteMailbox(folder, fence)) as mailbox:
            yield _Outside(mailbox)
    else:
        yield _Outside()


class _Timed:
    """A planner whose calls are timed."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self.seconds: list[float] = []

    @property
    def name(self) -> str:
        return self._planner.name

    @property
    def planner_class(self) -> PlannerClass:
        return self._planner.planner_class

    @property
    def looks_up(self) -> bool:
        return getattr(self._planner, "looks_up", False)

    async def plan(self, observation: Observation[Any]) -> Plan:
        began = time.perf_counter()
        try:
            return await self._planner.plan(observation)
        finally:
            self.seconds.append(time.perf_counter() - began)


def _add_session(path: Path, session: dict[str, Any]) -> None:
    """Add a session, which is the time from opening a run to its end or the next kill."""
    write_data(path, {"sessions": [*read_sessions(path), session]})
