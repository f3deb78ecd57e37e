"""The pace of an episode: the duration of a timestep, and the delay against it."""

from __future__ import annotations

import asyncio
import time


class Pace:
    """A timestep begins `seconds` after the one before, or when that one is done if that is later.

    The clock of the world does not run while a planner thinks. No later timestep is shortened to
    catch up. The delay is counted in `late`, in seconds.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.late = 0.0
        self._began: float | None = None

    def begin(self) -> None:
        """Begin a timestep now, after a start or a sleep; this counts as no delay."""
        self._began = time.monotonic()

    async def next(self) -> None:
        """Wait until the next timestep is due, and begin it."""
        if not self.seconds:
            return
        now = time.monotonic()
        due = now if self._began is None else self._began + self.seconds
        self.late += max(0.0, now - due)
        await asyncio.sleep(due - now)
        self._began = max(due, now)


AS_FAST_AS_POSSIBLE = Pace()
