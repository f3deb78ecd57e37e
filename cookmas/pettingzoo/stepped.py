"""An episode that is played from outside, timestep by timestep, without the graph."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from episodes.instruction import happened
from episodes.scenario import Scenario
from episodes.trace import (
    AnyRecord,
    End,
    EventRecord,
    Header,
    Lookup,
    OutcomeRecord,
    StepRecord,
    Termination,
    Trace,
)
from episodes.world import Commands, Outcome, Tally, World, digest


class Stepped:
    """One episode of a scenario; `state` is that which the next actions meet.

    `texts` are those that have been looked up so far: whatever has to be for what is asked for.
    """

    def __init__(self, scenario: Scenario, world: World[Any], header: Header) -> None:
        self.scenario = scenario
        self.world = world
        self.texts: dict[str, str] = {}
        self.timestep = 0
        self._horizon = header.horizon
        self._records: list[AnyRecord] = [header]
        events = sorted(scenario.events(), key=lambda event: event[0])
        self._coming = list(enumerate(events, start=1))
        self.state = world.start()
        self.ended: Termination | None = None
        self._open()

    @property
    def tally(self) -> Tally:
        """How the episode stands."""
        return self.world.tally(self.state)

    def trace(self) -> Trace:
        """What has been recorded so far."""
        return Trace(tuple(self._records))

    def step(self, commands: Commands) -> Mapping[str, Outcome]:
        """Carry out one timestep; the outcome of each worker. Not once it has ended."""
        after, outcomes, _ = self.world.step(self.state, commands)
        self._records.append(
            StepRecord(
                timestep=self.timestep,
                commands=list(commands),
                fails={
                    worker: OutcomeRecord(fail=str(outcome.fail), why=outcome.why)
                    for worker, outcome in outcomes.items()
                    if not outcome.done
                },
                digest=digest(self.world.dump(after)),
            )
        )
        self.state = after
        self.timestep += 1
        self._open()
        return outcomes

    def _open(self) -> None:
        """Apply the events of this timestep, look up what they need, and see whether it is over."""
        over = self._horizon is not None and self.timestep >= self._horizon
        while not over and self._coming and self._coming[0][1][0] <= self.timestep:
            number, (_, event) = self._coming.pop(0)
            self.state, ruling = happened(self.world, self.state, event)
            self._records.append(
                EventRecord(
                    timestep=self.timestep, number=number, event=event, refused=ruling.refused
                )
            )
        if not self._coming and self.world.finished(self.state):
            self._end("finished", "Nothing is left to be done.")
        elif over:
            self._end("horizon", "The last timestep is over.")
        else:
            self._look_up()

    def _look_up(self) -> None:
        for key in self.world.lookups(self.world.observe(self.state)):
            if key not in self.texts:
                self.texts[key] = _got(self.scenario, key)
                record = Lookup(timestep=self.timestep, key=key, text=self.texts[key])
                self._records.append(record)

    def _end(self, how: Termination, why: str) -> None:
        self.ended = how
        end = End(timestep=self.timestep, termination=how, why=why, tally=self.tally)
        self._records.append(end)


def _got(scenario: Scenario, key: str) -> str:
    """A text of a scenario, also within a running event loop. Raises MissingError."""

    async def get() -> str:
        return await scenario.look_up(key)

    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, get()).result()
