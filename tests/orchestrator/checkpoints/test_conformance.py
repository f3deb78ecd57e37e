"""Our checkpointers pass LangGraph's own conformance suite, with every capability of it."""

from __future__ import annotations

import importlib
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import Capability

from cookmas.files.errors import LeaseLostError
from cookmas.orchestrator.checkpoints.postgres import postgres_checkpoints
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.checkpoints.statements import POSTGRES, SQLITE


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    server = importlib.import_module("tests.live.postgres").Postgres()
    yield server.url
    server.stop()


async def check(opened: Any) -> None:
    report = await validate(checkpointer_test(name="ours")(opened))
    failed = {name: each.failures for name, each in report.results.items() if not each.passed}
    assert not failed
    assert set(report.results) == {each.value for each in Capability}


async def test_sqlite_conforms(tmp_path: Path) -> None:
    async def opened() -> AsyncIterator[Any]:
        async with sqlite_checkpoints(tmp_path / f"{uuid.uuid4()}.sqlite") as saver:
            yield saver

    await check(opened)


async def test_postgres_conforms(postgres_url: str) -> None:
    async def opened() -> AsyncIterator[Any]:
        async with postgres_checkpoints(postgres_url, uuid.uuid4().hex) as saver:
            yield saver

    await check(opened)


@pytest.mark.parametrize("strategy", ["all", "keep-latest", ""])
async def test_an_unknown_strategy_deletes_nothing(tmp_path: Path, strategy: str) -> None:
    async with sqlite_checkpoints(tmp_path / "c.sqlite") as saver:
        with pytest.raises(ValueError, match="keep_latest"):
            await saver.aprune(["episode"], strategy=strategy)


async def test_a_process_that_lost_the_lease_prunes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    async with sqlite_checkpoints(path) as old, sqlite_checkpoints(path) as new:
        await old.mint(0)
        config: Any = {"configurable": {"thread_id": "episode", "checkpoint_ns": ""}}
        checkpoint: Any = {"id": "1", "ts": "", "v": 4, "channel_values": {}}
        checkpoint |= {"channel_versions": {}, "versions_seen": {}}
        await old.aput(config, checkpoint, {"step": 0}, {})
        await new.mint(1)
        with pytest.raises(LeaseLostError):
            await old.aprune(["episode"], strategy="delete")
        assert await new.find_last("episode", "") == "1"


def test_both_databases_have_each_statement() -> None:
    assert all(map(all, (SQLITE, POSTGRES)))
