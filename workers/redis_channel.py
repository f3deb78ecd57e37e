"""Remote workers over Redis: one stream of assignments and one stream of reports for each worker.

This line runs a user-supplied worker, whose class `MyWorker` has a method `act` as in
`cookmas.workers.protocol.Worker`:

    asyncio.run(work("redis://localhost", "corner", "worker_2", MyWorker()))
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from cookmas.episodes.failure import FailedError, boundary
from cookmas.files.errors import CookMASError, InputError
from cookmas.mailboxes.redis.keys import keys_of
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.workers.protocol import Assigned, Report, Worker
from cookmas.workers.remote import RemoteReport

SEAT = 5.0
"""Seconds after which another process may replace a dead worker process."""

_log = logging.getLogger(__name__)


class RedisChannel:
    """The orchestrator's end of the channel to one worker.

    `fence` is the fencing number of the orchestrator's lease; Redis rejects assignments under a
    lower number.
    """

    def __init__(self, link: RedisLink, episode: str, worker: str, fence: int = 1) -> None:
        self._link = link
        self._keys = keys_of(episode, f"work:{worker}", "episode")
        (self._reports,) = keys_of(episode, f"reports:{worker}")
        self._fence = fence
        self._seen: str | None = None

    async def assign(self, timestep: int, assignment: str) -> str:
        """Send an assignment that replaces the previous one. Return the ID of its stream entry."""
        await self._last_id()
        entry = await self._link.script("assign", self._keys, self._fence, timestep, assignment)
        return str(entry)

    async def ask(self) -> None:
        """Withdraw the assignment, and ask the worker to report that it is available."""
        await self._link.script("assign", self._keys, self._fence, "", "")

    async def reports(self, seconds: float) -> list[RemoteReport]:
        """Return the reports since the last call; if there is none, wait up to `seconds`."""
        entries = await self._link.wait(self._reports, await self._last_id(), seconds)
        for entry, _ in entries:
            self._seen = entry
        return [
            RemoteReport(
                assignment=fields.get("assignment", ""),
                action=fields.get("action") or None,
            )
            for _, fields in entries
        ]

    async def _last_id(self) -> str:
        if self._seen is None:
            self._seen = await self._link.newest(self._reports)
        return self._seen


async def work(
    url: str,
    episode: str,
    name: str,
    worker: Worker,
    tell: Callable[[str], None] | None = None,
) -> None:
    """Carry out the assignments of worker `name` in an episode, forever.

    If Redis does not answer, call `tell` with one line and wait until Redis answers. Carry out a
    repeated assignment only once. Raise InputError if another process acts for this worker,
    InfrastructureError if Redis rejects a command.
    """
    link = RedisLink(url, patience=math.inf, tell=tell)
    try:
        async with _seat(link, episode, name) as seated:
            carrying = asyncio.create_task(_carry_out(link, episode, name, worker))
            try:
                await asyncio.wait({carrying, seated}, return_when=asyncio.FIRST_COMPLETED)
                for task in (carrying, seated):
                    if task.done():
                        task.result()
            finally:
                carrying.cancel()
                await asyncio.gather(carrying, return_exceptions=True)
    finally:
        await link.close()


async def is_seated(link: RedisLink, episode: str, name: str) -> bool:
    """Return whether a process acts for a worker, or has done so within the last SEAT seconds."""
    (seat,) = keys_of(episode, f"seat:{name}")
    return bool(await link.run(lambda redis: redis.exists(seat)))


async def _carry_out(link: RedisLink, episode: str, name: str, worker: Worker) -> None:
    work_key, reports = keys_of(episode, f"work:{name}", f"reports:{name}")
    seen = await link.newest(work_key)
    last: tuple[str, str] | None = None
    action = ""
    await link.script("report", [reports], "", "")
    while True:
        entries = await link.wait(work_key, seen)
        if not entries:
            continue
        seen, fields = entries[-1]
        assigned = (fields["timestep"], fields["assignment"])
        if not assigned[0]:
            await link.script("report", [reports], "", "")
            continue
        if assigned != last:
            action = await _action(worker, int(assigned[0]), name, assigned[1])
            last = assigned
        await link.script("report", [reports], seen, action)


async def _action(worker: Worker, timestep: int, name: str, assignment: str) -> str:
    """Return the worker's action.

    Return an empty text, which becomes a FAIL, if the worker raises an error.
    """
    try:
        with boundary(worker.act, allowed=()):
            report = Report.of(await worker.act(timestep, name, Assigned(assignment)))
        return assignment if report.action is None else report.action
    except FailedError as error:
        _log.warning("%s did nothing at timestep %d: %s", name, timestep, error)
        _log.debug("why %s did nothing", name, exc_info=True)
        return ""


@asynccontextmanager
async def _seat(link: RedisLink, episode: str, name: str) -> AsyncIterator[asyncio.Task[None]]:
    """Reserve the seat of a worker for this process within the block.

    Yield a task that ends with InputError if another process takes the seat. Raise InputError if
    another process has the seat already.
    """
    (seat,) = keys_of(episode, f"seat:{name}")
    holder = uuid.uuid4().hex
    taken = InputError(name, "another process stands in for this worker")

    async def sit(seconds: float) -> bool:
        return bool(await link.script("seat", [seat], holder, int(1000 * seconds)) == holder)

    async def stay() -> None:
        while await sit(SEAT):
            await asyncio.sleep(SEAT / 4)
        raise taken

    for _ in range(10):
        if await sit(SEAT):
            break
        await asyncio.sleep(SEAT / 8)
    else:
        raise taken
    staying = asyncio.create_task(stay())
    try:
        yield staying
    finally:
        staying.cancel()
        await asyncio.gather(staying, return_exceptions=True)
        with contextlib.suppress(TimeoutError, CookMASError):
            async with asyncio.timeout(1):
                await sit(0)
