"""Forks: runs that branch off a timestep of another run, their parent, in a folder of their own.

The trace of a fork begins with the unchanged lines of the parent up to this timestep. A record with
the changes from this timestep on follows. The fork needs nothing else, so the parent may be
deleted. `open_run` plays a fork like any other run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.instruction import apply_event
from cookmas.episodes.parts import Arrival
from cookmas.episodes.trace import Chain, EventRecord, ForkRecord, Trace, to_line
from cookmas.episodes.trace_file import iterate_whole_lines, parse_trace
from cookmas.episodes.world import Json
from cookmas.files.errors import InputError
from cookmas.orchestrator.graph.restoring import Rewound, count_kept_records, rewind
from cookmas.orchestrator.runs.folder import TRACE, Parent, RunFile, RunFolder, create_run


class ForkSource:
    """The part of a run before a timestep, from which a fork can branch off.

    The constructor raises InputError if the run does not reach this timestep.
    """

    def __init__(self, run: RunFolder, timestep: int) -> None:
        self.timestep = timestep
        trace = run.path / TRACE
        self._lines = list(iterate_whole_lines(trace))
        self._whole = parse_trace(self._lines, str(trace))
        self.trace = Trace(self._whole.records[: count_kept_records(self._whole, timestep)])

    def rewind(self, world: World) -> Rewound:
        """Return the world and the state of the run at this timestep.

        `world` is the world in which the run began. Raise TraceError if the trace cannot be
        replayed.
        """
        return rewind(self.trace, world)

    def arrivals(self, there: Rewound, events: Iterable[Json]) -> list[Arrival]:
        """Return the events from this timestep on, in addition to those of the scenario.

        They are the events that were injected into the parent from this timestep on, the events
        that the parent's last fork still expects, and the given `events`. Each of the given events
        is written as in a scenario file, with its timestep `at`, by default this timestep. `there`
        is the state at this timestep. Raise InputError if a given event is invalid, or is rejected
        at this timestep.
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
        """Try the given events on the state `there`, after the parent's events of this timestep.

        Raise InputError if a given event of this timestep is rejected, or one of a later timestep
        is invalid.
        """
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

    def fork(
        self,
        folder: Path,
        file: RunFile,
        record: ForkRecord,
        meanings: Mapping[int, Mapping[str, Any]],
    ) -> None:
        """Prepare a folder for the fork that `record` begins.

        `meanings` are those of the events that the fork has from its parent, by number. Raise
        RunError if the folder has a run already.
        """
        kept = self._lines[: len(self.trace.records)]
        chain = Chain.continue_after(kept[-1])
        parent = Parent(run=record.run, timestep=record.timestep, chain=chain.last)
        closed = file.model_copy(update={"parent": parent, **CLOSED})
        create_run(folder, closed, begun=[*kept, chain.close(to_line(record))], meanings=meanings)


CLOSED: Mapping[str, Any] = {
    "pace": None,
    "clock": "simulated",
    "redis": None,
    "checkpoints": None,
    "thread": "episode",
}
"""The fields of `run.json` that a fork does not inherit: it is a closed run in its own folder."""
