"""The public Python API: the rooms of the house tied together."""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cookmas.apart import Apart
from cookmas.judging import heard
from cookmas.loading import NO_SETTINGS as NO_SETTINGS
from cookmas.loading import asked, planner_for, said, sound
from cookmas.loading import load_planner as load_planner
from cookmas.loading import load_scenario as load_scenario
from cookmas.seating import refuse_unseated, team_of
from cookmas.version import VERSION
from cookmas.worlds import domain_of, located
from episodes.instruction import INSTRUCT
from episodes.scenario import Scenario, drawn_by, redrawn
from episodes.trace import AnyRecord, ForkRecord, Trace
from episodes.trace_file import read_trace
from episodes.world import Json
from evals.judge import judge as judge_with
from evals.measured import measured, read_measurements
from evals.verdict import Measurements, Verdict
from files.errors import InputError, MissingError
from orchestrator.dialogue.options import AskingOptions
from orchestrator.episode import episode_of
from orchestrator.graph.context import MAX_STALLED
from orchestrator.member import Policy, Team
from orchestrator.models.options import ModelOptions
from orchestrator.planner import Planner
from orchestrator.planners.lineup import is_lineup, text_of
from orchestrator.planners.seats import refuse_central, seated
from orchestrator.runs.folder import (
    MEASUREMENTS,
    TRACE,
    RunFile,
    create_run,
    new_folder,
    read_run,
)
from orchestrator.runs.opening import NOBODY, open_run
from orchestrator.runs.redis_place import RedisPlace
from sandbox.child import Limits
from workers.person import Person
from worlds import capabilities
from worlds.domain import Domain

KEPT_OPEN = 1000
"""Checkpoints that an open run keeps: those of 330 to 500 timesteps."""

Player = str | Planner | Team | Policy
"""A planner: its name, or the object."""

Listener = Callable[[AnyRecord], None]
"""Is told each record of a trace as it is written."""

