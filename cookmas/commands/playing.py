"""Running a coroutine that a signal can stop."""

from __future__ import annotations

import signal
from collections.abc import Coroutine
from types import FrameType
from typing import Any, TypeVar

from cookmas.commands.signals import SIGNALS, Interrupted, interrupt

Result = TypeVar("Result")


def run_interruptibly(playing: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine and return its result.

    A signal cancels the coroutine, and Interrupted is raised when the coroutine has cleaned up. A
    second signal raises Interrupted at once.
    """
    import asyncio

    came: list[int] = []

    async def until_interrupted() -> Result:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task

        def cancel(number: int, frame: FrameType | None) -> None:
            if came:
                raise Interrupted(number)
            came.append(number)
            loop.call_soon_threadsafe(task.cancel)

        heeded = [each for each in SIGNALS if signal.getsignal(each) is interrupt]
        for each in heeded:
            signal.signal(each, cancel)
        try:
            return await playing
        finally:
            for each in heeded:
                signal.signal(each, interrupt)

    try:
        return asyncio.run(until_interrupted())
    except (Exception, asyncio.CancelledError):
        if came:
            raise Interrupted(came[0]) from None
        raise
    finally:
        playing.close()
