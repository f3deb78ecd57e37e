"""The contract of workers, as a test that anybody can run on theirs."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator

from cookmas.episodes.failure import FailedError, boundary
from cookmas.workers.protocol import Assigned, AwayError, Report, Worker

NAME = "worker_1"
"""Name of the worker in the test."""

PATIENCE = 10.0
"""Seconds that the worker has for each answer."""

POLLS = 100
"""Number of timesteps after which long work should have ended."""


async def check_worker(worker: Worker, action: str, patience: float = PATIENCE) -> list[str]:
    """Return what breaks the contract of workers, a sentence for each fault.

    The worker gets assignments of `action`: a short one, the same one again as after a crash, and
    a long one, which is also cancelled. They have ids of their own, but a real device carries them
    out. `patience` is in seconds.
    """
    return [fault async for fault in _find_faults(worker, action, patience)]


async def _find_faults(worker: Worker, action: str, patience: float) -> AsyncIterator[str]:
    episode = uuid.uuid4().hex
    short = Assigned(action, NAME, 0, episode)
    first, fault = await _ask(worker, 0, short, patience)
    if fault or first is None:
        yield f"an assignment: {fault}"
        return
    if first.status == "running" and not getattr(worker, "asynchronous", False):
        yield "an assignment: it still runs, but is not long, and the worker not asynchronous"
    again, fault = await _ask(worker, 0, short, patience)
    if fault or again is None:
        yield f"the same assignment again: {fault}"
    elif first.status != "running" and again.status != first.status:
        yield f"the same assignment again: it is {again.status}, and was {first.status}"
    long = Assigned(action, NAME, 1, episode, timesteps=3)
    for timestep in range(1, POLLS):
        report, fault = await _ask(worker, timestep, long, patience)
        if fault:
            yield f"a long assignment: {fault}"
        if report is None or report.status != "running":
            break
    else:
        yield f"a long assignment: it still runs after {POLLS} timesteps"
    other = Assigned(action, NAME, POLLS, episode, timesteps=3)
    acting = asyncio.ensure_future(worker.act(POLLS, NAME, other))
    await asyncio.sleep(0)
    acting.cancel()
    _, left = await asyncio.wait({acting}, timeout=patience)
    if left:
        yield f"a long assignment that is cancelled: it does not stop within {patience:g} s"


async def _ask(
    worker: Worker, timestep: int, assignment: Assigned, patience: float
) -> tuple[Report | None, str]:
    """Return the report of a worker, and what is wrong with it; empty if nothing is."""
    try:
        async with asyncio.timeout(patience):
            with boundary(worker.act, allowed=(AwayError, TimeoutError)):
                return Report.of(await worker.act(timestep, NAME, assignment)), ""
    except AwayError as error:
        return None, f"the worker is away: {error}"
    except TimeoutError:
        return None, f"no report within {patience:g} s"
    except FailedError as error:
        return None, str(error)
