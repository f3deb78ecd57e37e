"""The walks through the rooms: each step is there, and an episode passes them in their order.

The walk of a model's answer is passed where there is an endpoint
(`tests/orchestrator/planners/test_over_the_wire.py`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import cookmas
from cookmas.api import aresume, create
from cookmas.client import AsyncClient
from cookmas.mailboxes.protocol import Envelope, Letter
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.workers.carrying_out import work
from cookmas.workers.protocol import Assigned, Report
from tests.docs.walking import FILES, PAGE, WALKS, Step, assert_walked, passing

PACKAGE = Path(cookmas.__file__).parent
STEPS = [step for walk in WALKS.values() for step in walk]


def test_what_is_walked() -> None:
    assert list(WALKS) == [
        "order",
        "schedule",
        "model's answer",
        "resume after a kill",
        "remote worker's report",
    ]
    assert all(len(walk) >= 10 for walk in WALKS.values())


EACH_WORLD = {"worlds", "solving"}
"""The rooms with a folder for each world, which the map does not name."""


def test_the_map_has_every_room() -> None:
    page = PAGE.read_text(encoding="utf-8").partition("## The rooms\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([\w/]+)`", "".join(re.findall(r"^\| .+?(?= \| )", page, re.M))))
    inside = (file.parent.relative_to(PACKAGE) for file in PACKAGE.rglob("__init__.py"))
    rooms = {room.as_posix() for room in inside if room.parts and room.parts[0] not in EACH_WORLD}
    top = {folder.name for folder in PACKAGE.iterdir() if folder.is_symlink()}
    for room in top:
        files = (PACKAGE / room).rglob("__init__.py")
        rooms |= {file.parent.relative_to(PACKAGE).as_posix() for file in files}
    assert named == rooms - {"studies"} | EACH_WORLD


MOST = {
    "order": 14,
    "schedule": 8,
    "model's answer": 15,
    "resume after a kill": 14,
    "remote worker's report": 9,
}
"""The greatest number of files that a thing may enter on its way."""


@pytest.mark.parametrize("walk", MOST)
def test_the_files_of_a_walk_are_counted(walk: str) -> None:
    files = FILES[walk]
    assert files.total == len(files.paths) == len({*files.paths}) <= MOST[walk]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_is_where_the_page_says(step: Step) -> None:
    file = (PAGE.parent / step.file).resolve()
    assert Path(step.code().co_filename).resolve() == file


@pytest.mark.usefixtures("least_effort")
def test_an_order_and_its_schedule_pass_every_step(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    request = RunRequest(
        scenario="open", planner="embedded", pace=0.0, settings={"kitchen": "small"}
    )
    create(folder, request)

    async def order() -> None:
        playing = asyncio.create_task(aresume(folder))
        kitchen = AsyncClient(folder, "anna", patience=60)
        async with asyncio.timeout(60):
            while not (await kitchen.status() or {}).get("asleep"):
                await asyncio.sleep(0.02)
        answer = await kitchen.order("1 Garden Salad")
        assert answer
        assert answer.status == "taken"
        await kitchen.close()
        await playing

    with passing(["order", "schedule"], carried=(Envelope, Letter)) as passed:
        asyncio.run(order())
    assert_walked("order", passed)
    assert_walked("schedule", passed._replace(carriers=set()))


async def play_until(folder: Path, done: Callable[[str], bool]) -> None:
    """Play a run until its trace is as told; then stop in the midst of it."""
    playing = asyncio.create_task(aresume(folder))
    trace = folder / "trace.jsonl"
    async with asyncio.timeout(60):
        while not (trace.exists() and done(trace.read_text())):
            assert not playing.done()
            await asyncio.sleep(0.001)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


def test_a_resume_passes_every_step(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    create(folder, RunRequest(scenario="level1/01", planner="naive"))
    asyncio.run(play_until(folder, lambda trace: trace.count('"step"') >= 3))
    with passing(["resume after a kill"]) as passed:
        asyncio.run(aresume(folder))
    assert_walked("resume after a kill", passed)


class Walker:
    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        return Report.done(result={"steps": 1})


def test_a_report_of_a_remote_worker_passes_every_step(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    create(folder, RunRequest(scenario="corridor/one", pace=0.0, remote=("walker_1",)))

    async def report() -> None:
        walking = asyncio.create_task(work(folder, "walker_1", Walker()))
        await play_until(folder, lambda trace: '"steps":1' in trace)
        walking.cancel()
        await asyncio.gather(walking, return_exceptions=True)

    with passing(["remote worker's report"], carried=(Report,)) as passed:
        asyncio.run(report())
    assert_walked("remote worker's report", passed)
