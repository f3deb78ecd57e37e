"""An executor on a Dask cluster; it needs the extra `dask`."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any, Self

from distributed import Client, KilledWorker, LocalCluster
from distributed.client import FutureCancelledError
from distributed.utils import silence_logging_cmgr

from cookmas.files.errors import InputError, MissingError
from cookmas.studies.bench.executor import question, result_of
from cookmas.studies.bench.origin import code_of
from cookmas.studies.bench.spec import EpisodeJob, JobResult

LOCAL = "local"
"""The address that means a cluster on this machine, which is started for one sweep."""

ADDRESS = re.compile(r"(tcp|tls|ws|wss)://\S+:\d+")

PATIENCE = 10
"""Seconds that a scheduler has to answer."""


Task = Callable[[dict[str, Any], Mapping[str, str]], Awaitable[dict[str, Any]]]


def job_player() -> Task:
    """Return a function that plays the episode of a job if the worker has the expected code.

    The function is nested, so that Dask sends its code as a whole. So a worker without CookMAS can
    run the function too, which then reports what the worker lacks.
    """

    async def play_job(question: dict[str, Any], code: Mapping[str, str]) -> dict[str, Any]:
        try:
            from cookmas.studies.bench.executor import answer_job
            from cookmas.studies.bench.origin import code_of
            from cookmas.studies.bench.spec import EpisodeJob

            here = code_of([EpisodeJob.model_validate(question).spec])
        except (ImportError, ValueError) as error:
            why = str(error).splitlines()[0]
            return {"error": f"a worker of the cluster lacks code that the episode needs ({why})"}
        other = [name for name in code if here.get(name) != code[name]]
        if other:
            return {"error": f"a worker of the cluster has another {other[0]}"}
        return await answer_job(question)

    return play_job


PLAY_JOB = job_player()


class DaskCluster:
    """An executor on the Dask cluster at an address, or on a cluster that the executor starts.

    A cluster that the executor starts has `count` workers, each of which plays `at_a_time` episodes
    at the same time. Workers may join and leave. If a worker dies, other workers get its jobs. A
    job during which several workers have died is returned as failed.
    """

    capacity = 1000
    """Number of jobs in progress. It exceeds what most clusters play at once, so that workers that
    join late get jobs too.
    """

    def __init__(self, address: str, count: int = 1, at_a_time: int = 1) -> None:
        self.address = address
        self._count = count
        self._at_a_time = at_a_time

    async def __aenter__(self) -> Self:
        """Start a cluster or connect to one.

        Raise InputError if the address is invalid, MissingError if no scheduler answers at it.
        """
        if self.address != LOCAL and not ADDRESS.fullmatch(self.address):
            expected = f"expected {LOCAL} or tcp://HOST:PORT"
            raise InputError("cluster", f"{expected}, not {self.address!r}")
        async with AsyncExitStack() as opened:
            opened.enter_context(silence_logging_cmgr(logging.CRITICAL))
            if self.address == LOCAL:
                self.address = await self._start_local(opened)
            client = Client(self.address, asynchronous=True, set_as_default=False, timeout=PATIENCE)
            try:
                self._client = await opened.enter_async_context(client)
            except OSError:
                why = f"cluster: no scheduler of Dask answers at {self.address}"
                raise MissingError(why) from None
            self._opened = opened.pop_all()
        return self

    async def __aexit__(self, *error: object) -> None:
        """Cancel the jobs in progress, and stop the executor's own cluster."""
        await self._opened.aclose()

    async def play(self, job: EpisodeJob) -> JobResult:
        """Play an episode on a worker.

        Raise CookMASError if the episode cannot be played, a worker has other code or the scheduler
        is gone.
        """
        future = self._client.submit(PLAY_JOB, question(job), code_of([job.spec]), pure=False)
        try:
            return result_of(await future)
        except FutureCancelledError:
            raise MissingError("the scheduler of the Dask cluster is gone") from None
        except KilledWorker:
            return JobResult(failed="the workers of the cluster that played it have died")
        finally:
            future.release()

    async def _start_local(self, opened: AsyncExitStack) -> str:
        cluster = LocalCluster(
            n_workers=self._count,
            threads_per_worker=self._at_a_time,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            asynchronous=True,
        )
        await opened.enter_async_context(cluster)
        return str(cluster.scheduler_address)
