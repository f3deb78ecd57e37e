"""Processes that open a new database of checkpoints at the same time all open it."""

from __future__ import annotations

import asyncio
import multiprocessing
from multiprocessing.synchronize import Barrier
from pathlib import Path

from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints

FILES = 40
"""Number of databases. Where nothing waits for SQLite's lock, about one in thirty is not opened."""


async def open_once(path: Path) -> None:
    async with sqlite_checkpoints(path):
        pass


def open_all(folder: Path, together: Barrier) -> None:
    for number in range(FILES):
        together.wait(60)
        asyncio.run(open_once(folder / f"{number}.sqlite"))


def test_processes_open_a_new_database_together(tmp_path: Path) -> None:
    forking = multiprocessing.get_context("fork")
    together = forking.Barrier(3)
    opening = [forking.Process(target=open_all, args=(tmp_path, together)) for _ in range(3)]
    for each in opening:
        each.start()
    for each in opening:
        each.join(60)
        each.kill()
    assert [each.exitcode for each in opening] == [0, 0, 0]
