"""The walks through the rooms: each step is there, and an episode passes them in their order.

The walk of a model's answer is passed where there is an endpoint
(`tests/orchestrator/planners/test_over_the_wire.py`).
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cookmas.api import aresume, create
from cookmas.client import AsyncClient
from cookmas.orchestrator.runs.request import RunRequest
from tests.docs.walking import FILES, PAGE, WALKS, Step, assert_walked, passing

STEPS = [step for walk in WALKS.values() for step in walk]


def test_an_order_a_schedule_and_an_answer_are_walked() -> None:
    assert list(WALKS) == ["order", "schedule", "model's answer"]
    assert all(len(walk) >= 10 for walk in WALKS.values())


MOST = {"schedule": 9, "model's answer": 15}
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

    with passing(["order", "schedule"]) as passed:
        asyncio.run(order())
    assert_walked("order", passed)
    assert_walked("schedule", passed)
