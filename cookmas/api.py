"""The public Python API: it plays scenarios, and creates and continues runs in folders."""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cookmas import __version__
from cookmas.episodes.instruction import INSTRUCT
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.trace import AnyRecord, Trace
from cookmas.episodes.trace_file import read_trace
from cookmas.evals.verdict import Measurements, Verdict
from cookmas.files.errors import InputError, MissingError
from cookmas.files.options import options_of
from cookmas.loading import NO_SETTINGS as NO_SETTINGS
from cookmas.loading import Loaded, fallback_of, load, load_vetted, planner_of
from cookmas.loading import load_planner as load_planner
from cookmas.loading import load_scenario as load_scenario
from cookmas.orchestrator.episode import Episode, episode_of
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.observers.exporting import export_spans
from cookmas.orchestrator.observing import Observer
from cookmas.orchestrator.options import CheckpointFields
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.naming import is_lineup
from cookmas.orchestrator.planners.seats import refuse_central, refuse_unseated, seat_people
from cookmas.orchestrator.runs.folder import (
    MEASUREMENTS,
    TRACE,
    RunFile,
    RunFolder,
    create_folder,
    create_run,
)
from cookmas.orchestrator.runs.opening import NOBODY, open_run
from cookmas.orchestrator.runs.request import Player
from cookmas.orchestrator.runs.request import RunRequest as RunRequest
from cookmas.replaying import add_meanings, judge_in
from cookmas.user_processes import UserProcesses
from cookmas.workers.hiring import check_worker, hire, split_workers
from cookmas.workers.person import Person
from cookmas.workers.protocol import Worker
from cookmas.world_names import ScenarioPlace, digest_code

Workers = Mapping[str, str | Worker]
"""Workers by name: an object, a `package.module:Class` or a URL."""

NO_WORKERS: Mapping[str, Worker] = MappingProxyType({})

KEPT_OPEN = 1000
"""Number of checkpoints that the run of an open episode keeps: those of its last 330 to 500
timesteps.
"""

NEEDING_FOLDER = (
    *options_of(CheckpointFields),
    *("people", "suggestions", "supervisor", "limit"),
    *("pace", "clock", "fallback", "redis", "remote", "worker_deadline"),
)
"""The fields of `RunRequest` that only a run in a folder has."""

Listener = Callable[[AnyRecord], None]
"""A function that is called with each record of a trace as it is written."""

Supervisor = Callable[[AnyRecord], Awaitable[str | None]]
"""An async function that is called with each record, and returns an instruction or None."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """The result of playing a scenario."""

    trace: Trace
    verdict: Verdict | None
    """The verdict; None if there is no truth to judge by."""
    unjudged: str | None = None
    """Why there is no verdict; None if there is one."""
    folder: Path | None = None
    """The folder of the run; None if the run was not stored."""

    @property
    def success(self) -> bool | None:
        """True if the episode succeeded, False if not; None if it is unscored or has no verdict."""
        return self.verdict.success if self.verdict else None


def play(
    scenario: str | Scenario,
    planner: Player | Mapping[str, Player] = "embedded",
    folder: str | Path | None = None,
    listen: Listener | None = None,
    workers: Workers = NO_WORKERS,
    **options: Any,
) -> Run:
    """Play a scenario and judge it.

    `scenario` is a name such as `level3/07` or `cuisineworld/level_3`, a file, or a loaded
    scenario. `planner` is a name, a `package.module:Class`, a schedule file, or a planner, team or
    policy object. A mapping gives each seat its own planner, by worker (`{"alice": "llm", "bob":
    Partner()}`). If a `folder` is given, the trace and the checkpoints are stored there, so that
    `cookmas resume` can continue a killed run; then scenario and planner must be given by name.
    `listen` is called with each record as it is written. `workers` carry out the assignments of the
    workers that they name; all others do exactly what is assigned.

    The `options` are fields of `RunRequest`. `model` and `asking` are for named planners that call
    a model. `world` and `settings` are as in `load_scenario`. `max_stalled` is the maximum number
    of calls of the planner in a row without progress. `seed` replaces the seed from which the
    scenario draws, `planner_seed` is that of a named planner that draws. `thinking` is the price of
    an answer of the planner, such as `500 tokens` for a timestep. LangSmith gets nothing,
    whatever the environment says, except with `langsmith=True`. `otel` is the address of a receiver
    of OpenTelemetry, which gets spans. Raises CookMASError. In a running
    event loop, such as that of a notebook, await `aplay` instead.

    A `package.module:Class` runs in its own process, within the time and memory that `limits`
    allows. It gets no secret of the environment except the variables that `limits` names. A planner
    object runs in this process. If the object raises an error, the episode ends and has failed. But
    nothing stops a planner object that loops endlessly without an await, takes all memory, prints,
    or ends the process.
    """
    check_no_loop("play")
    return asyncio.run(aplay(scenario, planner, folder, listen, workers, **options))


def check_no_loop(name: str) -> None:
    """Raise InputError, which names the function to await, if an event loop is running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise InputError(
        f"cookmas.{name}", f"an event loop is running; write 'await cookmas.a{name}(...)'"
    )


