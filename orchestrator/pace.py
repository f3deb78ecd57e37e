"""The pace of an episode: the duration of a timestep in seconds, and the delay so far."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable


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

    def count_left(self) -> float:
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


class WallClock(Pace):
    """A clock on which timestep n is the interval of real time from `epoch + n * seconds` on.

    Timesteps pass whether the episode uses them or not: while a planner thinks, while a worker is
    slow, and while no process plays the episode. `now` returns the seconds since the epoch of the
    system's clock, and `sleep` waits some seconds.
    """

    def __init__(
        self,
        seconds: float,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(seconds)
        self._now = now
        self._sleep = sleep
        self._ends = 0.0

    def epoch_of(self, timestep: int) -> float:
        """Return the time at which timestep 0 began if `timestep` begins now."""
        return self._now() - timestep * self.seconds

    async def wait_for(self, timestep: int, epoch: float) -> int:
        """Wait until a timestep begins; return the number of timesteps that have passed since."""
        await self._sleep(max(0.0, epoch + timestep * self.seconds - self._now()))
        missed = max(0, math.floor((self._now() - epoch) / self.seconds) - timestep)
        self._ends = epoch + (timestep + missed + 1) * self.seconds
        self.late += missed * self.seconds
        return missed

    def count_left(self) -> float:
        """Return the seconds until the present timestep is over."""
        return max(0.0, self._ends - self._now())
