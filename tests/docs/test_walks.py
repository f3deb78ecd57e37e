"""The walks through the rooms: each step is there, and an episode passes them in their order."""

from __future__ import annotations

import asyncio
import inspect
import pkgutil
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

import cookmas
from cookmas.api import aresume, create
from cookmas.client import AsyncClient
from orchestrator.dialogue.options import AskingOptions
from orchestrator.models.options import ModelOptions
from tests.modelserver.conftest import Server

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "architecture.md"


class Step(NamedTuple):
    name: str
    file: str

    def code(self) -> CodeType:
        found: Any = inspect.unwrap(pkgutil.resolve_name(self.name))
        assert isinstance(found.__code__, CodeType)
        return found.__code__


def _walks() -> dict[str, list[Step]]:
    page = PAGE.read_text(encoding="utf-8")
    walks = re.findall(
        r"^## The walk of (?:an?) (.+?)\n(.*?)(?=^## )", page, re.DOTALL | re.MULTILINE
    )
    links = r"\[`([\w.]+)`\]\(([^)]+\.py)\)"
    return {name: [Step(*found) for found in re.findall(links, text)] for name, text in walks}


WALKS = _walks()
STEPS = [step for walk in WALKS.values() for step in walk]


def test_an_order_a_schedule_and_an_answer_are_walked() -> None:
    assert list(WALKS) == ["order", "schedule", "model's answer"]
    assert all(len(walk) >= 10 for walk in WALKS.values())


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_is_where_the_page_says(step: Step) -> None:
    file = (PAGE.parent / step.file).resolve()
    assert Path(step.code().co_filename).resolve() == file


@contextmanager
def passing(walks: Sequence[str]) -> Iterator[list[str]]:
    """Note which steps of walks are passed, in all threads that begin now."""
    steps = {step.code(): step.name for name in walks for step in WALKS[name]}
    passed: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in steps:
            passed.append(steps[frame.f_code])

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield passed
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


def assert_walked(walk: str, passed: Sequence[str]) -> None:
    rest = iter(passed)
    for step in WALKS[walk]:
        assert step.name in rest, f"the walk of the {walk} does not pass {step.name} there"


@pytest.mark.usefixtures("least_effort")
def test_an_order_and_its_schedule_pass_every_step(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    create(folder, "open", "embedded", pace=0.0, settings={"kitchen": "small"})

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


def test_a_models_answer_passes_every_step() -> None:
    pytest.importorskip("uvicorn")
    server = Server("--seed", "1")
    try:
        model = ModelOptions(model="scripted", base_url=server.url)
        with passing(["model's answer"]) as passed:
            cookmas.play("level1/01", "llm", model=model, asking=AskingOptions(look_ahead=1))
    finally:
        server.stop()
    assert_walked("model's answer", passed)
