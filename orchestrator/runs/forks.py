"""Forks: runs that go on from a timestep of another run, in a folder of their own.

In the folder a trace is prepared: the lines of the parent up to the timestep, as they are, and a
record that says what is otherwise from here on. That is all a fork needs, also once its parent is
gone; `open_run` plays it like any other run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from episodes.chain import Chain
from episodes.instruction import apply_event
from episodes.parts import Arrival
from episodes.trace import EventRecord, ForkRecord, Trace, to_line
from episodes.world import Json, World
from files.errors import InputError
from orchestrator.graph.restoring import Rewound, count_kept_records, rewind
from orchestrator.runs.folder import Parent, RunFile, RunFolder, create_run


class Past:
    """A run up to the beginning of a timestep. Raises InputError if it does not reach so far."""

    def __init__(self, run: RunFolder, timestep: int) -> None:
        self.timestep = timestep
        self._lines = run.trace.read().lines
        self._whole = run.trace.read().trace
        self.trace = Trace(self._whole.records[: count_kept_records(self._whole, timestep)])

    def rewind(self, world: World[Any]) -> Rewound:
        """Return the state of the run then; `world` is the one in which it began. Raises
        TraceError.
        """
        return rewind(self.trace, world)

    def arrivals(self, there: Rewound, events: Iterable[Json]) -> list[Arrival]:
        """Return the events from then on, in addition to the scenario's. First come those injected
        into the parent later, then further `events`, written as in a scenario's file, each `at` a
        timestep or at once. Raises InputError for an invalid event, or for an event that is refused
        at once.
        """
        injected = [(e.timestep, e.event) for e in self._whole.of(EventRecord) if e.injected]
        later = [Arrival(*each) for each in injected if each[0] >= self.timestep]
        forks = list(self._whole.of(ForkRecord))[-1:]
        later += [each for fork in forks for each in fork.coming if tuple(each) not in injected]
        given = [self._arrival(number, dict(event)) for number, event in enumerate(events, start=1)]
        self._try(there, given)
        return sorted([*later, *given], key=lambda arrival: arrival.timestep)

    def _arrival(self, number: int, event: dict[str, Any]) -> Arrival:
        at = event.pop("at", self.timestep)
        if type(at) is not int or at < self.timestep:
            raise InputError(
                f"event {number}, at", f"expected a timestep from {self.timestep} on, not {at!r}"
            )
        return Arrival(at, event)

    def _try(self, there: Rewound, given: Iterable[Arrival]) -> None:
        """Let happen what comes at once, behind what came then anyway; of the rest see the form."""
        state = there.seen
        for record in self._whole.of(EventRecord):
            if record.timestep == self.timestep and not record.refused:
                state, _ = apply_event(there.world, state, record.event)
        for number, arrival in enumerate(given, start=1):
            after, ruling = apply_event(there.world, state, arrival.event)
            if arrival.timestep == self.timestep:
                if ruling.refused:
                    raise InputError(f"event {number}", ruling.refused)
                state = after

    def fork(self, folder: Path, file: RunFile, record: ForkRecord) -> None:
        """Prepare a folder for the run that `record` begins. Raises RunError if it has one."""
        kept = self._lines[: len(self.trace.records)]
        chain = Chain.continue_after(kept[-1])
        parent = Parent(run=record.run, timestep=record.timestep, chain=chain.last)
        closed = file.model_copy(update={"parent": parent, **CLOSED})
        create_run(folder, closed, begun=[*kept, chain.close(to_line(record))])


CLOSED: Mapping[str, Any] = {"pace": None, "redis": None, "checkpoints": None, "thread": "episode"}
"""What a fork does not take over: nobody sends it anything while it is played."""
