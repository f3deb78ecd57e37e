"""The wires of remote workers in a simulation, in memory behind the real interface.

A wire outlives the processes at its ends. Each access is the work of a thread and may fail, so that
a process can be killed or paused before and after it, and the way can be cut.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from cookmas.files.errors import FENCED, LeaseLostError
from cookmas.workers.remote import Entry, RemoteWorker, Stream, WireChannel
from tests.simulation.event_loop import SimulatedLoop

T = TypeVar("T")

DEADLINE = 4.0
"""Seconds that a remote worker has for a report."""

LOOK = 0.2
"""Seconds between two looks for an entry."""


@dataclass
class _Kept:
    """What a wire holds."""

    fence: int = 0
    count: int = 0
    streams: dict[str, list[Entry]] = field(default_factory=lambda: {"work": [], "reports": []})
    seat: tuple[str, float] = ("", 0.0)


class SimulatedWires:
    """The wires of all workers; `access` runs a function as an access to the storage."""

    def __init__(
        self, loop: SimulatedLoop, access: Callable[[Callable[[], Any]], Awaitable[Any]]
    ) -> None:
        self._loop = loop
        self._access = access
        self._kept: dict[str, _Kept] = {}

    def wire(self, worker: str) -> SimulatedWire:
        """Return an end of the wire of a worker."""
        kept = self._kept.setdefault(worker, _Kept())
        return SimulatedWire(self._loop, self._access, kept)

    @asynccontextmanager
    async def open_remote(self, run: Any, fence: int) -> AsyncIterator[Mapping[str, RemoteWorker]]:
        """Yield the remote workers for an orchestrator with a fencing number."""
        yield {
            name: RemoteWorker(WireChannel(self.wire(name), fence), DEADLINE) for name in self._kept
        }


class SimulatedWire:
    """An end of the wire between an orchestrator and a worker."""

    def __init__(
        self,
        loop: SimulatedLoop,
        access: Callable[[Callable[[], Any]], Awaitable[Any]],
        kept: _Kept,
    ) -> None:
        self._loop = loop
        self._access = access
        self._kept = kept

    async def assign(self, fence: int, fields: Mapping[str, str]) -> str:
        def assign() -> str:
            if fence < self._kept.fence:
                raise LeaseLostError(FENCED)
            self._kept.fence = fence
            self._kept.streams["work"].clear()
            return self._add("work", fields)

        assigned: str = await self._access(assign)
        return assigned

    async def report(self, fields: Mapping[str, str]) -> None:
        await self._access(lambda: self._add("reports", fields))

    def _add(self, stream: Stream, fields: Mapping[str, str]) -> str:
        self._kept.count += 1
        self._kept.streams[stream].append((str(self._kept.count), dict(fields)))
        return str(self._kept.count)

    async def newest(self, stream: Stream) -> str:
        entries = self._kept.streams[stream]
        newest: str = await self._access(lambda: entries[-1][0] if entries else "0")
        return newest

    async def wait(self, stream: Stream, seen: str, seconds: float) -> list[Entry]:
        until = self._loop.time() + seconds
        while True:
            found: list[Entry] = await self._access(
                lambda: [each for each in self._kept.streams[stream] if int(each[0]) > int(seen)]
            )
            if found or self._loop.time() >= until:
                return found
            await asyncio.sleep(LOOK)

    async def sit(self, holder: str, seconds: float) -> bool:
        def sit() -> bool:
            now = self._loop.time()
            if self._kept.seat[0] == holder or self._kept.seat[1] <= now:
                self._kept.seat = (holder, now + seconds)
            return self._kept.seat[0] == holder

        sat: bool = await self._access(sit)
        return sat

    async def is_seated(self) -> bool:
        return self._kept.seat[1] > self._loop.time()

    async def close(self) -> None:
        """Do nothing: nothing is open."""
