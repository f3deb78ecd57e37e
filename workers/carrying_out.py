"""The process that plays a remote worker: it takes the seat and carries out assignments.

This line runs a user-supplied worker, whose class `MyWorker` has a method `act` as in
`cookmas.workers.protocol.Worker`, for an open run in a folder or in Redis:

    asyncio.run(work("runs/open", "worker_2", MyWorker()))
    asyncio.run(work("redis://localhost#corner", "worker_2", MyWorker()))
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
from pathlib import Path
from typing import Any

from cookmas.episodes.failure import FailedError, boundary
from cookmas.episodes.secrets import hide_known
from cookmas.files.errors import CookMASError, InfrastructureError, InputError
from cookmas.workers.protocol import Assigned, AwayError, Report, Returning, Worker
from cookmas.workers.wire import Wire
from cookmas.workers.wiring import wire_at

SEAT = 5.0
"""Seconds after which another process may replace a dead worker process."""

GLANCE = 2.0
"""Greatest number of seconds of one wait for an assignment."""

BUSY = Report.running()
"""The report that the worker is at work; one with an action says that the worker is to be asked
again.
"""

_log = logging.getLogger(__name__)


async def work(
    where: str | Path, name: str, worker: Worker, tell: Callable[[str], None] | None = None
) -> None:
    """Carry out the assignments of worker `name` in an open run, forever.

    `where` is the folder of the run, or the address of its episode in Redis. If Redis or the folder
    does not answer, call `tell` with one line and wait until it does. Carry out a repeated
    assignment only once. Raise InputError if another process acts for this worker,
    InfrastructureError if Redis rejects a command.
    """
    wire = wire_at(where, name, patience=math.inf, tell=tell)
    try:
        async with _seat(wire, name) as seated:
            carrying = asyncio.create_task(_carry_out(wire, name, worker))
            try:
                await asyncio.wait({carrying, seated}, return_when=asyncio.FIRST_COMPLETED)
                for task in (carrying, seated):
                    if task.done():
                        task.result()
            finally:
                carrying.cancel()
                await asyncio.gather(carrying, return_exceptions=True)
    finally:
        await wire.close()


async def _carry_out(wire: Wire, name: str, worker: Worker) -> None:
    """Carry out assignments one by one.

    Work that may outlast its timestep stops if it is withdrawn, and reports that it runs, so that
    the worker is not missed. Other work is carried out to its end before the next one. While the
    worker's device is away, nothing is reported; then the presence, as after a restart.
    """
    device = _Device(worker)
    seen = await wire.newest("work")
    last: Assigned | None = None
    acting: asyncio.Task[Report | None] | None = None

    async def say(entry: str = "", report: Report | None = None) -> None:
        action = last if report and report is not BUSY and report.status != "failed" else ""
        if report and report.action is not None:
            action = report.action
        said = json.dumps(report.data()) if report else ""
        await wire.report({"assignment": entry, "action": str(action or ""), "report": said})

    await say()
    reading = asyncio.create_task(wire.wait("work", seen, GLANCE))
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
                report = acting.result() if acting.done() else BUSY
                if report is None:
                    last = acting = None
                    await say()
                    continue
                if not device.away:
                    await say(seen, report)
                if acting.done():
                    await asyncio.wait({reading})
            if not reading.done():
                continue
            entries = reading.result()
            if entries:
                seen, fields = entries[-1]
                try:
                    timestep, assigned = _read_assignment(fields, name)
                except (ValueError, KeyError, TypeError, RecursionError):
                    _log.warning("%s: passed over what is no assignment", name)
                    timestep, assigned = 0, last
                if assigned is None and device.away:
                    last = None
                elif assigned is None:
                    _cancel(acting)
                    last = acting = None
                    await say()
                elif not (last and assigned.id == last.id and acting and _is_carried_out(acting)):
                    _cancel(acting)
                    last = assigned
                    acting = asyncio.create_task(device.act(timestep, name, assigned))
            reading = asyncio.create_task(wire.wait("work", seen, GLANCE))
    finally:
        _cancel(acting)
        _cancel(reading)
        await asyncio.gather(reading, *filter(None, [acting]), return_exceptions=True)


def _read_assignment(fields: Mapping[str, str], name: str) -> tuple[int, Assigned | None]:
    """Return the timestep and the assignment in an entry; None if it withdraws the one before.

    Raise ValueError, KeyError, TypeError or RecursionError if the entry is none of them.
    """
    if not fields["timestep"]:
        return 0, None
    timestep = int(fields["timestep"])
    if facts := fields.get("facts"):
        return timestep, Assigned.of_data(json.loads(facts), name)
    return timestep, Assigned(fields["assignment"], name, timestep)


def _is_carried_out(acting: asyncio.Task[Report | None]) -> bool:
    """Return whether an assignment is being carried out or has been; one may also report on call
    that it runs.
    """
    report = acting.result() if acting.done() else None
    return report is None or report.status != "running"


def _cancel(task: asyncio.Task[Any] | None) -> None:
    if task is not None:
        task.cancel()


class _Device:
    """The worker that this process plays; `away` says that it cannot be reached now."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.away = False

    async def act(self, timestep: int, name: str, assigned: Assigned) -> Report | None:
        """Return the worker's report; a failed one with the reason if it raises an error.

        If the worker is away, wait until it is back, and return None: it has said nothing of its
        work.
        """
        self.away = False
        act = self._worker.act
        try:
            with boundary(act, allowed=(AwayError, InfrastructureError)):
                report = Report.of(await act(timestep, name, assigned)).without_secrets()
        except FailedError as error:
            why = hide_known(str(error))
            _log.warning("%s did nothing at timestep %d: %s", name, timestep, why)
            report = Report.failed(why)
        except (AwayError, InfrastructureError) as error:
            why = hide_known(str(error))
            _log.warning("%s is away at timestep %d: %s", name, timestep, why)
            self.away = True
            await self._wait_until_back()
            self.away = False
            return None
        return report

    async def _wait_until_back(self) -> None:
        if isinstance(self._worker, Returning):
            await self._worker.wait_until_back()
        else:
            await asyncio.sleep(SEAT)


@asynccontextmanager
async def _seat(wire: Wire, name: str) -> AsyncIterator[asyncio.Task[None]]:
    """Reserve the seat of a worker for this process within the block.

    Yield a task that ends with InputError if another process takes the seat. Raise InputError if
    another process has the seat already.
    """
    holder = uuid.uuid4().hex
    taken = InputError(name, "another process stands in for this worker")

    async def stay() -> None:
        while await wire.sit(holder, SEAT):
            await asyncio.sleep(SEAT / 4)
        raise taken

    for _ in range(10):
        if await wire.sit(holder, SEAT):
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
                await wire.sit(holder, 0)
