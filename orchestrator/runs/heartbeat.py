"""The heartbeat of an orchestrator: it renews every lease of its run once a second.

It runs in a thread with an event loop of its own, so that a planner that computes does not hold it
up. Each lease has a task of its own, so that none waits for another's server. A renewal that has no
answer after a beat is given up, with its connection, and the next one begins: the time between two
attempts is two beats at most, half of what a lease lasts.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

from files.errors import LeaseLostError
from orchestrator.checkpoints.shared_lease import BEAT, Renew

GRACE = 0.1
"""Seconds after which a renewal that goes on though it was cancelled is cancelled again."""

_log = logging.getLogger(__name__)


@asynccontextmanager
async def heartbeat(
    leases: Sequence[AbstractAsyncContextManager[Renew]], lost: Callable[[], object]
) -> AsyncIterator[None]:
    """Renew leases within the block. `lost` is called, in the thread of the heartbeat, for each
    lease that another process has taken.
    """
    loop, over = asyncio.new_event_loop(), asyncio.Event()

    async def beat() -> None:
        beats = (_beat(each, over, lost) for each in leases)
        await asyncio.gather(over.wait(), *beats, return_exceptions=True)

    def run() -> None:
        try:
            loop.run_until_complete(beat())
        finally:
            loop.close()

    thread = threading.Thread(target=run, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(over.set)
        await asyncio.to_thread(thread.join)


async def _beat(
    lease: AbstractAsyncContextManager[Renew], over: asyncio.Event, lost: Callable[[], object]
) -> None:
    async with lease as renew:
        while not await _comes(over, BEAT):
            try:
                await _await_within(BEAT, renew())
            except LeaseLostError:
                lost()
                return
            except Exception as error:
                _log.info("the lease could not be renewed: %s", error)


async def _comes(event: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()


async def _await_within(seconds: float, renewal: Coroutine[Any, Any, None]) -> None:
    """Await a renewal. Raises TimeoutError if it takes longer, and cancels it.

    A driver may linger when it is cancelled, to end its query on the server: it is cancelled again.
    """
    task = asyncio.create_task(renewal)
    await asyncio.wait({task}, timeout=seconds)
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=GRACE)
    if task.cancelled():
        raise TimeoutError(f"no answer within {seconds:g} s")
    task.result()
