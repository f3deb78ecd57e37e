"""Evidence: the data that evaluators read, which are the replayed trace and the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.replay import Frame
from cookmas.episodes.reports import failure_in
from cookmas.episodes.trace import End, EventRecord, ForkRecord, Trace
from cookmas.episodes.world import Outcome
from cookmas.evals.verdict import Check


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One worker's action at one timestep, and its outcome."""

    timestep: int
    worker: str
    action: str
    """The action, in the world's notation."""
    outcome: Outcome
    """The outcome: the action was done, or it failed for a reason."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The data of a finished episode for evaluators; a world may add data for its own evaluators.

    The timesteps are simulated again from the trace.
    """

    trace: Trace
    truth: Any
    """The truth by which the world's evaluators judge; planners never see it."""
    world: World
    """The world at the end of the episode, which a fork may have altered."""
    frames: tuple[Frame, ...]
    """The timesteps of the trace, simulated again."""
    final: Any
    """The state at the end of the episode."""

    @property
    def end(self) -> End:
        """The end of the episode; every episode with evidence has one."""
        assert self.trace.end is not None
        return self.trace.end

    @property
    def altered(self) -> str | None:
        """A phrase with the timestep at which a fork first altered the world; None if none did."""
        forks = (fork for fork in self.trace.of(ForkRecord) if fork.setup is not None)
        return next((f"altered at timestep {fork.timestep}" for fork in forks), None)

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """All actions by timestep and worker; a worker without a command idles."""
        return tuple(self._acts())

    @cached_property
    def failed_work(self) -> tuple[Act, ...]:
        """The long actions that failed, each at the timestep of its end."""
        ends = [(each.timestep, failure_in(each.event)) for each in self.trace.of(EventRecord)]
        return tuple(
            Act(timestep=timestep, worker=found[0], action=found[1], outcome=found[2])
            for timestep, found in ends
            if found
        )

    def _acts(self) -> Iterator[Act]:
        for frame in self.frames:
            actions = dict(frame.commands)
            for worker in self.world.workers:
                yield Act(
                    timestep=frame.timestep,
                    worker=worker,
                    action=actions.get(worker, self.world.idle),
                    outcome=frame.outcomes[worker],
                )


Evaluator = Callable[[Any], Iterable[Check]]
"""A function that judges one aspect of an episode from the evidence alone."""

Evaluators = Mapping[str, Evaluator]
