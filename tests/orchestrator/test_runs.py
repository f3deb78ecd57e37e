"""Runs in folders: what is in them, and that a run killed at any moment ends in the same trace."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import random
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from cookmas.api import load_planner
from cookmas.episodes.trace import EventRecord, StepRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import CookMASError, InputError, MissingError
from cookmas.orchestrator.episode import Episode
from cookmas.orchestrator.runs.folder import (
    MEANINGS,
    RunError,
    RunFile,
    RunFolder,
    create_run,
    meanings_of,
)
from cookmas.orchestrator.runs.opening import open_run
from cookmas.scenarios.scenario import KitchenScenario, load_scenario
from cookmas.solving.corridor.planners import EmbeddedPlanner
from tests.warm import ROOT, Warm

HERE = Path(__file__).parent
PLAYS = (HERE / "play_run.py").read_text()
TIMESTEPS = 45
SCENARIO = """
title: Orders and changes all the time
level: 3
kitchen: small
events:
  - {at: 0, kind: new_order, order: o1, lines: [{item: Garden Salad}, {item: French Fries}]}
  - {at: 5, kind: new_order, order: o2, lines: [{item: Buttered Toast}]}
  - {at: 9, kind: change_line, line: o1.2, note: "A minute longer, please."}
  - {at: 9, kind: fault, worker: worker_2, timesteps: 6}
  - {at: 20, kind: add_line, order: o1, item: Tomato Soup}
  - {at: 33, kind: remove_line, line: o1.1}
  - {at: 41, kind: cancel_order, order: o2}
"""


def _sibling(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> KitchenScenario:
    path = tmp_path_factory.mktemp("scenarios") / "surprises.yaml"
    path.write_text(SCENARIO)
    return load_scenario(str(path))


@pytest.fixture(scope="module")
def schedule(tmp_path_factory: pytest.TempPathFactory, scenario: KitchenScenario) -> str:
    path = tmp_path_factory.mktemp("schedules") / "random.yaml"
    actions = _sibling("random_schedule").random_schedule(scenario, TIMESTEPS, seed=7)
    path.write_text(yaml.safe_dump({"schedule": actions}))
    return str(path)


@pytest.fixture(scope="module")
def undisturbed_run(
    tmp_path_factory: pytest.TempPathFactory, scenario: KitchenScenario, schedule: str
) -> Path:
    """The folder of a run that nothing has happened to, to be copied."""
    folder = tmp_path_factory.mktemp("runs") / "undisturbed"
    create_run(folder, run_file(scenario, schedule, TIMESTEPS))
    asyncio.run(play(folder))
    return folder


@pytest.fixture
def undisturbed(undisturbed_run: Path) -> bytes:
    """Its trace."""
    return (undisturbed_run / "trace.jsonl").read_bytes()


@pytest.fixture
def new_run(tmp_path: Path, scenario: KitchenScenario, schedule: str) -> Callable[[str], Path]:
    def make(name: str) -> Path:
        create_run(tmp_path / name, run_file(scenario, schedule, TIMESTEPS))
        return tmp_path / name

    return make


def run_file(scenario: KitchenScenario, schedule: str, horizon: int) -> RunFile:
    return RunFile(
        created_by="tests",
        world="restaurant",
        scenario=str(scenario.path),
        scenario_digest=scenario.digest,
        planner=schedule,
        horizon=horizon,
    )


def opened(folder: Path) -> AbstractAsyncContextManager[Episode]:
    """The episode of the run in a folder, its scenario and its planner as the run's file says."""
    run = RunFolder(folder)
    scenario = load_scenario(run.file.scenario)
    return open_run(run, scenario, load_planner(run.file.planner, scenario))


async def play(folder: Path) -> bytes:
    async with opened(folder) as episode:
        await episode.run()
    return (folder / "trace.jsonl").read_bytes()


def start(folder: Path) -> Warm[bytes]:
    return Warm[bytes]((PLAYS, str(folder)), cwd=ROOT, stderr=subprocess.PIPE)


def kill_after(folder: Path, lines: int) -> bool:
    """Play a run in a process and kill it once the trace has so many lines; False: it was over."""
    process = start(folder)
    trace = folder / "trace.jsonl"
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if trace.exists() and trace.read_bytes().count(b"\n") >= lines:
            process.kill()
            break
        time.sleep(0.0005)
    _, said = process.communicate(timeout=60)
    assert process.returncode in (0, -9), said.decode()
    return process.returncode == -9


async def test_a_run_leaves_its_trace_and_measurements(new_run: Callable[[str], Path]) -> None:
    folder = new_run("run")
    await play(folder)
    trace = read_trace(folder / "trace.jsonl")
    assert trace.end
    assert len(list(trace.of(StepRecord))) == TIMESTEPS
    (session,) = json.loads((folder / "measurements.json").read_text())["sessions"]
    assert session["wall_seconds"] > 0
    assert len(session["planner_seconds"]) > 0


async def test_a_run_killed_many_times_ends_in_the_undisturbed_trace(
    new_run: Callable[[str], Path], undisturbed: bytes
) -> None:
    total = undisturbed.count(b"\n")
    chance = random.Random(11)
    kills = 0
    for number in range(2):
        folder = new_run(f"killed_{number}")
        for lines in sorted(chance.sample(range(1, total - 20), 3)):
            kills += kill_after(folder, lines)
        assert await play(folder) == undisturbed
    assert kills >= 4, "the kills came too late to test anything"


