"""Workers in other processes: assignments go out through a wire, and reports come back.

Each worker has a wire, with a stream of assignments and one of reports (`cookmas.workers.wires`).
This is the orchestrator's end; the other end is `cookmas.workers.carrying_out`. A report is an
entry of the stream until `RemoteWorker.act` makes a `Report` of it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Literal, Protocol

from cookmas.workers.protocol import MOST_REPORT, Assigned, AwayError, Report

Stream = Literal["work", "reports"]
"""A stream of a wire: `work` has only the latest assignment, `reports` the latest reports."""

Entry = tuple[str, dict[str, str]]
"""An entry of a stream: its id, which no other entry of the stream has, and its fields."""


Reported = Mapping[str, str]
"""The fields of an entry with a report.

`assignment` is the ID of the assignment that it answers; empty if the worker only reports its
presence. `report` is the report as JSON; empty if its sender knows only actions. `action` is the
action, if the report has one.
"""


class Wire(Protocol):
    """The wire between an orchestrator and one worker.

    Its methods raise InfrastructureError if the wire does not answer.
    """

    async def assign(self, fence: int, fields: Mapping[str, str]) -> str:
        """Replace the assignment, and return the id of the new one.

        `fence` is the fencing number of the orchestrator's lease. Raise LeaseLostError if an
        orchestrator with a higher one has assigned before.
        """
        ...

    async def report(self, fields: Reported) -> None:
        """Add a report."""
        ...

    async def newest(self, stream: Stream) -> str:
        """Return the id of the newest entry of a stream; "0" if there is none."""
        ...

    async def wait(self, stream: Stream, seen: str, seconds: float) -> list[Entry]:
        """Return the entries of a stream since the one with the id `seen`.

        If there is none, wait up to `seconds` or less, and return an empty list.
        """
        ...

    async def sit(self, holder: str, seconds: float) -> bool:
        """Take the seat of the worker for a process, or keep it for `seconds`.

        Return whether the process has it. With 0 seconds the process leaves the seat.
        """
        ...

    async def is_seated(self) -> bool:
        """Return whether a process acts for the worker, or has done so until a moment ago."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class Channel(Protocol):
    """The orchestrator's end of the channel to one worker."""

    async def assign(self, timestep: int, assignment: str) -> str:
        """Send an assignment that replaces the previous one.

        Return the ID by which reports refer to it.
        """
        ...

    async def ask(self) -> None:
        """Withdraw the assignment, and ask the worker to report that it is available."""
        ...

    async def reports(self, seconds: float) -> list[Reported]:
        """Return the reports since the last call; if there is none, wait up to `seconds`."""
        ...


class WireChannel:
    """The orchestrator's end of a wire.

    `fence` is the fencing number of the orchestrator's lease.
    """

    def __init__(self, wire: Wire, fence: int = 1) -> None:
        self._wire = wire
        self._fence = fence
        self._seen: str | None = None

    async def assign(self, timestep: int, assignment: str) -> str:
        await self._last_id()
        facts = json.dumps(assignment.data()) if isinstance(assignment, Assigned) else ""
        fields = {"timestep": str(timestep), "assignment": str(assignment), "facts": facts}
        return await self._wire.assign(self._fence, fields)

    async def ask(self) -> None:
        await self._last_id()  # The worker may report at once.
        await self._wire.assign(self._fence, {"timestep": "", "assignment": "", "facts": ""})

    async def reports(self, seconds: float) -> list[Reported]:
        entries = await self._wire.wait("reports", await self._last_id(), seconds)
        for entry, _ in entries:
            self._seen = entry
        return [fields for _, fields in entries]

    async def _last_id(self) -> str:
        if self._seen is None:
            self._seen = await self._wire.newest("reports")
        return self._seen


class RemoteWorker:
    """A worker at the other end of a channel, which has `deadline` seconds for each action.

    What was reported before the deadline counts, even if it is read later, as after a pause of this
    process. After a missed deadline the worker is unavailable: until it has sent a report, `act` no
    longer waits for it. A report on a withdrawn assignment only shows that the worker is available.
    A worker that reports its presence meanwhile has started again; it gets its assignment again.
    Work that may outlast its timestep has no deadline, as long as the worker reports that it runs.
    If its report has the action too, the worker is to be asked again.
    """

    def __init__(self, channel: Channel, deadline: float) -> None:
        self._channel = channel
        self._deadline = deadline
        self._away: str | None = None
        self._given: tuple[str, set[str]] = ("", set())
        """The key of the last assignment, and the ids of the entries that have sent it."""

    async def act(self, timestep: int, worker: str, assignment: str) -> Report:
        """Send an assignment, and return what the worker reports.

        Raise AwayError if the worker reports nothing in time, ValueError if its report is invalid.
        """
        if self._away and not await self._channel.reports(0):
            raise AwayError(self._away)
        self._away = None
        await self._assign(timestep, assignment)
        outlasts = isinstance(assignment, Assigned) and assignment.outlasts
        loop = asyncio.get_running_loop()
        until = loop.time() + self._deadline
        while True:
            left = until - loop.time()
            reports = await self._channel.reports(max(0.0, left))
            if left <= 0 and not reports:
                break
            for each in reports:
                answered = each.get("assignment", "")
                if not answered:
                    await self._assign(timestep, assignment)
                if answered not in self._given[1]:
                    continue
                report = _report_of(each, worker)
                if report.status != "running" or each.get("action"):
                    return report
                if outlasts:
                    until = loop.time() + self._deadline
        await self.withdraw()
        self._away = f"{worker} did not answer within {self._deadline:g} s."
        raise AwayError(self._away)

    async def _assign(self, timestep: int, assignment: str) -> None:
        """Send an assignment; a report on any entry that has sent it is a report on it."""
        key = assignment.id if isinstance(assignment, Assigned) else f"{timestep}/{assignment}"
        if self._given[0] != key:
            self._given = (key, set())
        self._given[1].add(await self._channel.assign(timestep, assignment))

    async def withdraw(self) -> None:
        """Withdraw the assignment, so that the worker stops."""
        await self._channel.ask()

    async def stop(self, assignment: Assigned) -> Report | None:
        """Tell the worker to stop, and wait until it reports that it is available.

        Return its report if it was done meanwhile. Until it has reported, it is unavailable.
        """
        self._away = "It did not answer when it was told to stop."
        await self.withdraw()
        ended: Report | None = None
        while True:
            for each in await self._channel.reports(1):
                answered = each.get("assignment", "")
                if answered in self._given[1]:
                    report = _report_of(each, "the worker")
                    ended = report if report.status != "running" else ended
                if not answered or ended:
                    self._away = None
                    return ended

    async def wait_until_back(self) -> None:
        await self._channel.ask()
        while not await self._channel.reports(1):
            pass
        self._away = None


def _report_of(fields: Reported, worker: str) -> Report:
    """Return the report of a worker. Raise ValueError if it has neither a report nor an action, or
    is too large.
    """
    said, action = fields.get("report", ""), fields.get("action")
    if len(said) > MOST_REPORT:
        raise ValueError(f"expected a report of at most {MOST_REPORT} characters")
    if said:
        return Report.of_data(json.loads(said))
    if not action:
        raise ValueError(f"{worker} reports no action")
    return Report.of(action)
