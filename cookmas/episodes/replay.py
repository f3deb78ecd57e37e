"""Replay: simulates a trace without planner and workers, and compares every state's digest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.engine import step_with
from cookmas.episodes.instruction import apply_event
from cookmas.episodes.trace import EventRecord, ForkRecord, Header, PartRecord, StepRecord, Trace
from cookmas.episodes.trace_file import check_order
from cookmas.episodes.world import Command, Outcome, Tally, Trigger, digest
from cookmas.files.errors import InputError, TraceError


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One timestep of a trace, simulated again."""

    world: Any
    """The world at this timestep; a fork may have altered it."""
    timestep: int
    before: Any
    """State after the events and before the actions."""
    after: Any
    """State after the actions."""
    commands: Sequence[Command]
    outcomes: Mapping[str, Outcome]
    """Simulated outcome of each worker's action."""
    expected: str
    """Digest of the state after the actions, from the trace."""
    found: str
    """Digest of the simulated state `after`."""
    recorded_fails: Mapping[str, str]
    """Kind of each FAIL in the trace, by worker."""

    @property
    def equal(self) -> bool:
        """True if the simulation reproduces the recorded state and FAILs."""
        return self.expected == self.found and self.recorded_fails == self.fails

    @property
    def fails(self) -> Mapping[str, str | None]:
        """Kind of each simulated FAIL, by worker."""
        return {name: outcome.fail for name, outcome in self.outcomes.items() if not outcome.done}


def replay(trace: Trace, world: World) -> Iterator[Frame]:
    """Simulate the timesteps of a trace in order, from its events and actions alone.

    Raise TraceError if the trace was recorded under other rules or with other workers, if its
    records are out of order, or if it has a command for an unknown worker. After the last timestep,
    raise TraceError if the trace's final score counters differ from the simulated ones.
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
        elif isinstance(record, PartRecord) and world.dump(state) != record.state:
            raise TraceError(
                f"part {record.number} of the trace begins with another state at timestep "
                f"{record.timestep} than that of a simulation"
            )
    if trace.end and world.tally(state) != trace.end.tally:
        raise TraceError(
            f"the trace says that it ended with {_describe(trace.end.tally)}; "
            f"simulated again it ends with {_describe(world.tally(state))}"
        )


def frame_of(record: StepRecord, world: World, before: Any) -> Frame:
    """Simulate one recorded timestep from the state `before`.

    Raise TraceError as `after_step` does.
    """
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


def check_header(header: Header, world: World) -> None:
    """Raise TraceError if a trace was recorded in another world, or with other rules or workers."""
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


def _describe(tally: Tally) -> str:
    score = "" if tally.score is None else f", score {tally.score}"
    return f"{tally.done} done, {tally.lost} lost{score}"


def after_event(record: EventRecord, world: World, state: Any) -> Any:
    """Return the state after a recorded event; a rejected event leaves it unchanged."""
    return state if record.refused else apply_event(world, state, record.event)[0]


def after_step(
    record: StepRecord, world: World, before: Any
) -> tuple[Any, Mapping[str, Outcome], Sequence[Trigger]]:
    """Return the result of `World.step` for a recorded timestep, from the state `before`.

    Raise TraceError if a command names an unknown worker.
    """
    if why := world.refusal([Command(each.worker, world.idle) for each in record.commands]):
        raise TraceError(f"timestep {record.timestep} of the trace: {why}")
    return step_with(world, before, record.commands, record.reports or {}, record.claimed or {})


def behind_fork(record: ForkRecord, world: World, state: Any) -> World:
    """Return the world in which an episode continues after a fork.

    This is `world` itself if the fork did not alter the world. `state` is the state at the fork.
    Raise TraceError if the episode cannot continue from this state in the recorded setup.
    """
    if record.setup is None:
        return world
    try:
        return world.alter(record.setup, state)
    except InputError as error:
        raise TraceError(f"the episode cannot continue in the altered world: {error}") from None


def replay_to_end(trace: Trace, world: World) -> tuple[World, Any]:
    """Return the world and the state at the end of a trace, after all its events."""
    state = world.start()
    for record in trace.records:
        if isinstance(record, EventRecord):
            state = after_event(record, world, state)
        elif isinstance(record, ForkRecord):
            world = behind_fork(record, world, state)
        elif isinstance(record, StepRecord):
            state, _, _ = after_step(record, world, state)
    return world, state
