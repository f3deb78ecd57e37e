"""Lines that somebody types, while other things go on."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from rich.console import Console

from cookmas.display.terminal import is_closed_terminal, words


class Keyboard:
    """The lines of standard input, which somebody types, read only when the next one is asked for.

    So whatever is started in between, such as an editor, has the terminal to itself.
    """

    def __init__(self) -> None:
        self._file = sys.stdin.fileno()
        self._left = b""
        self._over = False

    async def next(self) -> str:
        """The next line. Raises EOFError if there is none any more.

        A terminal that was closed is a SIGHUP, which may be late or go to the shell alone.
        """
        while b"\n" not in self._left and not self._over:
            await self._readable()
            part = os.read(self._file, 65536)
            self._over = not part
            if self._over and is_closed_terminal(sys.stdin):
                signal.raise_signal(signal.SIGHUP)
            self._left += part
        line, _, self._left = self._left.partition(b"\n")
        if self._over and not line:
            raise EOFError
        return line.decode(errors="replace").rstrip("\r")

    async def _readable(self) -> None:
        """Return as soon as something can be read; a file always can."""
        loop, came = asyncio.get_running_loop(), asyncio.Event()
        try:
            loop.add_reader(self._file, came.set)
        except PermissionError:
            return
        try:
            await came.wait()
        finally:
            loop.remove_reader(self._file)


async def typed(console: Console, keyboard: Keyboard, what: str) -> str:
    """The next line, typed behind `what` is asked; where none comes, what follows is on its own.

    Raises EOFError if there is none any more.
    """
    console.print(words(what), end=" > ", soft_wrap=True)
    try:
        return (await keyboard.next()).strip()
    except (asyncio.CancelledError, EOFError):
        console.print()
        raise
