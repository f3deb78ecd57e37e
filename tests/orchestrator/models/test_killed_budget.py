"""The budget of a seat, over a kill: what reaches the model, not what the trace records."""

from __future__ import annotations

import asyncio
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from cookmas import read_trace
from cookmas.api import create
from cookmas.episodes.trace import ModelCall
from cookmas.modelserver import wire
from cookmas.modelserver.answers import Scripted
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.scripts import Scripts
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.world_names import WORLDS
from tests.orchestrator.models.endpoint import Server
from tests.warm import COOKMAS, ROOT, Warm

if TYPE_CHECKING:
    from tests.orchestrator.models.endpoint import Exchange

BUDGET = 4
"""Calls that the seat may make."""

ANSWERED = 2
"""Calls of the seat that are answered before the kill, which strikes during the next one."""


def resumed(folder: Path) -> Warm[bytes]:
    line = (COOKMAS, "resume", str(folder), "--quiet")
    return Warm[bytes](line, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


async def test_a_killed_seat_asks_its_model_no_more_than_its_budget_and_what_was_lost(
    server: Server, tmp_path: Path
) -> None:
    asked, struck = 0, asyncio.Event()

    async def answer(exchange: Exchange) -> None:
        nonlocal asked
        asked += 1
        if asked == ANSWERED + 1:
            struck.set()
            await exchange.reader.read()
            return
        body = exchange.body
        await exchange.send(200, await scripted.answer(body, wire.request_digest(body)))

    seat = ModelOptions(model="m", base_url=server.url, budget_calls=BUDGET)
    request = RunRequest(
        scenario="corridor/halves",
        planner="walker_1=team,walker_2=llm",
        model=ModelOptions(seats={"walker_2": seat}),
        asking=AskingOptions(per_step=True),
    )
    folder = create(tmp_path / "run", request)
    server.default = answer
    with ThreadPoolExecutor(1) as pool:
        scripted = Scripted(Scripts(WORLDS), Faults(), pool)
        killed = resumed(folder)
        await asyncio.wait_for(struck.wait(), 120)
        killed.kill()
        await asyncio.to_thread(killed.communicate, timeout=60)
        _, said = await asyncio.to_thread(resumed(folder).communicate, timeout=120)
    trace = read_trace(folder / "trace.jsonl")
    assert trace.end, said.decode()
    assert trace.end.termination == "budget"
    assert len([call for call in trace.of(ModelCall) if call.agent == "walker_2"]) == BUDGET
    assert asked == BUDGET + 1, "the call that was under way at the kill was made twice"
