"""Runs: episodes in a folder of their own, which survive being killed.

    create_run(folder, file)
    async with open_run(folder, scenario, planner) as episode:      # again after a kill: it goes on
        trace = await episode.run()

In the folder: `run.json` says what is played, `trace.jsonl` is the trace, `checkpoints.sqlite` the
graph's checkpoints, `measurements.json` what was measured, which is never in the trace. An open
run has a `mailbox.sqlite` too, to which other processes write.
"""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from episodes.apart.child import Limits
from episodes.desk import Desk
from episodes.errors import InputError, MissingError, TraceError
from episodes.mailbox import Mailbox
from episodes.redis_address import need_redis
from episodes.scenario import Scenario
from episodes.sqlite_mailbox import SqliteMailbox, create_mailbox, read_meanings
from episodes.trace import PlannerClass
from episodes.trace_file import read_trace
from episodes.world import Json
from episodes.writing import write_whole
from orchestrator.checkpoints.shared_lease import SharedLease
from orchestrator.checkpoints.sqlite import Checkpoints, sqlite_checkpoints
from orchestrator.dialogue.options import AskingOptions
from orchestrator.episode import episode_of
from orchestrator.graph.state import MAX_STALLED
from orchestrator.library import Fetch
from orchestrator.member import Team
from orchestrator.models.options import ModelOptions
from orchestrator.pace import Pace
from orchestrator.planner import Observation, Plan, Planner
from orchestrator.runner import Episode
from orchestrator.runs.lease import RunError, leased
from orchestrator.runs.redis_place import RedisPlace
from workers.person import Person
from workers.protocol import Worker

if TYPE_CHECKING:
    from orchestrator.runs.redis_runs import RedisKitchen

RUN, TRACE, CHECKPOINTS, MEASUREMENTS, MEANINGS = (
    "run.json",
    "trace.jsonl",
    "checkpoints.sqlite",
    "measurements.json",
    "meanings.json",
)


NOBODY: Mapping[str, Person] = MappingProxyType({})

LONGEST_PART = 60
"""Characters of a scenario's or a planner's name that are in the name of a folder."""


class Parent(BaseModel):
    """The run that a fork branched off: its folder's name, the timestep, and the `chain` there.

    That is the digest at the end of the last line that both have.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: str
    timestep: int
    chain: str


class RunFile(BaseModel):
    """What `run.json` says: all that is needed to go on with a run.

    `world` is a name or `package.module:Domain`; `scenario` a name or the absolute path of a file,
    `settings` what was said of it beside; `planner`, `model` and `asking` are what a planner is
    made of, `judges` the version of the world's evaluators. An open run has a `pace`, in seconds a
    timestep, and no `horizon`; `redis` says where its kitchen is, if it is in Redis. `checkpoints`
    is the URL of a PostgreSQL database, in which they are those of a `thread`. `limits` are those
    of a planner that a person wrote; `max_stalled` is how many calls of any may pass without
    progress. `people` are the workers whom people play, `head_chef` says whether one does who
    instructs the orchestrator, `limit` how many seconds a person has for an answer. A fork has a
    `parent`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[2] = 2
    created_by: str
    world: str
    scenario: str
    settings: dict[str, str] = {}
    scenario_digest: str
    planner: str
    horizon: int | None = None
    judges: str | None = None
    pace: float | None = None
    redis: RedisPlace | None = None
    checkpoints: str | None = None
    thread: str = "episode"
    limits: Limits = Limits()
    max_stalled: int = MAX_STALLED
    people: tuple[str, ...] = ()
    limit: float | None = None
    head_chef: bool = False
    model: ModelOptions | None = None
    asking: AskingOptions | None = None
    parent: Parent | None = None


