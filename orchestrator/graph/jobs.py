"""Jobs: the assignments that workers carry out, also those that outlast their timestep.

A job is a call of `Worker.act`. It is known by the id of its assignment, and is no part of a
checkpoint: after a restart it is begun again under the same id.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cookmas.episodes.failure import FailedError, boundary
from cookmas.files.errors import LeaseLostError
from cookmas.workers.protocol import Assigned, AwayError, Report, Worker

_log = logging.getLogger(__name__)


class _Job(NamedTuple):
    """A call of a worker."""

    id: str
    """Key of the assignment."""
    timestep: int
    """Timestep at which the worker was called."""
    task: asyncio.Task[Report]
    """The call."""


class Jobs:
    """The jobs of the workers of an episode, at most one of each worker."""

    def __init__(self, workers: Mapping[str, Worker]) -> None:
        self._workers = workers
        self._open: dict[str, _Job] = {}

    def begin(self, timestep: int, worker: str, assignment: Assigned) -> None:
        """Call a worker with an assignment, unless the call is open."""
        there = self._open.get(worker)
        if there is None or there.id != assignment.id:
            self.cancel(worker)
            task = asyncio.create_task(self._act(timestep, worker, assignment))
            self._open[worker] = _Job(assignment.id, timestep, task)

    async def report(
        self, timestep: int, worker: str, assignment: Assigned, seconds: float
    ) -> Report:
        """Return the report on an assignment, and begin its job if it is not open.

        A worker that answered at an earlier timestep that the action still runs is asked again. If
        there is no report within `seconds`, return one that says so; the job continues. Raise
        AwayError if the worker is unavailable.
        """
        while True:
            self.begin(timestep, worker, assignment)
            job = self._open[worker]
            if not job.task.done():
                await asyncio.sleep(0)
                await asyncio.wait({job.task}, timeout=seconds)
            if not job.task.done():
                return Report.running()
            del self._open[worker]
            report = job.task.result()
            if report.status != "running" or job.timestep >= timestep:
                return report

    async def _act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        """Return the worker's report; a failed one without a reason if it raises an error."""
        act = self._workers[worker].act
        try:
            with boundary(act, allowed=(AwayError, LeaseLostError)):
                return Report.of(await act(timestep, worker, assignment))
        except FailedError as error:
            _log.warning("%s gave no action at timestep %d: %s", worker, timestep, error)
            _log.debug("why %s gave no action", worker, exc_info=True)
            return Report.failed("")

    def cancel(self, worker: str) -> None:
        """Cancel the job of a worker, if there is one."""
        if there := self._open.pop(worker, None):
            there.task.cancel()

    def has_ended(self, workers: Iterable[str]) -> bool:
        """Return whether the job of one of these workers has ended."""
        return any(name in self._open and self._open[name].task.done() for name in workers)

    async def wait(self, workers: Iterable[str]) -> None:
        """Wait until the job of one of these workers has ended; without a job, forever."""
        tasks = [self._open[name].task for name in workers if name in self._open]
        await asyncio.wait(
            tasks or {asyncio.get_running_loop().create_future()},
            return_when=asyncio.FIRST_COMPLETED,
        )

    async def close(self) -> None:
        """Cancel all jobs, and wait until they have ended."""
        tasks = [job.task for job in self._open.values()]
        for name in [*self._open]:
            self.cancel(name)
        await asyncio.gather(*tasks, return_exceptions=True)