async def aplay(
    scenario: str | Scenario,
    planner: Player | Mapping[str, Player] = "embedded",
    folder: str | Path | None = None,
    listen: Listener | None = None,
    workers: Workers = NO_WORKERS,
    **options: Any,
) -> Run:
    """Do what `play` does, in a running event loop."""
    named = tuple(f"{name}={spec}" for name, spec in workers.items() if isinstance(spec, str))
    if folder is not None and len(named) < len(workers):
        raise InputError("folder", "a run that can be resumed takes its workers by name")
    request = RunRequest(scenario=scenario, planner=planner, worker=named, **options)
    for name in NEEDING_FOLDER if folder is None else ():
        if getattr(request, name) != RunRequest.model_fields[name].default:
            raise InputError(name, "needs a run in a folder: name the folder")
    objects = {name: each for name, each in workers.items() if not isinstance(each, str)}
    with UserProcesses(request.limits) as processes:
        if folder is not None:
            await asyncio.to_thread(create, folder, request, processes)
            return await aresume(folder, listen, processes)
        loaded = load_vetted(request)
        by = await asyncio.to_thread(planner_of, loaded, processes)
        return await play_loaded(loaded, by, listen, objects)


async def play_loaded(
    loaded: Loaded,
    planner: Planner | Team,
    listen: Listener | None = None,
    workers: Workers = NO_WORKERS,
) -> Run:
    """Play a loaded request with a planner and judge it. Write no files. Raises CookMASError."""
    known, request = loaded.scenario.world().workers, loaded.request
    named = {**split_workers(request.worker), **workers}
    async with export_spans(request.otel, loaded.scenario.name) as observers:
        with hire(named, known, request.limits) as hired:
            episode = episode_for(loaded, planner, hired, observers)
            began = time.perf_counter()
            trace = await _listen_to(episode.stream(), listen)
    calls = [asdict(call) for call in episode.measured]
    session = {"wall_seconds": time.perf_counter() - began, "model_calls": calls}
    return _judge(trace, loaded, Measurements.sum([session]))


def episode_for(
    loaded: Loaded,
    planner: Planner | Team,
    workers: Mapping[str, Worker] = NO_WORKERS,
    observers: tuple[Observer, ...] = (),
) -> Episode:
    """Return an episode of a loaded request, which needs no folder. Raises InputError.

    The `observers` observe it beside those that every episode has.
    """
    return episode_of(
        loaded.scenario,
        planner,
        horizon=loaded.horizon,
        judges=loaded.judges,
        workers=workers,
        asynchronous=loaded.request.asynchronous,
        longest=loaded.request.longest,
        max_stalled=loaded.request.max_stalled,
        thinking=loaded.request.thinking,
        observers=observers,
        langsmith=loaded.request.langsmith,
    )


