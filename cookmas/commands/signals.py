"""Signals: SIGINT, SIGTERM and SIGHUP stop a command, and what it plays, in the same way."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType
from typing import Any, TypeVar

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """Raised when a signal stops the command. `number` is the number of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def code(error: KeyboardInterrupt) -> int:
    """Return the exit code of an interrupted command: 128 plus the number of the signal."""
    return 128 + (error.number if isinstance(error, Interrupted) else signal.SIGINT)


def heed() -> None:
    """Make the signals raise Interrupted from now on, except signals that are ignored."""
    for each in SIGNALS:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, interrupt)


def disregard() -> None:
    """Ignore the signals from now on, since the command is over."""
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)


@contextlib.contextmanager
def turn_hangup_into_end() -> Iterator[None]:
    """Deliver SIGHUP as SIGTERM within a block, for servers that handle only SIGTERM.

    The Interrupted that leaves the block has the number of the original signal.
    """
    came: list[int] = []

    def ask(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.raise_signal(signal.SIGTERM)

    before = signal.getsignal(signal.SIGHUP)
    if before is interrupt:
        signal.signal(signal.SIGHUP, ask)
    try:
        yield
    except Interrupted as error:
        raise Interrupted(came[0] if came else error.number) from None
    finally:
        if before is interrupt:
            signal.signal(signal.SIGHUP, before)


def interrupt(number: int, frame: FrameType | None) -> None:
    """Handle a signal: raise Interrupted."""
    raise Interrupted(number)


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
