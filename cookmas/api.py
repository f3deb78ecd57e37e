"""The public Python API: the rooms of the house tied together."""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack

from cookmas.apart import Apart
from cookmas.judging import add_meanings, judge_in
from cookmas.loading import NO_SETTINGS as NO_SETTINGS
from cookmas.loading import Loaded, load, planner_of
from cookmas.loading import load_planner as load_planner
from cookmas.loading import load_scenario as load_scenario
from cookmas.seating import refuse_unseated
from cookmas.version import VERSION
from episodes.instruction import INSTRUCT
from episodes.scenario import Scenario
from episodes.trace import AnyRecord, Trace
from evals.measured import read_measurements, sum_measurements
from evals.verdict import Measurements, Verdict
from files.errors import InputError, MissingError
from orchestrator.dialogue.options import AskingOptions
from orchestrator.episode import episode_of
from orchestrator.member import Team
from orchestrator.models.options import ModelOptions
from orchestrator.parts import Participants
from orchestrator.planner import Planner
from orchestrator.planners.lineup import is_lineup
from orchestrator.planners.seats import refuse_central
from orchestrator.runner import Episode
from orchestrator.runs.folder import (
    MEASUREMENTS,
    RunFile,
    RunFolder,
    create_folder,
    create_run,
)
from orchestrator.runs.opening import NOBODY, open_run
from orchestrator.runs.request import Player
from orchestrator.runs.request import RunRequest as RunRequest
from sandbox.child import Limits
from workers.person import Person
from worlds import capabilities

KEPT_OPEN = 1000
"""Checkpoints that an open run keeps: those of 330 to 500 timesteps."""

Listener = Callable[[AnyRecord], None]
"""Is told each record of a trace as it is written."""

Supervisor = Callable[[AnyRecord], Awaitable[str | None]]
"""Is told each record too, and may answer with an instruction."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """The result of playing a scenario."""

    trace: Trace
    """The trace of the episode."""
    verdict: Verdict | None
    """The verdict; None if there is no truth to judge by."""
    unjudged: str | None = None
    """Why there is no verdict; None if there is one."""
    folder: Path | None = None
    """The folder of the run; None if it was not kept."""

    @property
    def success(self) -> bool | None:
        """Whether the episode succeeded; None if it is unscored."""
        return self.verdict.success if self.verdict else None


class PlayOptions(TypedDict, total=False):
    """The fields of `RunRequest` that `play` takes by keyword."""

    model: ModelOptions | None
    """The model that a named planner calls, and its budget."""
    asking: AskingOptions | None
    """The prompting options of a named planner."""
    world: str | None
    """The world, by its name or as `package.module:Domain`."""
    settings: Mapping[str, Any]
    """Settings of the scenario, such as the number of workers."""
    max_stalled: int
    """Calls of the planner in a row that may pass without progress."""
    limits: Limits
    """Time, memory and environment of user-supplied code."""
    seed: int | None
    """Seed of the scenario's chance, in place of its own."""


def play(
    scenario: str | Scenario,
    planner: Player | Mapping[str, Player] = "embedded",
    folder: str | Path | None = None,
    listen: Listener | None = None,
    **options: Unpack[PlayOptions],
) -> Run:
    """Play a scenario and judge it.

    `scenario` is a name such as `level3/07` or `cuisineworld/level_3`, a file, or a loaded one;
    `planner` a name, a `package.module:Class`, a schedule file, a planner, team or policy, or one
    of these for each seat, by worker (`{"alice": "llm", "bob": Partner()}`). A `folder` keeps the
    trace and the checkpoints, so that `resume` can continue a killed run; then scenario and planner
    must be names. `listen` is called with each record as it is written. The `options` are fields of
    `RunRequest`. `model` and `asking` are for planners that are named and call a model; `world` and
    `settings` are as in `load_scenario`. `max_stalled` is how many calls of the planner in a row
    may pass without progress. `seed` replaces the seed of the scenario's chance. Raises
    CookMASError.

    A `package.module:Class` runs in a process of its own, within `limits` of time and memory. It
    gets no secret of the environment except the variables that `limits` names. A planner object
    runs in this process. If it raises an error, the episode ends and has failed. But nothing stops
    a planner object that loops endlessly without an await, takes all memory, prints, or ends the
    process.
    """
    return asyncio.run(aplay(scenario, planner, folder, listen, **options))


async def aplay(
    scenario: str | Scenario,
    planner: Player | Mapping[str, Player] = "embedded",
    folder: str | Path | None = None,
    listen: Listener | None = None,
    **options: Unpack[PlayOptions],
) -> Run:
    """Like `play`, in a running event loop."""
    request = RunRequest(scenario=scenario, planner=planner, **options)
    with Apart(request.limits) as apart:
        if folder is not None:
            await asyncio.to_thread(create, folder, request, apart)
            return await aresume(folder, listen, apart)
        loaded = load(request)
        by = await asyncio.to_thread(planner_of, loaded, apart)
        return await play_loaded(loaded, by, listen)


