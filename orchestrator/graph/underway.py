"""Jobs and thoughts: they go on in this process, and no checkpoint has them.

A job is a call of `Worker.act`, also one that outlasts its timestep. It is known by the id of its
assignment: after a restart it is begun again under the same id. A thought is a call of a planner
that goes on while timesteps pass, by a wall clock.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine, Iterable, Mapping
from typing import Any, NamedTuple

from cookmas.files.errors import InfrastructureError, LeaseLostError, StorageError
from cookmas.orchestrator.observing import Observers
from cookmas.orchestrator.planners.calling import AnswerBy
from cookmas.workers.protocol import Assigned, AwayError, Report, Worker, call_worker

STOP = 5.0
"""Seconds that a worker has to answer when it is told to stop."""

POLL = 1.0
"""Seconds after which a worker that answered "running" is asked again while no timestep passes."""


class _Job(NamedTuple):
    """A call of a worker with an assignment."""

    assignment: Assigned
    """The assignment."""
    timestep: int
    """Timestep at which the worker was called."""
    task: asyncio.Task[Report]
    """The call."""

    @property
    def said(self) -> Report | None:
        """The worker's answer; None if it has not answered, or its call has failed."""
        task = self.task
        silent = not task.done() or task.cancelled() or task.exception()
        return None if silent else task.result()

    @property
    def runs_on(self) -> bool:
        """True if the worker has answered that it is to be asked again."""
        return self.said is not None and self.said.status == "running"


