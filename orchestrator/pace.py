"""The pace of an episode: the duration of a timestep in seconds, and the delay so far.

The time of day is a clock that people and servers set. So the time that passes is measured by the
machine's uptime, which nobody can set, and which goes on while the machine is suspended.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
import uuid
from pathlib import Path
from typing import NamedTuple

_log = logging.getLogger(__name__)

LONGEST_SLEEP = 10.0
"""Longest sleep in seconds: a sleep does not end earlier because the machine was suspended."""

SET = 1.0
"""Seconds by which the time of day leaves the uptime if it has been set."""

LONGEST_ABSENCE = 30 * 86_400.0
"""Seconds without a process, over a start of the machine, that are believed of the time of day."""


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


class Clocks:
    """The clocks of this machine."""

    def __init__(self) -> None:
        self.boot = _read_boot()
        """The id of the machine's start, from which the uptime counts, or else of this process."""

    def read_time(self) -> float:
        """Return the time of day, in seconds since 1970."""
        return time.time()

    def read_uptime(self) -> float:
        """Return the seconds that have passed since the machine was started."""
        return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))

    async def sleep(self, seconds: float) -> None:
        """Wait some seconds, in which the machine is not suspended."""
        await asyncio.sleep(seconds)


def _read_boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return uuid.uuid4().hex


class Epoch(NamedTuple):
    """The beginning of timestep 0 of an episode."""

    time: float
    """The time of day, in seconds since 1970."""
    uptime: float = 0.0
    """The uptime of the machine, in seconds."""
    boot: str = ""
    """The id of the start from which `uptime` counts; empty if only the time of day is known."""


class WallClock(Pace):
    """A clock on which timestep n is the interval of real time from `n * seconds` after the epoch.

    Timesteps pass whether the episode uses them or not: while a planner thinks, while a worker is
    slow, and while no process plays the episode. Time is measured by the uptime of the machine. The
    time of day counts only if the machine was started again since the epoch.
    """

    def __init__(self, seconds: float, clocks: Clocks | None = None) -> None:
        super().__init__(seconds)
        self._clocks = clocks or Clocks()
        self._ends = 0.0

    def _epoch_of(self, timestep: int) -> Epoch:
        """Return the epoch of which a timestep begins now."""
        clocks, ago = self._clocks, timestep * self.seconds
        return Epoch(clocks.read_time() - ago, clocks.read_uptime() - ago, clocks.boot)

    def find_epoch(self, timestep: int, before: Epoch | None) -> Epoch:
        """Return the epoch by the clocks of this machine; `timestep` is the next to begin.

        `before` is the epoch as it was found last; without one, the timestep begins now. If the
        time of day has been set, say so, and let the epoch follow it.
        """
        if before is None:
            return self._epoch_of(timestep)
        clocks = self._clocks
        shown = clocks.read_time() - before.time
        if before.boot == clocks.boot:
            passed = clocks.read_uptime() - before.uptime
            if abs(set_by := shown - passed) < SET:
                return before
            _log.warning(
                "the time of day was set by %+.0f s; the timesteps go on by the time that passed",
                set_by,
            )
            return before._replace(time=clocks.read_time() - passed)
        absent = shown - timestep * self.seconds
        if -self.seconds - SET <= absent <= LONGEST_ABSENCE:
            return Epoch(before.time, clocks.read_uptime() - shown, clocks.boot)
        _log.warning(
            "by the time of day %+.0f s passed since the machine was started again; it must have "
            "been set, so the episode goes on where it was",
            absent,
        )
        return self._epoch_of(timestep)

    async def wait_for(self, timestep: int, epoch: Epoch, *, late: bool = True) -> int:
        """Wait until a timestep begins; return the number of timesteps that have passed since.

        They are a delay if `late`, except those that passed before this process played.
        """
        clocks, begin = self._clocks, epoch.uptime + timestep * self.seconds
        while (left := begin - clocks.read_uptime()) > 0:
            await clocks.sleep(min(left, LONGEST_SLEEP))
        missed = max(0, math.floor((clocks.read_uptime() - epoch.uptime) / self.seconds) - timestep)
        self._ends = epoch.uptime + (timestep + missed + 1) * self.seconds
        if late and self._began is not None:
            self.late += missed * self.seconds
        self._began = begin
        return missed

    def count_left(self) -> float:
        """Return the seconds until the present timestep is over."""
        return max(0.0, self._ends - self._clocks.read_uptime())
