"""Workers elsewhere, for tests: a robot, and how a process with one is started and waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from cookmas.workers.carrying_out import work
from cookmas.workers.protocol import (
    Worker,
)
from cookmas.workers.remote import RemoteWorker
from cookmas.workers.wires import wire_at


class Robot:
    """Does what it is assigned, unless it is told to do something else or nothing."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.instead: str | None = None
        self.works = asyncio.Event()
        self.works.set()

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        await self.works.wait()
        self.done.append(assignment)
        return self.instead or assignment


Where = str | Path
"""Where an episode is: the address in Redis, or the folder of its run."""

Remote = Callable[..., RemoteWorker]
"""A function that makes an orchestrator's end of a wire."""


async def wait_for_report(where: Where, worker: str, seen: str = "0") -> None:
    """Wait until a worker says that it is there, after the report with the id `seen`."""
    wire = wire_at(where, worker, 60)
    while not await wire.wait("reports", seen, 2):
        pass
    await wire.close()


@asynccontextmanager
async def working(where: Where, worker: Worker, name: str = "worker_2") -> AsyncIterator[None]:
    wire = wire_at(where, name, 60)
    seen = await wire.newest("reports")
    await wire.close()
    task = asyncio.create_task(work(where, name, worker))
    await wait_for_report(where, name, seen)
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
