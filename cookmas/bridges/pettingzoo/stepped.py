"""An episode that is played from outside, timestep by timestep, without the graph."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from episodes.engine import Play, Step
from episodes.failure import naming
from episodes.scenario import Scenario
from episodes.trace import AnyRecord, Header, Lookup, Trace
from episodes.world import Commands, World


class Stepped(Play):
    """One episode of a scenario; `state` is that which the next actions meet.

    `texts` are those that have been looked up so far: whatever has to be for what is asked for.
    `carried` are the timesteps since the last actions were given: each with the state before it.
    """

    def __init__(self, scenario: Scenario, world: World[Any], header: Header) -> None:
        self.scenario = scenario
        self.texts: dict[str, str] = {}
        self.carried: list[tuple[Any, Step]] = []
        self._records: list[AnyRecord] = [header]
        super().__init__(world, scenario.events(), header.horizon, self._records.append)
        self._look_up()

    def trace(self) -> Trace:
        """What has been recorded so far."""
        return Trace(tuple(self._records))

    def step(self, wanted: Commands) -> Step:
        """Carry out one timestep, and look up what the next one needs."""
        self.carried = []
        done = super().step(wanted)
        self._look_up()
        return done

    def _carry_out(self, commands: Commands) -> Step:
        before = self.state
        done = super()._carry_out(commands)
        self.carried.append((before, done))
        return done

    def _look_up(self) -> None:
        if self.ended:
            return
        with naming(self.world):
            due = self.world.lookups(self.world.observe(self.state))
        for key in due:
            if key not in self.texts:
                self.texts[key] = _got(self.scenario, key)
                record = Lookup(timestep=self.timestep, key=key, text=self.texts[key])
                self._records.append(record)


def _got(scenario: Scenario, key: str) -> str:
    """A text of a scenario, also within a running event loop. Raises MissingError."""

    async def get() -> str:
        return await scenario.look_up(key)

    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, get()).result()
