"""A bell: a named pipe by which a process wakes another one of the same machine."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cookmas.files.opening import permissions_in

GLANCE = 5.0
"""Seconds after which one that waits looks up without a bell.

The process that was to ring may have died before, and another process may have heard the bell.
"""


class PipeBell:
    """The bell at a path. Nobody has to be there when it rings."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def ring(self) -> None:
        """Wake who waits; if nobody does, do nothing."""
        with contextlib.suppress(OSError):
            bell = os.open(self._path, os.O_WRONLY | os.O_NONBLOCK)
            try:
                os.write(bell, b".")
            finally:
                os.close(bell)

    @contextmanager
    def listen(self) -> Iterator[Callable[[float], Awaitable[None]]]:
        """Yield a function that waits for the bell, for at most some seconds and GLANCE.

        A ring since the beginning of the block counts too. If the pipe cannot be read, the function
        waits as if nobody rang. Raise OSError if there can be no pipe.
        """
        with contextlib.suppress(FileExistsError):
            os.mkfifo(self._path, permissions_in(self._path.parent))
        rung = asyncio.Event()
        loop = asyncio.get_running_loop()
        bell = os.open(self._path, os.O_RDWR | os.O_NONBLOCK)

        def hear() -> None:
            try:
                os.read(bell, 4096)
            except (BlockingIOError, InterruptedError):
                pass
            except OSError:
                loop.remove_reader(bell)
                return
            rung.set()

        async def wait(seconds: float) -> None:
            loop.add_reader(bell, hear)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(seconds, GLANCE)):
                    await rung.wait()
            rung.clear()

        loop.add_reader(bell, hear)
        try:
            yield wait
        finally:
            loop.remove_reader(bell)
            os.close(bell)
