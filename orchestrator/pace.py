"""The pace of an episode: how much time a timestep has, and how late it is."""

from __future__ import annotations

import asyncio
import time


class Pace:
    """A timestep begins `seconds` after the one before, or when that one is done if that is later.

    While a planner thinks the timestep stands still: nothing is made up for afterwards, and the
    lateness is counted in `late`, in seconds.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.late = 0.0
        self._began: float | None = None

    def begin(self) -> None:
        """Begin a timestep now, after a start or a sleep, which is not lateness."""
        self._began = time.monotonic()

    async def next(self) -> None:
        """Wait until the next timestep is to begin, and begin it."""
        if not self.seconds:
            return
        now = time.monotonic()
        due = now if self._began is None else self._began + self.seconds
        self.late += max(0.0, now - due)
        await asyncio.sleep(due - now)
        self._began = max(due, now)


AS_FAST_AS_POSSIBLE = Pace()
