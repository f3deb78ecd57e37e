"""An episode that the caller plays timestep by timestep, without the graph."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.engine import Step
from cookmas.episodes.failure import boundary
from cookmas.episodes.play import Play
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.trace import AnyRecord, Header, Lookup, Trace
from cookmas.episodes.world import Commands


class Stepped(Play):
    """One episode of a scenario; `state` is the state to which the next actions apply.

    `texts` has the texts looked up so far, by key. All texts that the open goals need are looked
    up. `carried` has the timesteps that the last call of `step` carried out, each with the state
    before it.
    """

    def __init__(self, scenario: Scenario, world: World, header: Header) -> None:
        self.scenario = scenario
        self.texts: dict[str, str] = {}
        self.carried: list[tuple[Any, Step]] = []
        self._records: list[AnyRecord] = [header]
        super().__init__(world, scenario.events(), header.horizon, self._records.append)
        self._look_up()

    def trace(self) -> Trace:
        """Return the trace of the records so far."""
        return Trace(tuple(self._records))

    def step(self, wanted: Commands) -> Step:
        """Carry out one timestep, and the next ones as long as no worker can move in them.

        Then look up the texts that the open goals need. Return the result of the first timestep.
        """
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
        with boundary(world=self.world):
            due = self.world.lookups(self.world.observe(self.state))
        for key in due:
            if key not in self.texts:
                self.texts[key] = _fetch(self.scenario, key)
                record = Lookup(timestep=self.timestep, key=key, text=self.texts[key])
                self._records.append(record)


def _fetch(scenario: Scenario, key: str) -> str:
    """Return a text of a scenario. The function works inside a running event loop, too.

    Raises MissingError.
    """

    async def get() -> str:
        return await scenario.look_up(key)

    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, get()).result()