def rewind(folder: Path, back: int, *, finished_nodes: bool) -> None:
    """Leave a played run as if killed so many supersteps before its end, the last line torn.

    With `finished_nodes` the nodes of the superstep had finished and no checkpoint was made yet.
    """
    database = sqlite3.connect(folder / "checkpoints.sqlite")
    query = "select checkpoint_id from checkpoints order by checkpoint_id desc limit 1 offset ?"
    ((last,),) = database.execute(query, (back,)).fetchall()
    database.execute("delete from checkpoints where checkpoint_id > ?", (last,))
    comparison = ">" if finished_nodes else ">="
    database.execute(f"delete from writes where checkpoint_id {comparison} ?", (last,))
    database.commit()
    database.close()
    trace = folder / "trace.jsonl"
    trace.write_bytes(trace.read_bytes()[:-9])


@pytest.mark.parametrize("finished_nodes", [True, False])
async def test_a_run_goes_on_from_any_checkpoint(
    undisturbed_run: Path, undisturbed: bytes, tmp_path: Path, finished_nodes: bool
) -> None:
    database = sqlite3.connect(undisturbed_run / "checkpoints.sqlite")
    ((total,),) = database.execute("select count(*) from checkpoints").fetchall()
    database.close()
    for back in [*range(2, total, 34), 3, 4, 5, total - 3, total - 2, total - 1]:
        folder = tmp_path / f"back_{back}"
        shutil.copytree(undisturbed_run, folder)
        rewind(folder, back, finished_nodes=finished_nodes)
        assert await play(folder) == undisturbed, back


@pytest.mark.parametrize("finished_nodes", [True, False])
async def test_events_still_to_come_are_waited_for_after_a_resume(
    corridor: Callable[..., Episode], tmp_path: Path, finished_nodes: bool
) -> None:
    async def run() -> bytes:
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "checkpoints.sqlite")) as saver:
            events = [
                (at, {"kind": "bell", "name": name}) for at, name in ((0, "red"), (9, "blue"))
            ]
            path = tmp_path / "trace.jsonl"
            await corridor(EmbeddedPlanner(), *events, path=path, checkpointer=saver).run()
        return path.read_bytes()

    undisturbed = await run()
    for back in range(2, 20, 3):
        rewind(tmp_path, back, finished_nodes=finished_nodes)
        assert await run() == undisturbed, back


async def test_a_run_killed_before_its_first_checkpoint_starts_anew(
    new_run: Callable[[str], Path], undisturbed: bytes
) -> None:
    folder = new_run("early")
    (folder / "trace.jsonl").write_text('{"kind":"header","sch')
    assert await play(folder) == undisturbed


async def test_an_injected_event_survives_a_resume(new_run: Callable[[str], Path]) -> None:
    event = {"kind": "new_order", "order": "extra", "lines": [{"item": "Garden Salad"}]}

    async def play_injecting(folder: Path, leave_at: int) -> None:
        async with opened(folder) as episode:
            async for record in episode.stream():
                if isinstance(record, StepRecord) and record.timestep == 4:
                    episode.inject(event)
                if isinstance(record, StepRecord) and record.timestep == leave_at:
                    break

    undisturbed, broken = new_run("undisturbed"), new_run("broken")
    await play_injecting(undisturbed, leave_at=TIMESTEPS)
    await play_injecting(broken, leave_at=9)
    trace = await play(broken)
    assert trace == (undisturbed / "trace.jsonl").read_bytes()
    records = read_trace(broken / "trace.jsonl").of(EventRecord)
    assert sum(record.injected for record in records) == 1


async def test_a_run_can_be_played_by_one_process_only(new_run: Callable[[str], Path]) -> None:
    folder = new_run("run")
    async with opened(folder):
        process = start(folder)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b"this run is under way in another process" in said


async def test_what_is_no_run_is_said_in_one_line(
    new_run: Callable[[str], Path], tmp_path: Path, scenario: KitchenScenario, schedule: str
) -> None:
    folder = new_run("run")
    with pytest.raises(RunError, match="has a run already"):
        create_run(folder, run_file(scenario, schedule, 9))
    with pytest.raises(MissingError, match="there is no run here"):
        await play(tmp_path)
    (folder / "run.json").write_text("{}")
    with pytest.raises(CookMASError, match="no run's file"):
        await play(folder)


async def test_a_scenario_changed_since_is_refused(
    tmp_path: Path, scenario: KitchenScenario, schedule: str
) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(scenario.path.read_text())
    create_run(tmp_path / "run", run_file(load_scenario(str(path)), schedule, 5))
    path.write_text(scenario.path.read_text() + "seed: 5\n")
    with pytest.raises(RunError, match="has been changed since"):
        await play(tmp_path / "run")


async def test_a_trace_shorter_than_its_checkpoint_is_refused(
    new_run: Callable[[str], Path],
) -> None:
    folder = new_run("run")
    kill_after(folder, 60)
    trace = folder / "trace.jsonl"
    trace.write_bytes(b"".join(trace.read_bytes().splitlines(keepends=True)[:9]))
    with pytest.raises(CookMASError, match=r"has 9 lines, the checkpoint expects \d+"):
        await play(folder)


@pytest.mark.parametrize("damaged", ["", "[]", '{"one": {}}', '{"1": 2}'])
def test_damaged_meanings_are_told_in_one_line(tmp_path: Path, damaged: str) -> None:
    (tmp_path / MEANINGS).write_text(damaged)
    with pytest.raises(InputError, match=r"meanings.json: is damaged \(.*\)$"):
        meanings_of(tmp_path)
