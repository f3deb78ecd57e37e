"""What evaluators look at: the trace simulated again, and the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from episodes.replay import Frame
from episodes.trace import ForkRecord, Trace
from episodes.world import Outcome, World
from evals.verdict import Check


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What one worker did at one timestep, and what came of it."""

    timestep: int
    worker: str
    action: str
    outcome: Outcome


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A finished episode as evaluators see it; a world adds what its own evaluators need.

    `frames` are its timesteps simulated again, `final` the state at the end, in `world`, which a
    fork may have altered; `truth` is what the world's evaluators judge by.
    """

    trace: Trace
    truth: Any
    world: World[Any]
    frames: tuple[Frame, ...]
    final: Any

    @property
    def altered(self) -> str | None:
        """That the world was altered while the episode went on, in words; None if it was not."""
        forks = (fork for fork in self.trace.of(ForkRecord) if fork.setup is not None)
        return next((f"altered at timestep {fork.timestep}" for fork in forks), None)

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Everything the workers did, by timestep and worker; who did nothing idled."""
        return tuple(self._acts())

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
"""Judges one aspect of an episode from the evidence alone."""

Evaluators = Mapping[str, Evaluator]
