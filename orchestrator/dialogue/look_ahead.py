"""Look-ahead: a schedule tried out in the simulator, from what may be simulated."""

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
    worker: str
    action: str
    reason: str
    why: str


def look_ahead(
    world: World[Any], state: Any, timestep: int, schedule: Sequence[Entry]
) -> list[Violation]:
    """Which actions of a well-formed schedule would FAIL if it were carried out from `state` on.

    Events to come and the end of faults are not known here, so what is out of service stays so.
    Nothing is tried of whoever does not move, nor behind the end of the episode.
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
