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
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

from cookmas.files.errors import CookMASError, InputError
from cookmas.workers.protocol import Assigned, AwayError, Report, Returning, Worker, call_worker
from cookmas.workers.remote import Wire
from cookmas.workers.wires import wire_at

SEAT = 5.0
"""Seconds after which another process may replace a dead worker process."""

GLANCE = 2.0
"""Greatest number of seconds of one wait for an assignment."""

_PRESENCE = {"assignment": "", "action": "", "report": ""}
"""The fields of the report that the worker is available."""

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
    """Carry out assignments one by one, and report at each step what `_State` says."""
    work = _Work(worker, name)
    seen = await wire.newest("work")
    await wire.report(_PRESENCE)
    reading = asyncio.create_task(wire.wait("work", seen, GLANCE))
    try:
        while True:
            await work.wait_with(reading)
            match state := work.state:
                case "back":
                    work.withdraw()
                    await wire.report(_PRESENCE)
                    continue
                case "lasting" | "ended":
                    await wire.report({"assignment": seen, **work.report()})
            if state == "ended":
                await asyncio.wait({reading})
            if not reading.done():
                continue
            if entries := reading.result():
                seen, fields = entries[-1]
                timestep, assigned = _read_assignment(fields, name, work.assigned)
                if assigned is not None:
                    work.take(timestep, assigned)
                elif work.state == "away":
                    work.assigned = None
                else:
                    work.withdraw()
                    await wire.report(_PRESENCE)
            reading = asyncio.create_task(wire.wait("work", seen, GLANCE))
    finally:
        reading.cancel()
        await asyncio.gather(reading, *work.stop(), return_exceptions=True)


def _read_assignment(
    fields: Mapping[str, str], name: str, last: Assigned | None
) -> tuple[int, Assigned | None]:
    """Return the timestep and the assignment in an entry; None if it withdraws the one before.

    An entry that is neither is passed over: the `last` assignment stays.
    """
    try:
        if not fields["timestep"]:
            return 0, None
        timestep = int(fields["timestep"])
        if facts := fields.get("facts"):
            return timestep, Assigned.of_data(json.loads(facts), name)
        return timestep, Assigned(fields["assignment"], name, timestep)
    except (ValueError, KeyError, TypeError, RecursionError):
        _log.warning("%s: passed over what is no assignment", name)
        return 0, last


_State = Literal["free", "working", "lasting", "away", "back", "ended"]
"""How it stands with the assignment at hand, and what is reported.

`free`: there is none; once, the presence. `working`: it must end in its timestep, so that nothing
else is heard until then, and nothing reported. `lasting`: it may outlast its timestep, and stops if
it is withdrawn; that it runs, so that the worker is not missed. `away`: the worker's device cannot
be reached; nothing. `back`: the device can be reached again, and has said nothing of its work; the
presence, as after a restart. `ended`: the call has ended with a report; this report, again and
again.
"""


class _Work:
    """The assignment at hand, and the call of the worker with it."""

    def __init__(self, worker: Worker, name: str) -> None:
        self.assigned: Assigned | None = None
        """The assignment; None if there is none, or if it was withdrawn while the device is away.
        """
        self._worker = worker
        self._name = name
        self._call: asyncio.Task[Report | None] | None = None
        self._away = False

    @property
    def state(self) -> _State:
        """How it stands. Raise what the call raised."""
        if self._call is None:
            return "free"
        if self._call.done():
            return "back" if self._call.result() is None else "ended"
        if self.assigned and not self.assigned.outlasts:
            return "working"
        return "away" if self._away else "lasting"

    async def wait_with(self, reading: asyncio.Task[Any]) -> None:
        """Wait for a change, or until the next report is due; `reading` reads assignments."""
        if self._call is None:
            await asyncio.wait({reading})
        elif self.state == "working":
            await asyncio.wait({self._call})
        elif not self._call.done():
            await asyncio.wait(
                {reading, self._call}, timeout=SEAT / 4, return_when=asyncio.FIRST_COMPLETED
            )

    def take(self, timestep: int, assigned: Assigned) -> None:
        """Begin an assignment; a repeated one only if the worker has answered that it runs."""
        repeated = self.assigned is not None and assigned.id == self.assigned.id
        if repeated and self._call and not self._asks_again:
            return
        self.withdraw()
        self.assigned = assigned
        self._call = asyncio.create_task(self.act(timestep, assigned))

    @property
    def _asks_again(self) -> bool:
        report = self._call.result() if self._call and self._call.done() else None
        return report is not None and report.status == "running"

    async def act(self, timestep: int, assigned: Assigned) -> Report | None:
        """Return the worker's report. If the worker is away, wait until it is back: return None."""
        try:
            return await call_worker(self._worker, timestep, self._name, assigned)
        except AwayError as error:
            _log.warning("%s is away at timestep %d: %s", self._name, timestep, error)
        self._away = True
        if isinstance(self._worker, Returning):
            await self._worker.wait_until_back()
        else:
            await asyncio.sleep(SEAT)
        return None

    def report(self) -> dict[str, str]:
        """Return the fields of the report on the assignment.

        The action stands beside the report of a call that has ended and has not failed: a worker
        that says with it that the action runs is to be asked again.
        """
        report = self._call.result() if self._call and self._call.done() else None
        if report is None:
            return {"action": "", "report": json.dumps(Report.running().data())}
        action = report.action
        if action is None:
            action = "" if report.status == "failed" else str(self.assigned or "")
        return {"action": action, "report": json.dumps(report.data())}

    def withdraw(self) -> None:
        """Have no assignment, and stop the call."""
        if self._call:
            self._call.cancel()
        self.assigned, self._call, self._away = None, None, False

    def stop(self) -> Sequence[asyncio.Task[Report | None]]:
        """Stop the call; return it, if there is one, to wait for."""
        stopping = [self._call] if self._call else []
        self.withdraw()
        return stopping


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
