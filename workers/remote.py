"""Remote workers: assignments go out through a channel, and actions come back as reports."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Protocol

from cookmas.workers.protocol import MOST_REPORT, Assigned, AwayError, Report

DEADLINE = 10.0
"""Seconds that a remote worker has for each action, if nothing else is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteReport:
    """A worker's report."""

    assignment: str
    """ID of the assignment that the report answers; empty if the worker only reports its presence.
    """
    action: str | None = None
    """The action; None if the report has none."""
    said: str = ""
    """The whole report as JSON; empty if its sender knows only actions."""


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

    async def reports(self, seconds: float) -> list[RemoteReport]:
        """Return the reports since the last call; if there is none, wait up to `seconds`."""
        ...


class RemoteWorker:
    """A worker at the other end of a channel, which has `deadline` seconds for each action.

    What was reported before the deadline counts, even if it is read later, as after a pause of this
    process. After a missed deadline the worker is unavailable: until it has sent a report, `act` no
    longer waits for it. A report on a withdrawn assignment only shows that the worker is available.
    A worker that reports its presence meanwhile has started again; it gets its assignment again.
    Work that may outlast its timestep has no deadline, as long as the worker reports that it runs.
    If its report has the action too, the worker is to be asked again.
    """

    def __init__(self, channel: Channel, deadline: float = DEADLINE) -> None:
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
                if not each.assignment:
                    await self._assign(timestep, assignment)
                if each.assignment not in self._given[1]:
                    continue
                report = _report_of(each, worker)
                if report.status != "running" or each.action:
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
                if each.assignment in self._given[1]:
                    report = _report_of(each, "the worker")
                    ended = report if report.status != "running" else ended
                if not each.assignment or ended:
                    self._away = None
                    return ended

    async def wait_until_back(self) -> None:
        """Wait until the worker reports that it is available."""
        await self._channel.ask()
        while not await self._channel.reports(1):
            pass
        self._away = None


def _report_of(told: RemoteReport, worker: str) -> Report:
    """Return the report of a worker. Raise ValueError if it has neither a report nor an action, or
    is too large.
    """
    if len(told.said) > MOST_REPORT:
        raise ValueError(f"expected a report of at most {MOST_REPORT} characters")
    if told.said:
        return Report.of_data(json.loads(told.said))
    if told.action is None:
        raise ValueError(f"{worker} reports no action")
    return Report.of(told.action)
