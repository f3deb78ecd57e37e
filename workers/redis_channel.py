"""Remote workers over Redis: one stream of assignments and one stream of reports for each worker.

This line runs a user-supplied worker, whose class `MyWorker` has a method `act` as in
`cookmas.workers.protocol.Worker`:

    asyncio.run(work("redis://localhost", "corner", "worker_2", MyWorker()))
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

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
        facts = json.dumps(assignment.data()) if isinstance(assignment, Assigned) else ""
        arguments = (self._fence, timestep, str(assignment), facts)
        entry = await self._link.script("assign", self._keys, *arguments)
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
                said=fields.get("report", ""),
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
    """Carry out assignments one by one.

    Work that may outlast its timestep stops if it is withdrawn, and reports that it runs, so that
    the worker is not missed. Other work is carried out to its end before the next one.
    """
    work_key, reports = keys_of(episode, f"work:{name}", f"reports:{name}")
    seen = await link.newest(work_key)
    last: Assigned | None = None
    acting: asyncio.Task[Report] | None = None

    async def say(entry: str = "", report: Report | None = None) -> None:
        action = last if report and report.status == "done" else ""
        if report and report.action is not None:
            action = report.action
        said = json.dumps(report.data()) if report else ""
        await link.script("report", [reports], entry, str(action or ""), said)

    await say()
    reading = asyncio.create_task(link.wait(work_key, seen))
    try:
        while True:
            busy = acting is not None and not acting.done()
            if busy and last and not last.outlasts:
                assert acting is not None
                await asyncio.wait({acting})
            elif busy:
                assert acting is not None
                await asyncio.wait(
                    {reading, acting}, timeout=SEAT / 4, return_when=asyncio.FIRST_COMPLETED
                )
            elif acting is None:
                await asyncio.wait({reading})
            if acting is not None:
                report = acting.result() if acting.done() else Report.running()
                await say(seen, report)
                if acting.done():
                    await asyncio.wait({reading})
            if not reading.done():
                continue
            entries = reading.result()
            if entries:
                seen, fields = entries[-1]
                assigned = _read_assignment(fields, name)
                again = assigned and last and assigned.id == last.id
                repeats = acting and acting.done() and acting.result().status != "running"
                if assigned is None:
                    _cancel(acting)
                    last = acting = None
                    await say()
                elif not again or acting is None or (acting.done() and not repeats):
                    _cancel(acting)
                    last, timestep = assigned, int(fields["timestep"])
                    acting = asyncio.create_task(_act(worker, timestep, name, assigned))
            reading = asyncio.create_task(link.wait(work_key, seen))
    finally:
        _cancel(acting)
        _cancel(reading)
        await asyncio.gather(reading, *filter(None, [acting]), return_exceptions=True)


def _read_assignment(fields: Mapping[str, str], name: str) -> Assigned | None:
    """Return the assignment in an entry; None if the entry withdraws the one before."""
    if not fields["timestep"]:
        return None
    if facts := fields.get("facts"):
        return Assigned.of_data(json.loads(facts), name)
    return Assigned(fields["assignment"], name, int(fields["timestep"]))


def _cancel(task: asyncio.Task[Any] | None) -> None:
    if task is not None:
        task.cancel()


async def _act(worker: Worker, timestep: int, name: str, assigned: Assigned) -> Report:
    """Return the worker's report; a failed one without a reason if the worker raises an error."""
    try:
        with boundary(worker.act, allowed=()):
            return Report.of(await worker.act(timestep, name, assigned))
    except FailedError as error:
        _log.warning("%s did nothing at timestep %d: %s", name, timestep, error)
        _log.debug("why %s did nothing", name, exc_info=True)
        return Report.failed("")


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
