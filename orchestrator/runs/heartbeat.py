"""The heartbeat of an orchestrator: it renews every lease of its run once a second.

The heartbeat runs in a thread with an event loop of its own, so that a planner that computes does
not delay it. Each lease has a task of its own, so that no lease waits for the server of another. A
renewal without an answer after BEAT seconds is cancelled, and the next one begins. So at most two
beats pass between two attempts, which is half of the time that a lease lasts.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

from cookmas.files.errors import LeaseLostError
from cookmas.orchestrator.checkpoints.shared_lease import BEAT, Renew

GRACE = 0.1
"""Seconds after which a renewal is cancelled again if it has not ended."""

_log = logging.getLogger(__name__)


@asynccontextmanager
async def heartbeat(
    leases: Sequence[AbstractAsyncContextManager[Renew]], lost: Callable[[], object]
) -> AsyncIterator[None]:
    """Renew leases within the block.

    Call `lost`, in the thread of the heartbeat, for each lease that another process has taken.
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
    """Await a renewal; cancel it and raise TimeoutError if it takes longer than `seconds`.

    A cancelled database driver may first wait for the server to end its query. So the renewal is
    cancelled again until it ends.
    """
    task = asyncio.create_task(renewal)
    await asyncio.wait({task}, timeout=seconds)
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=GRACE)
    if task.cancelled():
        raise TimeoutError(f"no answer within {seconds:g} s")
    task.result()
