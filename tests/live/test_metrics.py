"""What happens in an open episode is in its metrics, as a receiver reads them over HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from cookmas.api import aresume, create
from cookmas.client import AsyncClient
from cookmas.display.live.app import ShownRun, live_app
from cookmas.display.live.serve import LOOPBACK
from cookmas.episodes.conversation import Usage
from cookmas.episodes.trace import ModelCall, PlannerClass
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.replaying import judge_run

WORLD = "tests.worlds.laboratory.domain:DOMAIN"


def pipette(sample: str) -> list[dict[str, str]]:
    """Return the rows by which a robot works on a sample, and puts it into the rack."""
    return [{"robot_1": f"run({sample}, bench_1)"}, {"robot_1": f"take({sample})"}]


def call(number: int) -> ModelCall:
    return ModelCall(
        timestep=0,
        number=number,
        purpose="plan" if number == 1 else "repair",
        request="",
        model="m",
        messages=(),
        text="",
        finish_reason="stop",
        usage=Usage(prompt=70, completion=8),
    )


class Careless:
    """A planner of answers written beforehand, each of which waits until it may be given."""

    name = "careless"
    planner_class: PlannerClass = "fixed"

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.left = [
            Plan(
                schedule=[{"nobody": "wait"}],
                calls=[call(1), call(2)],
                measured=[CallMeasurements(seconds=0.1, cost=0.25)] * 2,
            ),
            Plan(schedule=[{"robot_1": "take(nothing)"}]),
            Plan(schedule=[*pipette("sample1"), {"tech_1": "report(sample1)"}]),
            Plan(schedule=[*pipette("sample2"), *[{"robot_1": "wait"}] * 9]),
        ]

    async def plan(self, observation: Observation[Any]) -> Plan:
        await self.may_answer.wait()
        return self.left.pop(0) if self.left else Plan(schedule=[{}])


async def read(folder: Path) -> dict[str, float]:
    """Return the values of the metrics without labels, read over HTTP."""
    app = live_app(ShownRun.of(folder, judge_run), LOOPBACK, "secret")
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 5))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8088") as client:
        text = (await client.get("/metrics")).text
    return {
        sample.name.removeprefix("cookmas_"): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if not sample.labels
    }


async def until(folder: Path, **expected: float) -> dict[str, float]:
    """Return the metrics as soon as they have these values."""
    for _ in range(600):
        found = await read(folder)
        if expected.items() <= found.items():
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(f"{found}, not {expected}")


async def test_each_metric_counts_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cookmas.display.live.metrics.FRESH", 0.0)
    folder = tmp_path / "run"
    create(folder, RunRequest(world=WORLD, scenario="open", planner="random", pace=0.0))
    planner = Careless()
    playing = asyncio.create_task(aresume(folder, planner=planner))
    async with AsyncClient(folder, world=WORLD) as sender:
        await sender.order("elisa", "60")
        found = await until(folder, goals_open=1, messages_taken_total=2)
        assert found["goals_reached_total"] == found["plans_total"] == 0
        assert found["up"] == 1
        planner.may_answer.set()
        found = await until(folder, goals_reached_total=1)
        assert (found["goals_open"], found["goals_missed_total"]) == (0, 0)
        assert found["plans_total"] == 3
        assert (found["plans_refused_total"], found["fails_total"]) == (1, 1)
        assert (found["model_calls_total"], found["model_repairs_total"]) == (2, 1)
        assert (found["model_tokens_in_total"], found["model_tokens_out_total"]) == (140, 16)
        assert found["model_money_total"] == 0.5
        await sender.order("elisa", "60")
        found = await until(folder, goals_missed_total=1)
        assert (found["goals_open"], found["goals_reached_total"]) == (0, 1)
        assert found["timestep"] > 10
        await sender.close()
    await playing
