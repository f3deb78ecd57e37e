"""A run that an outage has ended goes on from before the failed call, and pays nothing twice."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cookmas.api import aplay, aresume
from cookmas.commands.cli import app
from cookmas.episodes.sessions import read_sessions
from cookmas.modelserver import wire
from cookmas.modelserver.answers import Scripted
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.scripts import Scripts
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.runs.folder import MEASUREMENTS, TRACE, RunFolder
from cookmas.world_names import WORLDS
from tests.orchestrator.models.endpoint import Server, fails

KEY = "sk-marker-0u7age"

ENDING = {"connection": "close"}
"""No connection outlives its answer, so that none is left when the test ends."""

CENTRAL = ("corridor/two", "llm", AskingOptions(per_step=True))
TEAM = ("corridor/halves", "llm-team", None)


@pytest.fixture
def speaks() -> Any:
    """The behaviour of an endpoint that answers as the scripted model."""
    scripted = Scripted(Scripts(WORLDS), Faults(), ThreadPoolExecutor(max_workers=1))

    async def behave(exchange: Any) -> None:
        body = exchange.body
        answer = await scripted.answer(body, wire.request_digest(body))
        await exchange.send(200, answer, ENDING)

    return behave


@pytest.mark.parametrize(
    ("place", "scenario", "planner", "asking"),
    [
        ("first", *CENTRAL),
        ("middle", *TEAM),
        ("last", *CENTRAL),
        pytest.param("middle", *CENTRAL, marks=pytest.mark.conformance),
        pytest.param("first", *TEAM, marks=pytest.mark.conformance),
        pytest.param("last", *TEAM, marks=pytest.mark.conformance),
    ],
)
async def test_a_resumed_run_asks_again_only_what_failed(
    place: str,
    scenario: str,
    planner: str,
    asking: AskingOptions | None,
    server: Server,
    speaks: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COOKMAS_API_KEY", KEY)
    server.default = speaks
    model = ModelOptions(model="stub", base_url=server.url)
    said: Any = {} if asking is None else {"asking": asking}
    whole = await aplay(scenario, planner, tmp_path / "whole", model=model, **said)
    calls = len(server.seen)
    assert calls > 2
    answered = {"first": 0, "middle": calls // 2, "last": calls - 1}[place]
    server.script = [speaks] * answered + [
        fails(401, headers=ENDING),
        fails(401, headers=ENDING),
    ]
    folder = tmp_path / "broken"
    broken = await aplay(scenario, planner, folder, model=model, **said)
    assert broken.trace.interrupted
    assert broken.success is None
    assert not RunFolder(folder).over
    again = await aresume(folder)
    assert again.trace.interrupted
    done = await aresume(folder)
    assert len(server.seen) == calls + answered + 2 + (calls - answered)
    assert done.success == whole.success
    assert (folder / TRACE).read_bytes() == (tmp_path / "whole" / TRACE).read_bytes()
    measured = [len(each["model_calls"]) for each in read_sessions(folder / MEASUREMENTS)]
    assert sum(measured) == calls
    assert RunFolder(folder).over
    await aresume(folder)
    assert len(server.seen) == 2 * calls + 2
    await server.left()


async def test_the_verdict_names_the_command_that_goes_on(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COOKMAS_API_KEY", KEY)
    server.default = fails(401, headers=ENDING)
    model = ModelOptions(model="stub", base_url=server.url)
    await aplay("corridor/two", "llm", tmp_path / "run", model=model)
    server.default = fails(403, headers=ENDING)
    seen = await asyncio.to_thread(CliRunner().invoke, app, ["resume", str(tmp_path / "run")])
    assert seen.exit_code == 1
    assert "this run is over" not in seen.output
    assert f"resume {tmp_path / 'run'}' goes on from before the failed call" in seen.output.replace(
        "\n", ""
    )
    await server.left()