def create_run(
    folder: Path,
    file: RunFile,
    scheduled: Iterable[tuple[int, Json]] = (),
    begun: Iterable[str] = (),
) -> None:
    """Prepare a folder for a run, an open one with the events that are known beforehand.

    `begun` are the lines that a fork's trace begins with. Raises RunError if it has one already.
    """
    lasting = file.model_copy(
        update={
            "planner": _lasting(file.planner),
            "redis": file.redis.lasting() if file.redis else None,
            "model": file.model.lasting() if file.model else None,
            "asking": file.asking.lasting() if file.asking else None,
        }
    )
    if (folder / RUN).exists():
        raise RunError(f"{folder}: has a run already; resume it, or name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    if file.pace is not None and file.redis is None:
        create_mailbox(folder, scheduled)
    if text := "".join(f"{line}\n" for line in begun):
        write_whole(folder / TRACE, text)
    _write(folder / RUN, lasting.model_dump(mode="json", exclude_none=True))


def new_folder(within: Path, scenario: str, planner: str) -> Path:
    """A new folder, for whoever comes first, named after the scenario and the planner."""
    parts = (
        re.sub(r"[^\w.]+", "-", part).strip("-.")[:LONGEST_PART] for part in (scenario, planner)
    )
    name = "-".join(parts)
    for number in itertools.count(1):
        folder = within / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise AssertionError


def read_run(folder: Path) -> RunFile:
    """What `run.json` in a folder says. Raises MissingError or InputError."""
    try:
        return RunFile.model_validate_json((folder / RUN).read_bytes())
    except FileNotFoundError:
        raise MissingError(f"{folder}: there is no run here (no {RUN})") from None
    except (OSError, ValidationError) as error:
        problem = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise InputError(str(folder / RUN), f"is no run's file: {problem}") from None


def trace_file(run: Path) -> Path:
    """The trace of a run: in its folder, or the file itself."""
    return run / TRACE if run.is_dir() else run


def finished(folder: Path) -> bool:
    """Whether the run in a folder is over. Raises MissingError if there is none."""
    read_run(folder)
    try:
        return read_trace(folder / TRACE).end is not None
    except (MissingError, TraceError):
        return False


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
    scenario is not the one it began with.
    """
    file = read_run(folder)
    if scenario.digest != file.scenario_digest:
        raise RunError(f"{folder}: scenario {file.scenario} has been changed since the run began")
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
        async with sqlite_checkpoints(folder / CHECKPOINTS) as saver:
            yield saver
    else:
        from orchestrator.checkpoints.postgres import postgres_checkpoints

        async with postgres_checkpoints(file.checkpoints, file.thread) as shared:
            yield shared


class _Outside(NamedTuple):
    """What of an open run other processes take part in."""

    mailbox: Mailbox | None = None
    workers: Mapping[str, Worker] = MappingProxyType({})
    fetch: Fetch | None = None


@asynccontextmanager
async def _in_redis(
    folder: Path, file: RunFile, scenario: Scenario
) -> AsyncIterator[RedisKitchen | None]:
    if file.redis is None:
        yield None
        return
    need_redis()
    from orchestrator.runs.redis_runs import opened_kitchen

    setup = {"world": file.world, "setup": scenario.world().setup()}
    known = None if (folder / TRACE).exists() else scenario.events()
    async with opened_kitchen(file.redis, setup, known) as kitchen:
        yield kitchen


def _shared(*places: object) -> list[SharedLease]:
    """Those in which processes with other folders may want the lease too."""
    return [each for each in places if isinstance(each, SharedLease)]


@asynccontextmanager
async def _outside(
    folder: Path, file: RunFile, scenario: Scenario, fence: int, redis: RedisKitchen | None
) -> AsyncIterator[_Outside]:
    if redis:
        parts = await redis.parts(fence)
        yield _Outside(parts.mailbox, parts.workers, parts.texts.over(scenario.look_up))
        _write(folder / MEANINGS, await parts.mailbox.meanings())
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


def meanings_of(folder: Path) -> Mapping[int, dict[str, Any]]:
    """What the senders to a run said their events mean, by the number of the letter."""
    try:
        found = json.loads((folder / MEANINGS).read_bytes())
    except FileNotFoundError:
        return read_meanings(folder)
    return {int(number): meaning for number, meaning in found.items()}


def _lasting(planner: str) -> str:
    """The planner, a schedule file by its absolute path."""
    return str(Path(planner).resolve()) if planner.endswith((".yaml", ".yml")) else planner


def _add_session(path: Path, session: dict[str, Any]) -> None:
    """One more session, which is the time from opening a run to its end or the next kill."""
    sessions = json.loads(path.read_text())["sessions"] if path.exists() else []
    _write(path, {"sessions": [*sessions, session]})


def _write(path: Path, data: Mapping[Any, Any]) -> None:
    write_whole(path, json.dumps(dict(data), indent=2) + "\n")
