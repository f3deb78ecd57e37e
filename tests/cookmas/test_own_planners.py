"""Planners that a person wrote and that fail: each fault is caused for real, and told in a line."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.api import aresume, create
from cookmas.commands.cli import app
from cookmas.episodes.trace import Lookup, PlanRecord
from cookmas.files.errors import EndpointAwayError, InputError
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.patience import check_quickly
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.naming import NamedPlayer
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.sandbox.child import Limits
from cookmas.user_processes import UserProcesses
from cookmas.world_names import domain_of
from cookmas.worlds.corridor.domain import DOMAIN
from tests.cookmas.faulty_planners import FAULTS, MODULES, OF_A_PROCESS, SCENARIO
from tests.warm import COOKMAS, Warm


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with modules of one's own, which can be imported."""
    folder = tmp_path_factory.mktemp("own")
    for name, text in MODULES.items():
        (folder / f"{name}.py").write_text(text)
    sys.path.append(str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def processes() -> Iterator[UserProcesses]:
    with UserProcesses(Limits(seconds=60, memory=1024)) as running:
        yield running


@pytest.fixture(scope="module")
def hasty() -> Iterator[UserProcesses]:
    with UserProcesses(Limits(seconds=1)) as running:
        yield running


def play(
    spec: str, folder: Path, processes: UserProcesses, scenario: str = SCENARIO
) -> cookmas.Run:
    create(
        folder,
        RunRequest(scenario=scenario, planner=spec if ":" in spec else f"own_planners:{spec}"),
        processes=processes,
    )
    return asyncio.run(aresume(folder, processes=processes))


@pytest.mark.parametrize("spec", FAULTS)
def test_a_fault_ends_its_episode_and_no_other(
    spec: str,
    own: Path,
    tmp_path: Path,
    processes: UserProcesses,
    hasty: UserProcesses,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running = hasty if "1 s" in FAULTS[spec] else processes
    if spec == "WillNotEnd":
        monkeypatch.setattr("cookmas.sandbox.child.GRACE", 0.0)  # It uses up any grace.
    run = play(spec, tmp_path / "run", running)
    end = run.trace.end
    assert end
    assert end.termination == "planner_failed"
    assert re.fullmatch(f"(walker_1: )?planner failed: {FAULTS[spec]}", end.why), end.why
    assert end.why.isprintable()
    assert "Traceback" not in "".join(capfd.readouterr())
    assert run.verdict
    assert (run.success, run.verdict.why) == (False, end.why)
    told = tmp_path / "run" / "traceback.txt"
    assert told.exists() is (spec not in OF_A_PROCESS)
    if told.exists():
        assert told.read_text().startswith("Traceback")
        assert told.read_text().replace("\n", "").isprintable()
    assert cookmas.read_trace(tmp_path / "run" / "trace.jsonl") == run.trace
    if spec in ("Exits", "WillNotEnd", "needs_more:Planner"):
        assert play("Good", tmp_path / "next", processes).success


def test_one_process_plays_a_suite_and_prints_to_standard_error(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["corridor/one", "corridor/two"]
    done = CliRunner().invoke(app, ["run", *names, "-p", "own_planners:Good", "--json"])
    assert done.exit_code == 0, done.output
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    traces = [cookmas.read_trace(Path(run["folder"]) / "trace.jsonl") for run in runs]
    told = {plan.reasoning for trace in traces for plan in trace.of(PlanRecord)}
    assert len(told) == 1
    assert "planning\n" in done.stderr
    assert set(done.stderr.split()) == {"planning"}


def test_a_suite_goes_on_after_a_planner_that_exits(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["corridor/one", "corridor/two"]
    done = CliRunner().invoke(app, ["run", *names, "-p", "own_planners:Exits", "--json"])
    assert done.exit_code == 1
    verdicts = [json.loads(line)["verdict"] for line in done.stdout.splitlines()]
    assert [verdict["termination"] for verdict in verdicts] == ["planner_failed"] * 2
    assert done.stderr == "bye \\x1b[2J\n" * 2


def test_it_plans_as_it_would_in_this_process(
    own: Path, tmp_path: Path, processes: UserProcesses
) -> None:
    for scenario in ("corridor/two", "level1/01"):
        world = "restaurant" if scenario.startswith("level") else "corridor"
        spec = domain_of(world).planners["embedded"]
        folder = tmp_path / world
        assert play(spec, folder, processes, scenario).trace == cookmas.play(scenario).trace


@pytest.mark.parametrize("spec", ["Busy", "BusyWhenMade"])
async def test_who_stops_a_run_does_not_wait_for_its_planner(
    spec: str, own: Path, tmp_path: Path
) -> None:
    with UserProcesses() as processes:
        create(
            tmp_path / "run",
            RunRequest(scenario=SCENARIO, planner="own_planners:Good"),
            processes=processes,
        )
        file = tmp_path / "run" / "run.json"
        file.write_text(file.read_text().replace("own_planners:Good", f"own_planners:{spec}"))
        playing = asyncio.create_task(aresume(tmp_path / "run", processes=processes))
        busy = own / "own_planners.py.busy"
        async with asyncio.timeout(60):
            while not busy.exists():
                await asyncio.sleep(0.01)
        busy.unlink()
        playing.cancel()
        async with asyncio.timeout(60):
            with pytest.raises(asyncio.CancelledError):
                await playing
            await asyncio.get_running_loop().shutdown_default_executor()


def detached(own: Path) -> Path:
    """The process that a planner has detached, once it is there."""
    told = own / "own_planners.py.detached"
    until = time.monotonic() + 60
    while not told.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    process = Path("/proc", told.read_text())
    told.unlink()
    return process


@pytest.mark.parametrize("spec", ["Detaches", "DetachesAndExits"])
def test_nothing_that_a_planner_has_detached_outlives_the_run(
    spec: str, own: Path, tmp_path: Path
) -> None:
    with UserProcesses() as running:
        assert not play(spec, tmp_path / "run", running).success
        process = detached(own)
        assert process.exists() is (spec == "Detaches")
    assert not process.exists()


def test_nothing_that_a_planner_has_detached_outlives_a_run_that_is_killed(
    own: Path, tmp_path: Path
) -> None:
    arguments = ("run", SCENARIO, "-p", "own_planners:DetachesAndWaits", "-q", "--runs")
    process = Warm[bytes]((COOKMAS, *arguments, str(tmp_path)), cwd=own)
    left = detached(own)
    assert left.exists()
    process.kill()
    process.wait()
    until = time.monotonic() + 60
    while left.exists():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_what_it_looks_up_comes_from_outside_and_is_recorded(
    own: Path, tmp_path: Path, processes: UserProcesses
) -> None:
    trace = play("LooksUp", tmp_path / "run", processes).trace
    texts = [lookup.text for lookup in trace.of(Lookup)]
    assert texts
    assert trace.end
    assert json.loads(trace.end.why) == [*texts, "there is no text 'nothing'"]


def test_a_team_of_ones_own_plays(own: Path, tmp_path: Path, processes: UserProcesses) -> None:
    assert play("OwnTeam", tmp_path / "run", processes, "corridor/halves").success


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("own_planners:Missing", "module own_planners has no Missing"),
        ("no_such_module:Planner", "cannot be imported"),
        ("own_planners:", "expected embedded"),
        ("own_planners:Plan", "cannot be made without arguments"),
        ("own_planners:os", "cannot be made without arguments"),
    ],
)
def test_what_is_no_planner_is_bad_input(
    spec: str, expected: str, own: Path, tmp_path: Path, processes: UserProcesses
) -> None:
    with pytest.raises(InputError, match=expected):
        create(tmp_path / "run", RunRequest(scenario=SCENARIO, planner=spec), processes=processes)
    assert not (tmp_path / "run").exists()


class Given:
    name, planner_class = "given", "assisted"

    async def plan(self, observation: Any) -> Any:
        raise SystemExit(3)


def test_an_object_that_fails_fails_its_episode_in_this_process() -> None:
    run = cookmas.play(SCENARIO, Given())  # type: ignore[arg-type]
    assert run.verdict
    assert run.success is False
    assert re.fullmatch(r"planner failed: SystemExit: 3 at test_own_.+:\d+", run.verdict.why)


ASKING = """
from cookmas.files.errors import EndpointAwayError
from cookmas.orchestrator.models.patience import is_hurried

class Asking:
    name, planner_class = "asking", "assisted"
    async def plan(self, observation):
        raise EndpointAwayError(f"hurried: {is_hurried()}", unreachable=True)
"""


async def test_an_outage_is_one_in_the_planner_s_own_process_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "asking_own.py").write_text(ASKING)
    monkeypatch.syspath_prepend(tmp_path)
    world = DOMAIN.scenario("one", {}).world()
    place = {"world": "corridor", "setup": world.setup()}
    with UserProcesses(Limits(seconds=60)) as running:
        planner = running.planner(NamedPlayer(planner="asking_own:Asking"), place)
        assert not isinstance(planner, Team)
        seen: Observation[Any] = Observation(
            timestep=0, triggers=(), world=world, state=world.start(), texts={}, fails={}
        )
        for quickly in (True, False):
            with check_quickly(quickly), pytest.raises(EndpointAwayError) as caught:
                await planner.plan(seen)
            assert (str(caught.value), caught.value.unreachable) == (f"hurried: {quickly}", True)
