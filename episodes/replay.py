"""Replay: simulate a trace again, without planner or workers, and compare every digest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from episodes.errors import TraceError
from episodes.trace import EventRecord, StepRecord, Trace
from episodes.world import Command, Outcome, World, digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One timestep simulated again.

    `before` is the state the actions met (events applied), `after` what came of them; `found` is
    the digest of `after`, `expected` the one in the trace.
    """

    timestep: int
    before: Any
    after: Any
    commands: Sequence[Command]
    outcomes: Mapping[str, Outcome]
    expected: str
    found: str

    @property
    def equal(self) -> bool:
        """Whether the timestep came out as it did in the recorded run."""
        return self.expected == self.found


def replay(trace: Trace, world: World[Any]) -> Iterator[Frame]:
    """Simulate the timesteps of a trace one after the other, from its events and actions alone.

    Raises TraceError if the trace was made under other rules.
    """
    header = trace.header
    if (header.world, header.rules) != (world.name, world.rules):
        raise TraceError(
            f"the trace is of {header.world} under rules {header.rules}; "
            f"this is {world.name} under rules {world.rules}"
        )
    state = world.start()
    for record in trace.records:
        if isinstance(record, EventRecord):
            state = _after(record, world, state)
        elif isinstance(record, StepRecord):
            before = state
            state, outcomes, _ = world.step(state, record.commands)
            yield Frame(
                timestep=record.timestep,
                before=before,
                after=state,
                commands=record.commands,
                outcomes=outcomes,
                expected=record.digest,
                found=digest(world.dump(state)),
            )


def _after(record: EventRecord, world: World[Any], state: Any) -> Any:
    """The state after an event; what was refused may have been none of this world's."""
    return state if record.refused else world.apply(state, record.event)[0]


def final_state(trace: Trace, world: World[Any]) -> Any:
    """The state at the end of a trace, events after the last timestep included."""
    state = world.start()
    for record in trace.records:
        if isinstance(record, EventRecord):
            state = _after(record, world, state)
        elif isinstance(record, StepRecord):
            state, _, _ = world.step(state, record.commands)
    return state
