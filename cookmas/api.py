"""The public Python API: the rooms of the house tied together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from cookmas import __version__
from cookmas.orders import ordered
from episodes.errors import InputError, MissingError
from episodes.replay import Frame
from episodes.replay import replay as replay_in
from episodes.trace import AnyRecord, Trace
from evals.judge import judge as judge_with
from evals.measured import measured, read_measurements
from evals.verdict import Measurements, Verdict
from kitchen.bounds import Demand, makespan_bound
from kitchen.world import Restaurant
from orchestrator.models.options import ModelOptions
from orchestrator.planner import Planner
from orchestrator.planners.load import load_planner
from orchestrator.planners.options import AskingOptions
from orchestrator.restaurant import DEFAULT_HORIZON, restaurant_episode
from orchestrator.runs import MEASUREMENTS, RUN, TRACE, create_run, open_run, read_run
from scenarios.scenario import Scenario, build_scenario, load_scenario, scenario_names
from scenarios.truth.truth import ScenarioTruth, load_menu_truth, load_truth

Listener = Callable[[AnyRecord], None]
"""Is told each record of a trace as it is written."""


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
    planner: str | Planner = "embedded",
    folder: str | Path | None = None,
    listen: Listener | None = None,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
) -> Run:
    """Play a scenario and judge it.

    `scenario` is a name such as `level3/07`, a file, or a loaded one; `planner` a name, a
    `package.module:Class`, a schedule file, or a planner. With a `folder` the trace and the
    checkpoints are kept there, so that `resume` can go on with a run that was killed; that takes a
    planner by its name. `model` and `asking` are for planners that are named and call a model.
    Raises CookMASError.
    """
    return asyncio.run(aplay(scenario, planner, folder, listen, model, asking))


async def aplay(
    scenario: str | Scenario,
    planner: str | Planner = "embedded",
    folder: str | Path | None = None,
    listen: Listener | None = None,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
) -> Run:
    """Like `play`, in a running event loop."""
    if isinstance(scenario, str):
        scenario = load_scenario(scenario)
    loaded = (
        load_planner(planner, scenario.kitchen, model, asking)
        if isinstance(planner, str)
        else planner
    )
    if folder is None:
        episode = restaurant_episode(scenario, loaded, horizon=default_horizon(scenario))
        began = time.perf_counter()
        trace = await _listened(episode.stream(), listen)
        calls = [asdict(call) for call in episode.measured]
        session = {"wall_seconds": time.perf_counter() - began, "model_calls": calls}
        return _judged(trace, scenario, measured([session]))
    if not isinstance(planner, str):
        raise InputError("planner", "a run in a folder takes a planner by name, to be resumable")
    horizon, creator = default_horizon(scenario), f"cookmas {__version__}"
    create_run(Path(folder), scenario, planner, horizon, creator, model, asking)
    return await aresume(folder, listen)


async def aresume(folder: str | Path, listen: Listener | None = None) -> Run:
    """Go on with the run in a folder to its end, and judge it. One that is over is judged again."""
    folder = Path(folder)
    scenario = load_scenario(read_run(folder).scenario)
    async with open_run(folder) as episode:
        trace = await _listened(episode.stream(), listen)
    return _judged(trace, scenario, read_measurements(folder / MEASUREMENTS), folder)


def judge(trace: Trace, truth: ScenarioTruth) -> Verdict:
    """Judge a trace by the truth of its scenario. Raises TraceError."""
    return judge_with(trace, truth)


def replay(trace: Trace) -> Iterator[Frame]:
    """Simulate a trace again, timestep by timestep. Raises TraceError."""
    return replay_in(trace, Restaurant.of_trace(trace))


def truth_of(trace: Trace, path: Path, truth: Path | None = None) -> ScenarioTruth:
    """The truth by which the trace in the file `path` is to be judged.

    It is that of the trace's scenario, unless the file `truth` is given. Raises InputError if
    they do not belong together, MissingError if there is none.
    """
    scenario = _scenario_of(trace, path)
    if scenario.digest != trace.header.scenario_digest:
        raise InputError(str(path), f"{scenario.name} has been changed since it was played")
    return load_truth(scenario, truth)


def _scenario_of(trace: Trace, path: Path) -> Scenario:
    name = trace.header.scenario_name
    if path.name == TRACE and path.with_name(RUN).exists():
        return load_scenario(read_run(path.parent).scenario)
    if name in scenario_names():
        return load_scenario(name)
    return build_scenario(name, path, trace.header.scenario)


def default_horizon(scenario: Scenario) -> int:
    """Ten times the lower bound of the makespan of everything that will be ordered, in timesteps.

    The customers' words are left aside. A constant where the menu has no truth.
    """
    try:
        items = load_menu_truth(scenario.menu)
    except MissingError:
        return DEFAULT_HORIZON
    demands = [Demand(release=at, components=items[item]) for at, item in ordered(scenario)]
    return 10 * makespan_bound(scenario.kitchen, demands).value


async def _listened(records: AsyncIterator[AnyRecord], listen: Listener | None) -> Trace:
    heard: list[AnyRecord] = []
    async for record in records:
        heard.append(record)
        if listen:
            listen(record)
    return Trace(tuple(heard))


def _judged(
    trace: Trace, scenario: Scenario, found: Measurements | None, folder: Path | None = None
) -> Run:
    try:
        verdict = judge_with(trace, load_truth(scenario))
    except MissingError as error:
        return Run(trace=trace, verdict=None, unjudged=str(error), folder=folder)
    verdict = verdict.model_copy(update={"measured": found})
    return Run(trace=trace, verdict=verdict, folder=folder)
