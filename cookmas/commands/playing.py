"""Running a coroutine that a signal can stop."""

from __future__ import annotations

import signal
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar

from cookmas.commands.signals import SIGNALS, Interrupted, interrupt

Result = TypeVar("Result")


def run_interruptibly(playing: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine and return its result.

    A signal cancels the coroutine, and Interrupted is raised when the coroutine has cleaned up. A
    second signal raises Interrupted at once. A signal that comes while the event loop is built or
    closed is noted alone: an error in the middle of that would leave a loop that is half closed.
    """
    import asyncio

    came: list[int] = []
    running: list[Callable[[], object]] = []

    def cancel(number: int, frame: FrameType | None) -> None:
        if came:
            raise Interrupted(number)
        came.append(number)
        for stop in running:
            stop()

    async def until_interrupted() -> Result:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task
        running.append(lambda: loop.call_soon_threadsafe(task.cancel))
        if came:
            task.cancel()
        try:
            return await playing
        finally:
            running.clear()

    heeded = [each for each in SIGNALS if signal.getsignal(each) is interrupt]
    for each in heeded:
        signal.signal(each, cancel)
    try:
        return asyncio.run(until_interrupted())
    except (Exception, asyncio.CancelledError):
        if came:
            raise Interrupted(came[0]) from None
        raise
    finally:
        for each in heeded:
            signal.signal(each, interrupt)
        playing.close()
