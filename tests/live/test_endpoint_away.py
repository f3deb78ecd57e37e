"""The endpoint of a model goes away and comes back: open episodes and sweeps live through it."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.client import Client
from cookmas.episodes.trace import ModelCall, PlanRecord, Trace
from cookmas.files.errors import InputError
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.status import Status, status_of
from cookmas.studies.bench.ledger import Ledger
from cookmas.studies.bench.limits import SweepLimits
from tests.live.conftest import FAULTS, OpenRun, open_small, verify_trace
from tests.modelserver.conftest import FORKING
from tests.ports import reserved_port
from tests.warm import COOKMAS, QUICKLY, ROOT, Warm, hurried

PAUSES = (
    {
        "cookmas.orchestrator.models.patience:SHORTEST_PAUSE": 0.1,
        "cookmas.orchestrator.models.patience:LOOK_SECONDS": 0.1,
        "cookmas.studies.bench.sweep:LOOK_SECONDS": 0.1,
    }
    if FAULTS == 1
    else {}
)
"""The pauses until an endpoint that is away is asked again: in the tests shorter."""

BENCH = hurried(
    f"""
from cookmas.orchestrator.models import openai_model
if {FAULTS} == 1:
    openai_model._backoff = lambda state: 0.02
{COOKMAS}
""",
    PAUSES,
)
"""Code of `cookmas bench`, in the tests with short pauses between the attempts of a call."""

PLAN = hurried(QUICKLY, PAUSES)


class Endpoint:
    """A port of this machine at which a model server can be started."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._server: Warm[str] | None = None

    def start(self) -> None:
        self._server = Warm[str](
            (FORKING, "model-server", "--port", str(self.port)),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._server.stdout
        assert self._server.stdout.readline().strip() == self.url

    def stop(self) -> None:
        if self._server is not None:
            self._server.terminate()
            self._server.communicate()
        self._server = None


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with reserved_port() as port:
        endpoint = Endpoint(port)
        yield endpoint
        endpoint.stop()


Opening = Callable[..., OpenRun]


@pytest.fixture
def opening(tmp_path: Path, endpoint: Endpoint) -> Iterator[Opening]:
    """Yield a function that opens a kitchen whose planner asks a model at the endpoint."""
    with ExitStack() as opened:

        def begin(**more: Any) -> OpenRun:
            model = ModelOptions(model="scripted", base_url=endpoint.url, deadline=0.5)
            run = OpenRun(open_small(tmp_path / "run", "llm", model=model, **more))
            opened.callback(run.stop)
            return run

        yield begin


def until(run: OpenRun, holds: Callable[[Status], bool]) -> Status:
    """Return the first status for which something holds."""
    end = time.monotonic() + 120
    while not holds(found := asyncio.run(status_of(run.folder))):
        assert time.monotonic() < end, found
        time.sleep(0.05)
    return found


def until_served(run: OpenRun, count: int) -> Status:
    return until(run, lambda found: found.reached == count)


def order(run: OpenRun, item: str) -> None:
    with Client(run.where) as kitchen:
        answer = kitchen.order(item)
    assert answer is not None
    assert answer.status == "taken"


def who_planned(trace: Trace) -> list[str]:
    """Return who wrote each plan that was used: the `fallback` or the `model`."""
    return ["fallback" if plan.by else "model" for plan in trace.of(PlanRecord)]


def test_a_fallback_plans_while_the_endpoint_is_away_even_after_a_kill(
    endpoint: Endpoint, opening: Opening
) -> None:
    run = opening(fallback="embedded")
    playing = run.play(PLAN)
    order(run, "Garden Salad")
    away = until(run, lambda found: found.reached == 1)
    assert endpoint.url in (away.outage or "")
    assert away.alive
    playing.kill()
    playing.wait()
    with Client(run.where, patience=0) as kitchen:
        kitchen.send({"kind": "new_order", "words": "Buttered Toast"})
    run.play(PLAN)
    until(run, lambda found: found.reached == 2)
    endpoint.start()
    served, end = 2, time.monotonic() + 120
    while until_served(run, served).outage is not None:
        assert time.monotonic() < end, "the model is not asked again"
        order(run, "Garden Salad")
        served += 1
    run.finish()
    trace = cookmas.read_trace(run.folder / "trace.jsonl")
    verify_trace(run)
    assert who_planned(trace)[:2] == ["fallback", "fallback"]
    assert who_planned(trace)[-1] == "model"
    assert trace.planner_class == "mixed"
    assert {plan.by_class for plan in trace.of(PlanRecord) if plan.by} == {"embedded"}


def test_an_episode_without_a_fallback_takes_messages_until_the_endpoint_is_back(
    endpoint: Endpoint, opening: Opening
) -> None:
    endpoint.start()
    run = opening()
    playing = run.play(PLAN)
    order(run, "Garden Salad")
    until(run, lambda found: found.reached == 1)
    endpoint.stop()
    order(run, "Buttered Toast")
    away = until(run, lambda found: found.state == "outage")
    assert endpoint.url in (away.outage or "")
    order(run, "Garden Salad")
    assert until(run, lambda found: found.taken == 3).outage
    playing.kill()
    playing.wait()
    run.play(PLAN)
    assert until(run, lambda found: found.state == "outage").taken == 3
    endpoint.start()
    until(run, lambda found: found.reached == 3 and found.outage is None)
    run.finish()
    trace = cookmas.read_trace(run.folder / "trace.jsonl")
    verify_trace(run)
    assert set(who_planned(trace)) == {"model"}
    assert trace.planner_class == "pure"


def test_a_fallback_calls_no_model(opening: Opening) -> None:
    opening(fallback="naive")
    with pytest.raises(InputError, match="expected a planner that calls no model"):
        opening(fallback="llm")


SUITE = """
title: Two corridors
world: corridor
scenarios: [halves, two]
repeats: {repeats}
arms:
  - {{planner: llm, asking: {{per_step: 'true'}}, model: {{model: scripted, base_url: "{url}"}}}}
"""


@pytest.mark.parametrize("jobs", [1, 2] if FAULTS > 1 else [1])
def test_an_outage_pauses_a_sweep_and_does_not_end_it(
    jobs: int, endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COOKMAS_API_KEY", "sk-marker-0u7age")
    episodes, seconds = (100, 120.0) if FAULTS > 1 else (16, 0.5)
    suite, folder = tmp_path / "away.yaml", tmp_path / "sweep"
    suite.write_text(SUITE.format(url=endpoint.url, repeats=episodes // 2))
    endpoint.start()
    bench = ["bench", suite, "--folder", folder, "--jobs", jobs, "--at-a-time", episodes // 2]
    playing = Warm[str](
        (BENCH, *map(str, bench)),
        cwd=ROOT,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    try:
        ledger = Ledger(folder / "spent.json", SweepLimits())
        while not folder.exists() or ledger.spent.calls < episodes // 8:
            assert playing.poll() is None, playing.stderr and playing.stderr.read()
            time.sleep(0.02)
        endpoint.stop()
        while not any(each.since for each in ledger.spent.reached.values()):
            assert playing.poll() is None, playing.stderr and playing.stderr.read()
            time.sleep(0.02)
        time.sleep(seconds)
        assert playing.poll() is None
        paid = ledger.spent.calls
        endpoint.start()
        _, said = playing.communicate(timeout=600)
    finally:
        playing.kill()
    assert playing.returncode == 0, said
    assert f"{endpoint.url} is away since " in said
    assert f" of {episodes} episodes are played, those that ask it wait" in said
    assert f"{endpoint.url} is back" in said
    assert "not played" not in said
    told = [line for line in said.splitlines() if "episodes, " not in line and "left" not in line]
    assert len(told) <= 10, said
    calls = sum(
        len(list(cookmas.read_trace(path).of(ModelCall)))
        for path in (folder / "traces").glob("*.jsonl")
    )
    assert paid < calls == ledger.spent.calls
