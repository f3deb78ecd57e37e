"""Remote workers: assignments go out through a channel, and the actions come back as reports."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from workers.protocol import AwayError

MOST_ACTION = 1000
"""Characters of an action that is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a worker reports on an assignment; without one, that it is there."""

    assignment: str
    action: str | None = None


class Channel(Protocol):
    """The orchestrator's side of the way to one worker."""

    async def assign(self, timestep: int, assignment: str) -> str:
        """Send an assignment, in place of the one before; returns by what reports refer to it."""
        ...

    async def ask(self) -> None:
        """Withdraw what was assigned, and ask the worker whether it is there."""
        ...

    async def reports(self, seconds: float) -> list[Report]:
        """What has been reported since this was asked last; waits for it so many seconds."""
        ...


class RemoteWorker:
    """A worker at the other end of a channel; it has `deadline` seconds for an action.

    One that misses it is away, and is not waited for again until it says that it is there. A report
    on an assignment that was withdrawn counts as that and no more.
    """

    def __init__(self, channel: Channel, deadline: float = 10.0) -> None:
        self._channel = channel
        self._deadline = deadline
        self._away: str | None = None

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """The action that is reported. Raises AwayError if none is."""
        if self._away and not await self._channel.reports(0):
            raise AwayError(self._away)
        self._away = None
        asked = await self._channel.assign(timestep, assignment)
        loop = asyncio.get_running_loop()
        until = loop.time() + self._deadline
        while (left := until - loop.time()) > 0:
            for report in await self._channel.reports(left):
                if report.assignment == asked:
                    if report.action is None or len(report.action) > MOST_ACTION:
                        raise ValueError(f"{worker} reports no action")
                    return report.action
        await self._channel.ask()
        self._away = f"{worker} did not answer within {self._deadline:g} s."
        raise AwayError(self._away)

    async def back(self) -> None:
        """Return as soon as the worker says that it is there."""
        while not await self._channel.reports(1):
            pass
        self._away = None
