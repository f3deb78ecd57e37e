"""Opening of a run to play it: its episode, with checkpoints, lease and measurements."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    closing,
)
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from cookmas.episodes.scenario import Scenario
from cookmas.episodes.sessions import read_sessions
from cookmas.episodes.trace import PlannerClass
from cookmas.episodes.trace_file import check_format
from cookmas.mailboxes.desk import Desk
from cookmas.mailboxes.protocol import EPISODE_PATIENCE, Mailbox
from cookmas.mailboxes.redis.address import need_redis
from cookmas.mailboxes.sqlite.mailbox import SqliteMailbox
from cookmas.orchestrator.episode import Episode, episode_of
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.observers.exporting import export_spans
from cookmas.orchestrator.pace import Pace, WallClock
from cookmas.orchestrator.planner import Observation, Plan, Planner
from cookmas.orchestrator.runs.folder import (
    CHECKPOINTS,
    MEANINGS,
    MEASUREMENTS,
    TRACE,
    RunError,
    RunFolder,
    write_data,
)
from cookmas.orchestrator.runs.lease import LeasePlace, take_lease
from cookmas.orchestrator.runs.request import RedisPlace
from cookmas.workers.hiring import hire, split_workers
from cookmas.workers.person import Person
from cookmas.workers.protocol import Worker
from cookmas.workers.wires import (
    FOLDER_PATIENCE,
    check_wires,
    make_wires,
    open_wires,
    remote_workers,
)

if TYPE_CHECKING:
    from cookmas.orchestrator.checkpoints.sqlite import Checkpoints
    from cookmas.orchestrator.runs.redis_runs import RedisEpisode

NOBODY: Mapping[str, Person] = MappingProxyType({})


@asynccontextmanager
async def open_run(
    run: RunFolder,
    scenario: Scenario,
    planner: Planner | Team,
    desk: Desk | None = None,
    people: Mapping[str, Person] = NOBODY,
    fallback: Planner | None = None,
) -> AsyncIterator[Episode]:
    """Yield the episode of a new or resumed run; write the measurements at the end.

    The `desk` checks the messages to an open run. `people` maps workers to the people who play
    them. The `fallback` plans while the endpoint of the planner is away. A worker that is not in
    `people` acts as assigned, even if the run's file says that a person plays it. Raise RunError if
    another process plays the run, or the scenario has changed since the run began. Raise InputError
    if a file of the run is damaged.
    """
    folder, file = run.path, run.file
    check_format(folder / TRACE)
    if scenario.digest != file.scenario_digest:
        raise RunError(
            f"{folder}: scenario {file.scenario} has been changed since the run began; restore it, "
            "or if nobody has changed it, continue with the version that made it"
        )
    read_sessions(folder / MEASUREMENTS)
    timed = planner if isinstance(planner, Team) else _Timed(planner)
    began, used = time.perf_counter(), time.process_time()
    pace = WallClock(file.pace) if file.pace and file.clock == "wall" else Pace(file.pace or 0)
    async with (
        _hold(run, scenario) as held,
        _hire(run, scenario) as hired,
        export_spans(file.otel, folder.name) as observers,
    ):
        episode = episode_of(
            scenario,
            timed,
            horizon=file.horizon,
            judges=file.judges,
            people=file.people,
            desk=desk if file.pace is not None else None,
            mailbox=held.mailbox,
            fetch=held.fetch,
            fallback=fallback,
            workers={**hired, **held.workers, **_without_agents(people, planner)},
            asynchronous=file.asynchronous,
            longest=file.longest,
            max_stalled=file.max_stalled,
            thinking=file.thinking,
            pace=pace,
            episode=file.episode or str(folder.resolve()),
            path=folder / TRACE,
            checkpointer=held.saver,
            durable=file.pace is not None,
            observers=observers,
            langsmith=file.langsmith,
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


def _without_agents(people: Mapping[str, Person], planner: Planner | Team) -> Mapping[str, Person]:
    """Return the people without those who are agents of a team; their workers act as assigned."""
    agents: Mapping[str, object] = planner.members if isinstance(planner, Team) else {}
    return {name: each for name, each in people.items() if agents.get(name) is not each}


@asynccontextmanager
async def _hire(run: RunFolder, scenario: Scenario) -> AsyncIterator[Mapping[str, Worker]]:
    file, known = run.file, scenario.world().workers
    hiring = hire(split_workers(file.worker), known, file.limits)
    with ExitStack() as ending:
        yield await asyncio.to_thread(ending.enter_context, hiring)


class _Held(NamedTuple):
    """The resources of the process that plays a run."""

    saver: Checkpoints
    mailbox: Mailbox | None = None
    workers: Mapping[str, Worker] = MappingProxyType({})
    fetch: Fetch | None = None


@asynccontextmanager
async def _hold(run: RunFolder, scenario: Scenario) -> AsyncIterator[_Held]:
    folder, redis = run.path, None
    async with AsyncExitStack() as stack:
        saver, shared = await stack.enter_async_context(_checkpoints(run))
        if run.file.redis:
            redis = await stack.enter_async_context(_in_redis(run, run.file.redis, scenario))
            shared = [*shared, redis]
        if run.file.remote and not run.file.redis:
            await asyncio.to_thread(check_wires, folder)
        fence = await stack.enter_async_context(take_lease(folder, saver, shared))
        workers = await stack.enter_async_context(_remote_workers(run, fence))
        if redis:
            mailbox = await redis.mailbox(fence)
            yield _Held(saver, mailbox, workers, redis.fetch(scenario))
            write_data(folder / MEANINGS, await mailbox.meanings())
        elif run.file.pace is not None:
            yield _Held(saver, stack.enter_context(closing(SqliteMailbox(folder, fence))), workers)
        else:
            yield _Held(saver)


@asynccontextmanager
async def _remote_workers(run: RunFolder, fence: int) -> AsyncIterator[Mapping[str, Worker]]:
    file = run.file
    if not file.remote:
        yield {}
        return
    if not file.redis:
        await asyncio.to_thread(make_wires, run.path, fence)
    where = file.redis.address() if file.redis else run.path
    patience = EPISODE_PATIENCE if file.redis else FOLDER_PATIENCE
    async with open_wires(where, file.remote, patience) as wires:
        yield remote_workers(wires, fence, file.worker_deadline)


@asynccontextmanager
async def _checkpoints(run: RunFolder) -> AsyncIterator[tuple[Checkpoints, list[LeasePlace]]]:
    """Yield the checkpoints of a run, and the lease in their database if others may use it."""
    file = run.file
    if file.checkpoints is None:
        from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints

        path = run.path / CHECKPOINTS
        durable = file.pace is not None
        async with sqlite_checkpoints(path, file.keep_checkpoints, durable=durable) as own:
            yield own, []
    else:
        from cookmas.orchestrator.checkpoints.postgres import postgres_checkpoints
        from cookmas.orchestrator.runs.postgres_lease import PostgresLease

        url, thread = file.checkpoints, file.thread
        async with postgres_checkpoints(url, thread, file.keep_checkpoints) as saver:
            yield saver, [PostgresLease(saver)]


def _in_redis(
    run: RunFolder, place: RedisPlace, scenario: Scenario
) -> AbstractAsyncContextManager[RedisEpisode]:
    need_redis()
    from cookmas.orchestrator.runs.redis_runs import open_redis_episode

    setup = {"world": run.file.world, "setup": scenario.world().setup()}
    known = None if (run.path / TRACE).exists() else scenario.events()
    return open_redis_episode(place, setup, known)


class _Timed:
    """A planner that measures the duration of its calls, in `seconds`."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self.seconds: list[float] = []

    @property
    def name(self) -> str:
        return self._planner.name

    @property
    def planner_class(self) -> PlannerClass:
        return self._planner.planner_class

    def __getattr__(self, name: str) -> Any:
        return getattr(self._planner, name)

    async def plan(self, observation: Observation[Any]) -> Plan:
        began = time.perf_counter()
        try:
            return await self._planner.plan(observation)
        finally:
            self.seconds.append(time.perf_counter() - began)


def _add_session(path: Path, session: dict[str, Any]) -> None:
    """Add a session to a run's measurements.

    A session lasts from the opening of the run until its end, or until the process is killed.
    """
    write_data(path, {"sessions": [*read_sessions(path), session]})