def create(
    folder: str | Path,
    request: RunRequest,
    processes: UserProcesses | None = None,
    *,
    new: bool = False,
) -> Path:
    """Prepare the folder of a run, and return it; `aresume` plays the run. Raises CookMASError.

    With `new` the run gets a new folder within `folder`, named after the scenario and the planner.
    User-supplied planners run in `processes`.
    """
    if not isinstance(request.scenario, str) or not isinstance(request.planner, str):
        raise InputError("folder", "a run that can be resumed takes scenario and planner by name")
    loaded = load_vetted(request)
    with (
        contextlib.nullcontext(processes) if processes else UserProcesses(request.limits) as running
    ):
        planner = planner_of(loaded, running)
        if fallback_of(loaded, running) and isinstance(planner, Team):
            raise InputError("--fallback", "replaces no team; expected one planner for all workers")
    world = loaded.scenario.world()
    refuse_unseated(planner, request.people)
    refuse_central(planner, world)
    if request.pace is not None:
        loaded.domain.desk(loaded.scenario)
    for worker in (*request.remote, *request.people):
        check_worker(worker, world.workers)
    if request.checkpoints is not None:
        _check_database(request.checkpoints)
    place = ScenarioPlace(loaded.world, loaded.name)
    resolved: dict[str, Any] = {
        "created_by": f"cookmas {__version__}",
        "world": loaded.world,
        "world_code": digest_code(loaded.world),
        "scenario": place.everywhere,
        "scenario_digest": loaded.scenario.digest,
        "horizon": None if request.pace is not None else loaded.horizon,
        "judges": loaded.judges,
        "thread": uuid.uuid4().hex if request.checkpoints else "episode",
    }
    if request.suggestions is None:
        resolved["suggestions"] = is_lineup(request.planner) or not isinstance(planner, Team)
    if request.keep_checkpoints is None and request.pace is not None:
        resolved["keep_checkpoints"] = KEPT_OPEN
    file = RunFile(**(dict(request) | resolved))
    folder = Path(folder)
    if new:
        folder = create_folder(
            folder, place.short if place.is_file else request.scenario, planner.name
        )
    create_run(folder, file, loaded.scenario.events())
    return folder


async def aresume(
    folder: str | Path | RunFolder,
    listen: Listener | None = None,
    processes: UserProcesses | None = None,
    planner: Planner | None = None,
    people: Mapping[str, Person] = NOBODY,
    supervisor: Supervisor | None = None,
) -> Run:
    """Continue the run in a folder to its end, and judge it. A run that is over is judged again.

    The run of an open episode may last for weeks, so its records are not held in memory; its trace
    is read from the file at the end, and `listen` gets only the last parts of what earlier sessions
    have written. User-supplied planners run in `processes`; without them they
    get processes for this run alone. `planner` replaces the run's planner, for example by a person
    at a terminal. `people` play workers. If a person played a worker
    before, but is not among `people` now, the worker carries out the planner's assignments. The
    instructions of a `supervisor` reach the orchestrator at the next timestep.
    """
    run = RunFolder.of(folder)
    file, loaded = run.file, load(run.file)
    heard: list[AnyRecord] = []
    held = file.pace is None or await asyncio.to_thread(lambda: run.over)
    with contextlib.nullcontext(processes) if processes else UserProcesses(file.limits) as running:
        try:
            named = await asyncio.to_thread(_planner_of, run, loaded, running)
            refuse_unseated(named, people)
        except asyncio.CancelledError:
            running.close()
            raise
        desk = None
        if file.pace is not None:
            desk = loaded.domain.desk(loaded.scenario)
        playing = planner or seat_people(named, people, loaded.scenario.world())
        standby = await asyncio.to_thread(fallback_of, loaded, running)
        async with open_run(run, loaded.scenario, playing, desk, people, standby) as episode:
            async for record in episode.stream():
                if held:
                    heard.append(record)
                if listen:
                    listen(record)
                if supervisor and (words := await supervisor(record)):
                    episode.inject({"kind": INSTRUCT, "words": words})
    trace = Trace(tuple(heard)) if held else read_trace(run.path / TRACE)
    return _judge(trace, loaded, Measurements.read(run.path / MEASUREMENTS), run.path)


def _planner_of(run: RunFolder, loaded: Loaded, processes: UserProcesses) -> Planner | Team:
    return planner_of(loaded, processes, run.read_alteration())


def _check_database(url: str) -> None:
    try:
        from cookmas.orchestrator.checkpoints.postgres import check_url
    except ImportError:
        raise InputError("checkpoints", "PostgreSQL needs the extra 'postgres'") from None
    check_url(url)


async def _listen_to(records: AsyncIterator[AnyRecord], listen: Listener | None) -> Trace:
    heard: list[AnyRecord] = []
    async for record in records:
        heard.append(record)
        if listen:
            listen(record)
    return Trace(tuple(heard))


def _judge(
    trace: Trace, loaded: Loaded, found: Measurements | None, folder: Path | None = None
) -> Run:
    domain = loaded.domain
    try:
        truth = domain.truth(loaded.scenario)
        truth = add_meanings(truth, trace, domain, folder)
    except (InputError, MissingError) as error:
        return Run(trace=trace, verdict=None, unjudged=str(error), folder=folder)
    verdict = judge_in(domain, trace, truth, found)
    return Run(trace=trace, verdict=verdict, folder=folder)
