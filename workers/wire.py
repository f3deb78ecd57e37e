"""The wire of remote workers: for each worker a stream of assignments and one of reports.

A wire is kept in Redis (`cookmas.workers.redis_wire`) or in the folder of a run
(`cookmas.workers.sqlite_wire`). Both ends of it are the same for both: `WireChannel` is the end of
the orchestrator, and `cookmas.workers.carrying_out` that of the process that plays a worker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, Protocol

from cookmas.workers.protocol import Assigned
from cookmas.workers.remote import RemoteReport

Stream = Literal["work", "reports"]
"""A stream of a wire: `work` has only the latest assignment, `reports` the latest reports."""

Entry = tuple[str, dict[str, str]]
"""An entry of a stream: its id, which no other entry of the stream has, and its fields."""


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

    async def report(self, fields: Mapping[str, str]) -> None:
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


class WireChannel:
    """The orchestrator's end of a wire.

    `fence` is the fencing number of the orchestrator's lease.
    """

    def __init__(self, wire: Wire, fence: int = 1) -> None:
        self._wire = wire
        self._fence = fence
        self._seen: str | None = None

    async def assign(self, timestep: int, assignment: str) -> str:
        """Send an assignment that replaces the previous one. Return the id of its entry."""
        await self._last_id()
        facts = json.dumps(assignment.data()) if isinstance(assignment, Assigned) else ""
        fields = {"timestep": str(timestep), "assignment": str(assignment), "facts": facts}
        return await self._wire.assign(self._fence, fields)

    async def ask(self) -> None:
        """Withdraw the assignment, and ask the worker to report that it is available."""
        await self._wire.assign(self._fence, {"timestep": "", "assignment": "", "facts": ""})

    async def reports(self, seconds: float) -> list[RemoteReport]:
        """Return the reports since the last call; if there is none, wait up to `seconds`."""
        entries = await self._wire.wait("reports", await self._last_id(), seconds)
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
            self._seen = await self._wire.newest("reports")
        return self._seen