async def play_loaded(
    loaded: Loaded, planner: Planner | Team, listen: Listener | None = None
) -> Run:
    """Play a loaded request with a planner and judge it; no files. Raises CookMASError."""
    episode = episode_for(loaded, planner)
    began = time.perf_counter()
    trace = await _listen_to(episode.stream(), listen)
    calls = [asdict(call) for call in episode.measured]
    session = {"wall_seconds": time.perf_counter() - began, "model_calls": calls}
    return _judge(trace, loaded, sum_measurements([session]))


def episode_for(loaded: Loaded, planner: Planner | Team) -> Episode:
    """Return an episode of a loaded request without a folder. Raises InputError."""
    return episode_of(
        loaded.scenario,
        Participants(planner=planner, max_stalled=loaded.request.max_stalled),
        horizon=loaded.horizon,
        judges=loaded.judges,
    )


def create(
    folder: str | Path, request: RunRequest, apart: Apart | None = None, *, new: bool = False
) -> Path:
    """Prepare a folder for a run, which `aresume` plays, and return it. Raises CookMASError.

    With `new` the run gets a new folder within `folder`, named after the scenario and the planner.
    `apart` runs user-supplied planners.
    """
    if not isinstance(request.scenario, str) or not isinstance(request.planner, str):
        raise InputError("folder", "a run that can be resumed takes scenario and planner by name")
    loaded = load(request)
    with contextlib.nullcontext(apart) if apart else Apart(request.limits) as running:
        planner = planner_of(loaded, running)
    world = loaded.scenario.world()
    refuse_unseated(planner, request.people)
    refuse_central(planner, world)
    if request.pace is not None:
        capabilities.open_domain(loaded.domain)
    for worker in (*(request.redis.workers if request.redis else ()), *request.people):
        if worker not in world.workers:
            raise InputError(f"worker {worker}", f"expected one of {', '.join(world.workers)}")
    if request.checkpoints is not None:
        _check_database(request.checkpoints)
    name, is_file = loaded.name, loaded.name.endswith((".yaml", ".yml"))
    resolved: dict[str, Any] = {
        "created_by": f"cookmas {VERSION}",
        "world": loaded.world,
        "scenario": str(Path(name).resolve()) if is_file else name,
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
            folder, Path(name).stem if is_file else request.scenario, planner.name
        )
    create_run(folder, file, loaded.scenario.events())
    return folder


async def aresume(
    folder: str | Path | RunFolder,
    listen: Listener | None = None,
    apart: Apart | None = None,
    planner: Planner | None = None,
    people: Mapping[str, Person] = NOBODY,
    supervisor: Supervisor | None = None,
) -> Run:
    """Continue the run in a folder to its end, and judge it. A run that is over is judged again.

    The folder is read once. An open run may last for weeks: its records are not held while it is
    played, and its trace is read at the end. `apart` runs user-supplied planners; without it each
    has a process for this run alone. `planner` replaces the run's planner, for example by a person
    at a terminal. `people` play workers; a worker that a person played before and that is missing
    there does what it is assigned. The instructions of a `supervisor` reach the orchestrator at the
    next timestep.
    """
    run = RunFolder.of(folder)
    file, loaded = run.file, load(run.file)
    heard: list[AnyRecord] = []
    held = file.pace is None or await asyncio.to_thread(lambda: run.over)
    with contextlib.nullcontext(apart) if apart else Apart(file.limits) as running:
        try:
            named = await asyncio.to_thread(_planner_of, run, loaded, running)
            refuse_unseated(named, people)
        except asyncio.CancelledError:
            running.close()
            raise
        desk = None
        if file.pace is not None:
            desk = capabilities.open_domain(loaded.domain).desk(loaded.scenario)
        async with open_run(run, loaded.scenario, planner or named, desk, people) as episode:
            async for record in episode.stream():
                if held:
                    heard.append(record)
                if listen:
                    listen(record)
                if supervisor and (words := await supervisor(record)):
                    episode.inject({"kind": INSTRUCT, "words": words})
    trace = Trace(tuple(heard)) if held else run.trace.hand_over().trace
    return _judge(trace, loaded, read_measurements(run.path / MEASUREMENTS), run.path)


def _planner_of(run: RunFolder, loaded: Loaded, apart: Apart) -> Planner | Team:
    return planner_of(loaded, apart, run.read_alteration())


def _check_database(url: str) -> None:
    try:
        from orchestrator.checkpoints.postgres import check_url
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
        truth = capabilities.truth(domain, loaded.scenario)
        truth = add_meanings(truth, trace, domain, folder)
    except MissingError as error:
        return Run(trace=trace, verdict=None, unjudged=str(error), folder=folder)
    verdict = judge_in(domain, trace, truth, found)
    return Run(trace=trace, verdict=verdict, folder=folder)