Supervisor = Callable[[AnyRecord], Awaitable[str | None]]
"""Is told each record too, and may answer with an instruction."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """What came of playing a scenario.

    `verdict` is None where there is no truth to judge by, and `unjudged` says so then; `folder`
    holds the run's files, where it was given one.
    """

    trace: Trace
    verdict: Verdict | None
    unjudged: str | None = None
    folder: Path | None = None

    @property
    def success(self) -> bool | None:
        """Whether the episode succeeded; None where it is unscored."""
        return self.verdict.success if self.verdict else None


def play(
    scenario: str | Scenario,
    planner: Player | Mapping[str, Player] = "embedded",
    folder: str | Path | None = None,
    listen: Listener | None = None,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    world: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    max_stalled: int = MAX_STALLED,
    limits: Limits | None = None,
    seed: int | None = None,
) -> Run:
    """Play a scenario and judge it.

    `scenario` is a name such as `level3/07` or `cuisineworld/level_3`, a file, or a loaded one;
    `planner` a name, a `package.module:Class`, a schedule file, a planner, team or policy, or one
    of these for each seat, by worker (`{"alice": "llm", "bob": Partner()}`). With a `folder` the
    trace and the checkpoints are kept there, so that `resume` can go on with a run that was killed;
    that takes scenario and planner by their names. `model` and `asking` are for planners that are
    named and call a model; `world` and `settings` are as in `load_scenario`. `max_stalled` is how
    many calls of the planner in a row may pass without progress. `seed` replaces the seed by which
    a scenario draws what it leaves to chance. Raises CookMASError.

    A `package.module:Class` runs in a process of its own, within `limits` of time and memory. It
    gets no secret of the environment, but for the variables that `limits` name. A planner that is
    given as an object runs in this process. Whatever it raises ends its episode, which has failed
    then, but nothing stops one that loops for ever without an await, takes all memory, prints, or
    ends the process.
    """
    playing = aplay(
        scenario, planner, folder, listen, model, asking, world, settings, max_stalled, limits, seed
    )
    return asyncio.run(playing)


async def aplay(
    scenario: str | Scenario,
    planner: Player | Mapping[str, Player] = "embedded",
    folder: str | Path | None = None,
    listen: Listener | None = None,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    world: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    max_stalled: int = MAX_STALLED,
    limits: Limits | None = None,
    seed: int | None = None,
) -> Run:
    """Like `play`, in a running event loop."""
    if folder is not None:
        planner = _as_text(planner)
        if not isinstance(planner, str) or not isinstance(scenario, str):
            raise InputError(
                "folder", "a run that can be resumed takes scenario and planner by name"
            )
        with Apart(limits) as apart:
            await asyncio.to_thread(
                create,
                Path(folder),
                scenario,
                planner,
                model,
                asking,
                world,
                settings,
                limits=limits,
                apart=apart,
                max_stalled=max_stalled,
                seed=seed,
            )
            return await aresume(folder, listen, apart)
    if isinstance(scenario, str):
        spec, name = located(scenario, world)
        domain = domain_of(spec)
        scenario = sound(domain, name, settings)
    else:
        spec = world or scenario.world().name
        domain = domain_of(spec)
    scenario = drawn_by(scenario, seed)
    with Apart(limits) as apart:
        loaded = await asyncio.to_thread(_loaded, planner, scenario, spec, model, asking, apart)
        episode = episode_of(
            scenario,
            loaded,
            horizon=capabilities.horizon(domain, scenario),
            judges=domain.judging.version,
            max_stalled=max_stalled,
        )
        began = time.perf_counter()
        trace = await _listened(episode.stream(), listen)
    calls = [asdict(call) for call in episode.measured]
    session = {"wall_seconds": time.perf_counter() - began, "model_calls": calls}
    return _judged(trace, scenario, domain, measured([session]))


def _loaded(
    planner: Player | Mapping[str, Player],
    scenario: Scenario,
    world: str,
    model: ModelOptions | None,
    asking: AskingOptions | None,
    apart: Apart,
) -> Planner | Team:
    """Return what is to plan. Raise CookMASError."""
    workers = scenario.world().workers

    def one(player: Player) -> Planner | Team | Policy:
        if isinstance(player, str):
            return asked(player, scenario, world, model, asking, apart)
        return player

    planner = _as_text(planner)
    if isinstance(planner, Mapping):
        return team_of({seat: one(each) for seat, each in planner.items()}, workers)
    found = one(planner)
    return seated(found, workers) if isinstance(found, Policy) else found


def _as_text(planner: Player | Mapping[str, Player]) -> Player | Mapping[str, Player]:
    """Return seats that are all named as a person says them."""
    if not isinstance(planner, Mapping):
        return planner
    named = {seat: each for seat, each in planner.items() if isinstance(each, str)}
    return text_of(named) if len(named) == len(planner) else planner


def create(
    folder: str | Path,
    scenario: str,
    planner: str,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    world: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    pace: float | None = None,
    redis: RedisPlace | None = None,
    checkpoints: str | None = None,
    keep_checkpoints: int | None = None,
    limits: Limits | None = None,
    apart: Apart | None = None,
    max_stalled: int = MAX_STALLED,
    people: Sequence[str] = (),
    limit: float | None = None,
    *,
    suggestions: bool | None = None,
    supervisor: bool = False,
    new: bool = False,
    seed: int | None = None,
) -> Path:
    """Prepare a folder for a run, which `aresume` plays, and return it. Raises CookMASError.

    A `new` one is made within `folder`, and named after the scenario and the planner.

    With a `pace`, in seconds a timestep (0: as fast as possible), the run is open: it takes
    messages, and goes on until it is closed; with `redis` they come there, and some of its workers
    may be elsewhere. `checkpoints` is the URL of a PostgreSQL database; by default they are in a
    file of the folder. The last `keep_checkpoints` of them are kept, at least one; by default an
    open run keeps `KEPT_OPEN`, and another run keeps all. `limits` are those of a planner of one's
    own, which runs `apart`; `max_stalled` is how many calls of any planner in a row may pass
    without progress. `people` are the workers whom people play, and `suggestions` says whether they
    are suggested what to do (None: as far as no model is asked for that alone). `supervisor` says
    whether a person instructs the orchestrator, and `limit` how many seconds a person has for an
    answer. `seed` replaces the seed by which the scenario draws.
    """
    spec, name = located(scenario, world)
    domain = domain_of(spec)
    loaded = drawn_by(sound(domain, name, settings), seed)
    limits = limits or Limits()
    with contextlib.nullcontext(apart) if apart else Apart(limits) as running:
        found = asked(planner, loaded, spec, model, asking, running, people=people)
    refuse_unseated(found, people)
    refuse_central(found, loaded.world())
    by = found.name
    if suggestions is None:
        suggestions = is_lineup(planner) or not isinstance(found, Team)
    if pace is not None:
        capabilities.open_domain(domain)
    there = loaded.world().workers
    for worker in (*(redis.workers if redis else ()), *people):
        if worker not in there:
            raise InputError(f"worker {worker}", f"expected one of {', '.join(there)}")
    if checkpoints is not None:
        _check_database(checkpoints)
    if keep_checkpoints is None and pace is not None:
        keep_checkpoints = KEPT_OPEN
    is_file = name.endswith((".yaml", ".yml"))
    file = RunFile(
        created_by=f"cookmas {VERSION}",
        world=spec,
        scenario=str(Path(name).resolve()) if is_file else name,
        settings=said(settings),
        scenario_digest=loaded.digest,
        planner=planner,
        horizon=None
        if pace is not None
        else loaded.horizon or capabilities.horizon(domain, loaded),
        judges=domain.judging.version,
        pace=pace,
        redis=redis,
        checkpoints=checkpoints,
        thread=uuid.uuid4().hex if checkpoints else "episode",
        keep_checkpoints=keep_checkpoints,
        limits=limits,
        max_stalled=max_stalled,
        people=tuple(people),
        suggestions=suggestions,
        limit=limit,
        supervisor=supervisor,
        model=model,
        asking=asking,
        seed=seed,
    )
    folder = Path(folder)
    if new:
        folder = new_folder(folder, Path(name).stem if is_file else scenario, by)
    create_run(folder, file, loaded.events())
    return folder


async def aresume(
    folder: str | Path,
    listen: Listener | None = None,
    apart: Apart | None = None,
    planner: Planner | None = None,
    people: Mapping[str, Person] = NOBODY,
    supervisor: Supervisor | None = None,
) -> Run:
    """Go on with the run in a folder to its end, and judge it. One that is over is judged again.

    A planner of one's own runs `apart`, or in a process for this run alone; `planner` is asked in
    the place of the one that the run names, such as a person who sits somewhere. `people` play
    workers; one that was played by a person before, and is not among them, does what it is
    assigned. What a `supervisor` says reaches the orchestrator at the next timestep that begins.
    """
    folder = Path(folder)
    file = read_run(folder)
    domain = domain_of(file.world)
    scenario = redrawn(sound(domain, file.scenario, file.settings), file.seed)
    with contextlib.nullcontext(apart) if apart else Apart(file.limits) as running:
        try:
            setup = _setup(folder) if file.parent else None
            named = await asyncio.to_thread(planner_for, file, scenario, running, setup)
            refuse_unseated(named, people)
        except asyncio.CancelledError:
            running.close()
            raise
        desk = capabilities.open_domain(domain).desk(scenario) if file.pace is not None else None
        async with open_run(folder, scenario, planner or named, desk, people) as episode:
            async for record in episode.stream():
                if listen:
                    listen(record)
                if supervisor and (words := await supervisor(record)):
                    episode.inject({"kind": INSTRUCT, "words": words})
    trace = read_trace(folder / TRACE)
    return _judged(trace, scenario, domain, read_measurements(folder / MEASUREMENTS), folder)


def _setup(folder: Path) -> Json | None:
    """The world as the forks of a run have altered it; None if none has."""
    setups = [each.setup for each in read_trace(folder / TRACE).of(ForkRecord) if each.setup]
    return setups[-1] if setups else None


def _check_database(url: str) -> None:
    try:
        from orchestrator.checkpoints.postgres import check_url
    except ImportError:
        raise InputError("checkpoints", "PostgreSQL needs the extra 'postgres'") from None
    check_url(url)


async def _listened(records: AsyncIterator[AnyRecord], listen: Listener | None) -> Trace:
    heard: list[AnyRecord] = []
    async for record in records:
        heard.append(record)
        if listen:
            listen(record)
    return Trace(tuple(heard))


def _judged(
    trace: Trace,
    scenario: Scenario,
    domain: Domain,
    found: Measurements | None,
    folder: Path | None = None,
) -> Run:
    try:
        truth = capabilities.truth(domain, scenario)
        truth = heard(truth, trace, domain, folder)
    except MissingError as error:
        return Run(trace=trace, verdict=None, unjudged=str(error), folder=folder)
    verdict = judge_with(trace, truth, domain.world(trace.header.setup), domain.judging)
    verdict = verdict.model_copy(update={"measured": found})
    return Run(trace=trace, verdict=verdict, folder=folder)
