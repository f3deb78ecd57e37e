"""Repeated attempts to use something that may be away, such as a server or a locked file."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")


class Patience:
    """Repeats a call that fails because of what is away, for `seconds`; without them, never.

    `may_pass` says whether an error means that. `tell` is called with the error when the waiting
    begins, once until a call succeeds. The pause between two attempts doubles, from `first` seconds
    up to `most`.
    """

    def __init__(
        self,
        seconds: float,
        may_pass: Callable[[Exception], bool],
        tell: Callable[[Exception], object] | None = None,
        *,
        first: float,
        most: float,
    ) -> None:
        self._seconds = seconds
        self._may_pass = may_pass
        self._tell = tell
        self._told = False
        self._first = first
        self._most = most

    async def attempt(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return what the call returns, or raise the error of the last attempt.

        The last attempt begins after the seconds are over: a process that was paused finds that
        they are over, although it has tried nothing since.
        """
        began, over, pause = time.monotonic(), self._seconds <= 0, self._first
        while True:
            try:
                answer = await call()
                self._told = False
                return answer
            except Exception as error:
                if over or not self._may_pass(error):
                    raise
                over = time.monotonic() - began >= self._seconds
                if self._tell and not self._told:
                    self._tell(error)
                self._told = True
            await asyncio.sleep(pause)
            pause = min(2 * pause, self._most)
