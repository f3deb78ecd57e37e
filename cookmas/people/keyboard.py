"""Lines that a person types while other coroutines run."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from rich.console import Console

from cookmas.display.terminal import is_closed_terminal, words


class Keyboard:
    """Lines of standard input, read only on request.

    A program that is started in between, such as an editor, therefore has the terminal to itself.
    """

    def __init__(self) -> None:
        self._file = sys.stdin.fileno()
        self._left = b""
        self._over = False

    async def next(self) -> str:
        """Return the next line. Raises EOFError at the end of the input.

        A closed terminal raises SIGHUP here, since the system's signal may be late or reach only
        the shell.
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
        """Return as soon as input can be read; at once if standard input is a file."""
        loop, came = asyncio.get_running_loop(), asyncio.Event()
        try:
            loop.add_reader(self._file, came.set)
        except PermissionError:
            return
        try:
            await came.wait()
        finally:
            loop.remove_reader(self._file)


async def read_typed(console: Console, keyboard: Keyboard, what: str) -> str:
    """Print the prompt `what` and return the next line.

    Raises EOFError at the end of the input. If no line comes, a line break is printed, so that
    later output starts on a new line.
    """
    console.print(words(what), end=" > ", soft_wrap=True)
    try:
        return (await keyboard.next()).strip()
    except (asyncio.CancelledError, EOFError):
        console.print()
        raise
