"""Whose an order is: its sender and the house change it, and nobody else."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.api import aresume, create
from cookmas.client import AsyncClient, Client
from cookmas.episodes.trace import EventRecord
from cookmas.forking import afork
from cookmas.mailboxes.sqlite.file import HOUSE_TOKEN
from cookmas.orchestrator.runs.request import RunRequest
from tests.live.conftest import open_small

pytestmark = pytest.mark.usefixtures("least_effort")

SECRET = "anna's own secret"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return open_small(tmp_path / "run")


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[None]:
    task = asyncio.create_task(aresume(folder))
    yield
    house = AsyncClient(folder, None)
    await house.close()
    run = await task
    assert run.trace.end
    assert run.trace.end.termination == "closed"


async def why(answer: Any) -> str | None:
    found = await answer
    assert found
    return str(found.why) if found.status == "refused" else None


async def test_an_order_is_changed_by_its_sender_and_the_house_alone(
    folder: Path, tmp_path: Path
) -> None:
    anna, bert = AsyncClient(folder, "anna"), AsyncClient(folder, "bert")
    house = AsyncClient(folder, None)
    other = "order live1 is another sender's"
    async with playing(folder):
        await anna.order("3 Roast Chicken Dinner")
        typed = {"kind": "change_line", "line": "live1.1", "note": "no peas"}
        for refused in (
            bert.cancel("live1"),
            bert.cancel("live1.2"),
            bert.change("live1.1", "no peas"),
            bert.add("live1", "1 Garden Salad"),
            bert.send(typed),
        ):
            assert await why(refused) == other
        instruction = "an instruction is the house's alone"
        assert await why(bert.instruct("Burn everything.")) == instruction
        assert await why(bert.cancel("live2")) == "there is no order live2"
        assert await why(bert.cancel("live99")) == "there is no order live99"
        assert await why(anna.change("live1.1", "no peas")) is None
        assert await why(anna.cancel("live1.2")) is None
        assert await why(house.cancel("live1.3")) is None
        assert await why(house.instruct("Salad first.")) is None
    trace = cookmas.read_trace(folder / "trace.jsonl")
    events = list(trace.of(EventRecord))
    refused_ones = [event for event in events if event.refused == other]
    assert {event.sender for event in refused_ones} == {"bert"}
    assert refused_ones[-1].event == {"kind": "unauthorized", "event": typed}
    assert all(frame.equal for frame in cookmas.replay(trace))
    forked = tmp_path / "fork"
    fork = await afork(folder, 0, folder=forked)
    again = list(fork.trace.of(EventRecord))
    assert [event.refused is None for event in again] == [event.refused is None for event in events]
    token = (folder / HOUSE_TOKEN).read_text().strip().encode()
    for file in (*folder.iterdir(), *forked.iterdir()):
        if file.is_file() and file.name != HOUSE_TOKEN:
            assert token not in file.read_bytes(), file


async def test_what_was_refused_stays_refused_over_a_kill(folder: Path) -> None:
    anna, bert = AsyncClient(folder, "anna"), AsyncClient(folder, "bert", patience=0)
    task = asyncio.create_task(aresume(folder))
    await anna.order("1 Roast Chicken Dinner")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await bert.cancel("live1", id="mine")
    async with playing(folder):
        answering = AsyncClient(folder, "bert").cancel("live1", id="mine")
        assert await why(answering) == "order live1 is another sender's"


async def test_a_token_binds_a_name_and_is_kept_nowhere(folder: Path) -> None:
    async with playing(folder):
        anna = AsyncClient(folder, "anna", token=SECRET)
        assert await why(anna.order("1 Garden Salad")) is None
        for token in (None, "a guess"):
            answer = await why(AsyncClient(folder, "anna", token=token).cancel("live1"))
            assert answer == "this sender name belongs to its first user, who has another token"
        assert await why(AsyncClient(folder, "house", token="a guess").cancel("live1")) is None
        (folder / HOUSE_TOKEN).unlink()
        assert await why(AsyncClient(folder, "house").cancel("live1"))
    for file in folder.iterdir():
        if file.is_file():
            assert SECRET.encode() not in file.read_bytes(), file


def test_the_token_of_the_house_is_its_owners_alone(folder: Path) -> None:
    assert stat.S_IMODE((folder / HOUSE_TOKEN).stat().st_mode) == 0o600


async def test_a_kitchen_that_got_nothing_that_can_be_read_sleeps_and_closes(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "mailbox.sqlite")) as database, database:
        rows = [("eve", None, "x"), (None, None, "x"), ("eve", "1", b"\xff")]
        query = "INSERT INTO messages (sender, id, kind, event) VALUES (?, ?, ?, '{')"
        database.executemany(query, rows)
    async with playing(folder):
        client = AsyncClient(folder, None)
        async with asyncio.timeout(60):
            while not (status := await client.status()) or not status["asleep"]:
                await asyncio.sleep(0.02)
        assert await client.count_quarantined() == 3


def test_a_scenarios_orders_are_the_houses(tmp_path: Path) -> None:
    create(tmp_path / "run", RunRequest(scenario="level1/03", planner="embedded", pace=0.0))

    async def play() -> str | None:
        async with playing(tmp_path / "run"):
            guest = AsyncClient(tmp_path / "run", "anna")
            order = next(iter(cookmas.load_scenario("level1/03").events()))[1]["order"]
            return await why(guest.cancel(order))

    assert "another sender's" in str(asyncio.run(play()))


def test_whoever_may_not_read_the_token_of_the_house_speaks_for_itself(folder: Path) -> None:
    with Client(folder, None, patience=0) as house:
        house.order("1 Garden Salad")
    (folder / HOUSE_TOKEN).unlink()
    with Client(folder, None, patience=0) as user:
        user.order("1 Garden Salad")
    with closing(sqlite3.connect(folder / "mailbox.sqlite")) as database:
        found = [name for (name,) in database.execute("SELECT sender FROM messages ORDER BY place")]
    assert found[0] == "house"
    assert found[1] != "house"
