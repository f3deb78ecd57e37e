"""The clocks of a machine that a test moves: its uptime, and a time of day that can be set."""

from __future__ import annotations

import asyncio

from cookmas.orchestrator.pace import Clocks


class Time(Clocks):
    """Clocks of which `now` is the uptime, and `ahead` how far the time of day has been set.

    A sleep takes as long as it says, and wakes those who `wait` for as long.
    """

    def __init__(self, now: float = 1000.0, ahead: float = 1e9, boot: str = "first") -> None:
        self.boot, self.now, self.ahead = boot, now, ahead
        self.slept: list[float] = []
        self._waiting: list[tuple[float, asyncio.Event]] = []

    def read_time(self) -> float:
        return self.now + self.ahead

    def read_uptime(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Let the time pass, and those act who wait for it."""
        self.slept.append(seconds)
        self.now += seconds
        for until, event in self._waiting:
            if until <= self.now:
                event.set()
        for _ in range(10):
            await asyncio.sleep(0)

    async def wait(self, seconds: float) -> None:
        """Wait until so much time has passed."""
        event = asyncio.Event()
        self._waiting.append((self.now + seconds, event))
        await event.wait()

    def restart(self) -> None:
        """Start the machine anew: its uptime begins again, and its time of day goes on."""
        self.ahead += self.now
        self.now, self.boot = 0.0, "second"