class Jobs:
    """The jobs of the workers of an episode, at most one of each worker."""

    def __init__(self, workers: Mapping[str, Worker], observers: Observers | None = None) -> None:
        self._workers = workers
        self._observers = observers or Observers()
        self._open: dict[str, _Job] = {}

    def begin(self, timestep: int, worker: str, assignment: Assigned) -> None:
        """Call a worker with an assignment, unless it has been called with it."""
        there = self._open.get(worker)
        if there is None or there.assignment.id != assignment.id:
            self.cancel(worker)
            self._call(timestep, worker, assignment)

    def _call(self, timestep: int, worker: str, assignment: Assigned) -> None:
        since = assignment.since
        assignment.traceparent = self._observers.span_of(worker, str(assignment), timestep, since)
        task = asyncio.create_task(call_worker(self._workers[worker], timestep, worker, assignment))
        self._open[worker] = _Job(assignment, timestep, task)

    async def report(
        self, timestep: int, worker: str, assignment: Assigned, seconds: float
    ) -> Report:
        """Return the report on an assignment, and begin its job if it is not open.

        A worker that answered at an earlier timestep that the action still runs is asked again. If
        there is no report within `seconds`, return one that says so; the job continues. Raise
        AwayError if the worker is unavailable.
        """
        self.begin(timestep, worker, assignment)
        await self._settle(worker, seconds)
        job = self._open[worker]
        if job.runs_on and job.timestep < timestep:
            self._call(timestep, worker, assignment)
            await self._settle(worker, seconds)
        job = self._open[worker]
        if job.runs_on or not job.task.done():
            return Report.running()
        return self._open.pop(worker).task.result()

    async def _settle(self, worker: str, seconds: float) -> None:
        """Wait up to some seconds for the end of a call."""
        task = self._open[worker].task
        if not task.done():
            await asyncio.sleep(0)
            await asyncio.wait({task}, timeout=seconds)

    def cancel(self, worker: str) -> Report:
        """Cancel the job of a worker; return its report, which is `running` if there is none."""
        there = self._open.pop(worker, None)
        if there:
            there.task.cancel()
        return (there and there.said) or Report.running()

    async def withdraw(self, worker: str, assignment: Assigned) -> Report | None:
        """Cancel the job of a worker, tell a worker elsewhere to stop, and return its last report.

        The report is as `stop` returns it. A wire keeps what it is told, so a worker behind one is
        not waited for.
        """
        if withdraw := getattr(self._workers[worker], "withdraw", None):
            report = self.cancel(worker)
            await withdraw()
            return report
        return await self.dismiss(worker, assignment)

    async def dismiss(self, worker: str, assignment: Assigned) -> Report | None:
        """Cancel the job of a worker that is too slow, and tell a device to stop, as `stop` does.

        A worker behind a wire hears nothing before it is done, and then its next assignment.
        """
        there = self._workers[worker]
        if hasattr(there, "stop") and not hasattr(there, "withdraw"):
            return await self.stop(worker, assignment)
        return self.cancel(worker)

    async def stop(self, worker: str, assignment: Assigned) -> Report | None:
        """Cancel the job of a worker, tell the worker to stop, and return its last report.

        The report is None if the worker does not answer, and `running` if it has stopped without
        one. A worker answers by the end of its call; one that has a method `stop` by the end of
        that, which may return a report.
        """
        there = self._open.pop(worker, None)
        if there and there.assignment.id == assignment.id:
            assignment = there.assignment
        tasks: list[asyncio.Task[Any]] = []
        if there:
            there.task.cancel()
            tasks.append(there.task)
        if stop := getattr(self._workers[worker], "stop", None):
            tasks.append(asyncio.create_task(stop(assignment)))
        _, unheard = await asyncio.wait(tasks, timeout=STOP) if tasks else ((), ())
        for task in unheard:
            task.cancel()
        if unheard:
            return None
        found = await asyncio.gather(*tasks, return_exceptions=True)
        for each in found:
            if isinstance(each, LeaseLostError | StorageError):
                raise each
        if any(isinstance(each, AwayError | InfrastructureError) for each in found):
            return None
        reports = [each.without_secrets() for each in found if isinstance(each, Report)]
        ended = [each for each in reports if each.status != "running"]
        return ended[0] if ended else Report.running()

    async def end(self) -> None:
        """Tell the workers that are still at work to stop, because the episode has ended."""
        told = [
            asyncio.create_task(self.withdraw(name, each.assignment))
            for name, each in self._open.items()
            if each.runs_on or not each.task.done()
        ]
        _, unheard = await asyncio.wait(told, timeout=STOP) if told else ((), ())
        for task in unheard:
            task.cancel()
        await asyncio.gather(*told, return_exceptions=True)

    def has_ended(self, workers: Iterable[str]) -> bool:
        """Return whether the job of one of these workers has ended."""
        jobs = [self._open[name] for name in workers if name in self._open]
        return any(job.task.done() and not job.runs_on for job in jobs)

    async def wait(self, workers: Iterable[str]) -> None:
        """Wait until the job of one of these workers has ended; without a job, forever."""
        names = [name for name in workers if name in self._open]
        while not self.has_ended(names):
            polled = [name for name in names if self._open[name].runs_on]
            tasks = [self._open[name].task for name in names if name not in polled]
            if not tasks:
                await asyncio.sleep(POLL if polled else math.inf)
            else:
                seconds = POLL if polled else None
                await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            for name in polled:
                self._call(self._open[name].timestep, name, self._open[name].assignment)

    async def close(self) -> None:
        """Cancel all jobs, and wait until they have ended."""
        tasks = [job.task for job in self._open.values()]
        for name in [*self._open]:
            self.cancel(name)
        await asyncio.gather(*tasks, return_exceptions=True)


class Thought:
    """At most one call of a planner in this process; it is no part of a checkpoint."""

    def __init__(self) -> None:
        self._task: asyncio.Task[AnswerBy | None] | None = None

    @property
    def began(self) -> bool:
        """True if this process has called the planner."""
        return self._task is not None

    @property
    def ended(self) -> bool:
        """True if the planner has answered or failed."""
        return self._task is not None and self._task.done()

    def begin(self, call: Coroutine[Any, Any, AnswerBy | None]) -> None:
        """Begin a call, in place of an earlier one."""
        if self._task is not None:
            self._task.cancel()
        self._task = asyncio.create_task(call)

    async def answer(self) -> AnswerBy | None:
        """Return the answer, once. Raise what the planner raised."""
        assert self._task is not None
        task, self._task = self._task, None
        return await task

    async def close(self) -> None:
        """Cancel the call."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
