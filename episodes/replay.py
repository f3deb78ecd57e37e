"""Replay: simulate a trace again, without planner or workers, and compare every digest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from episodes.capabilities import Alterable
from episodes.instruction import happened
from episodes.trace import EventRecord, ForkRecord, Header, StepRecord, Trace
from episodes.trace_file import check_order
from episodes.world import Command, Outcome, Tally, Trigger, World, digest
from files.errors import InputError, TraceError


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One timestep simulated again.

    `before` is the state the actions met (events applied), `after` what came of them; `found` is
    the digest of `after`, `expected` the one in the trace; `recorded_fails` are the kinds of FAIL
    in the trace, by worker. `world` is the one in which it happened: a fork may have altered it.
    """

    world: Any
    timestep: int
    before: Any
    after: Any
    commands: Sequence[Command]
    outcomes: Mapping[str, Outcome]
    expected: str
    found: str
    recorded_fails: Mapping[str, str]

    @property
    def equal(self) -> bool:
        """Whether the timestep came out as it did in the recorded run, with the same FAILs."""
        fails = {name: outcome.fail for name, outcome in self.outcomes.items() if not outcome.done}
        return self.expected == self.found and self.recorded_fails == fails


def replay(trace: Trace, world: World[Any]) -> Iterator[Frame]:
    """Simulate the timesteps of a trace one after the other, from its events and actions alone.

    Raises TraceError if the trace was made under other rules or with other workers, if its records
    are out of order, if it commands a worker that the world does not have, or, after the last
    timestep, if it ended otherwise than it says.
    """
    check_header(trace.header, world)
    check_order(trace.records, "the trace")
    state = world.start()
    for record in trace.records:
        if isinstance(record, EventRecord):
            state = after_event(record, world, state)
        elif isinstance(record, ForkRecord):
            world = behind_fork(record, world, state)
        elif isinstance(record, StepRecord):
            frame = frame_of(record, world, state)
            state = frame.after
            yield frame
    if trace.end and world.tally(state) != trace.end.tally:
        raise TraceError(
            f"the trace says that it ended with {_told(trace.end.tally)}; "
            f"simulated again it ends with {_told(world.tally(state))}"
        )


def frame_of(record: StepRecord, world: World[Any], before: Any) -> Frame:
    """Simulate a timestep again from the state before it. Raises TraceError like `after_step`."""
    after, outcomes, _ = after_step(record, world, before)
    return Frame(
        world=world,
        timestep=record.timestep,
        before=before,
        after=after,
        commands=record.commands,
        outcomes=outcomes,
        expected=record.digest,
        found=digest(world.dump(after)),
        recorded_fails={name: fail.fail for name, fail in record.fails.items()},
    )


def check_header(header: Header, world: World[Any]) -> None:
    """Whether a trace was made in this world. Raises TraceError if it was not."""
    if (header.world, header.rules) != (world.name, world.rules):
        raise TraceError(
            f"the trace is of {header.world} under rules {header.rules}; "
            f"this is {world.name} under rules {world.rules}"
        )
    if header.workers != list(world.workers):
        raise TraceError(
            f"the trace names the workers {', '.join(header.workers)}; "
            f"its setup has {', '.join(world.workers)}"
        )


def _told(tally: Tally) -> str:
    score = "" if tally.score is None else f", score {tally.score}"
    return f"{tally.done} done, {tally.lost} lost{score}"


def after_event(record: EventRecord, world: World[Any], state: Any) -> Any:
    """The state after an event; what was refused may have been none of this world's."""
    return state if record.refused else happened(world, state, record.event)[0]


def after_step(
    record: StepRecord, world: World[Any], before: Any
) -> tuple[Any, Mapping[str, Outcome], Sequence[Trigger]]:
    """Return what a timestep makes of the state before it, as `World.step` does.

    Raises TraceError if the world knows nobody who could have been given one of the commands.
    """
    if why := world.refusal([Command(each.worker, world.idle) for each in record.commands]):
        raise TraceError(f"timestep {record.timestep} of the trace: {why}")
    return world.step(before, record.commands)


def behind_fork(record: ForkRecord, world: World[Any], state: Any) -> World[Any]:
    """The world in which an episode goes on behind a fork, from this state.

    Raises TraceError if it cannot go on in the world that the fork says.
    """
    if record.setup is None:
        return world
    if not isinstance(world, Alterable):
        raise TraceError(f"the trace alters a {world.name}, which cannot be altered")
    try:
        return world.altered(record.setup, state)
    except InputError as error:
        raise TraceError(f"the trace goes on where it cannot: {error}") from None


def ending(trace: Trace, world: World[Any]) -> tuple[World[Any], Any]:
    """World and state at the end of a trace, events after the last timestep included."""
    state = world.start()
    for record in trace.records:
        if isinstance(record, EventRecord):
            state = after_event(record, world, state)
        elif isinstance(record, ForkRecord):
            world = behind_fork(record, world, state)
        elif isinstance(record, StepRecord):
            state, _, _ = after_step(record, world, state)
    return world, state
