"""Look-ahead: a trial of a schedule in the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from episodes.capabilities import ending
from episodes.engine import commands_for
from episodes.world import World
from orchestrator.planner import Entry, commands_of


class Violation(NamedTuple):
    """An action of a schedule that would FAIL."""

    timestep: int
    """Timestep of the action."""
    worker: str
    """Name of the worker."""
    action: str
    """The action."""
    reason: str
    """The world's reason for the FAIL."""
    why: str
    """The reason in words."""


def look_ahead(
    world: World[Any], state: Any, timestep: int, schedule: Sequence[Entry]
) -> list[Violation]:
    """Return the actions of a well-formed schedule that would FAIL if it were carried out.

    `state` is the first state and must be one that can be simulated. Future events and the ends of
    faults are unknown here, so what is out of service stays so. The trial skips workers that do not
    move, and stops at the end of the episode.
    """
    violations: list[Violation] = []
    for now, entry in enumerate(schedule, start=timestep):
        if ending(world, state) is not None:
            break
        commands = commands_for(world, state, commands_of(entry))
        state, outcomes, _ = world.step(state, commands)
        actions = dict(commands)
        violations += [
            Violation(
                now, worker, actions[worker], str(outcomes[worker].fail), outcomes[worker].why
            )
            for worker in world.workers
            if worker in actions and not outcomes[worker].done
        ]
    return violations
