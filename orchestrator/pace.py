"""The pace of an episode: the duration of a timestep in seconds, and the delay so far."""

from __future__ import annotations

import asyncio
import time


class Pace:
    """The clock of an episode: a timestep begins `seconds` after the previous timestep began.

    If the previous timestep takes longer, for example because a planner thinks, the next one begins
    as soon as the previous one ends. Later timesteps are not shortened to catch up. `late` is the
    sum of these delays, in seconds.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.late = 0.0
        self._began: float | None = None

    def begin(self) -> None:
        """Begin a timestep now, after a start or a sleep, without counting a delay."""
        self._began = time.monotonic()

    def left(self) -> float:
        """Return the seconds until the next timestep is due."""
        if not self.seconds or self._began is None:
            return 0.0
        return max(0.0, self._began + self.seconds - time.monotonic())

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
