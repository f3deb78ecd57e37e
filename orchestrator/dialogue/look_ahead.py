"""Look-ahead: a trial of a schedule in the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cookmas.episodes.base import World, ending, movers
from cookmas.episodes.engine import commands_for
from cookmas.episodes.queued import QueuedSchedule
from cookmas.episodes.reports import find_claimed, step_with
from cookmas.orchestrator.planner import Entry, Observation, commands_of

TRIED_TIMESTEPS = 10_000
"""Greatest number of timesteps of a trial."""


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
    world: World,
    state: Any,
    timestep: int,
    schedule: Sequence[Entry],
    *,
    queued: bool = False,
) -> list[Violation]:
    """Return the actions of a well-formed schedule that would FAIL if it were executed.

    The trial begins in `state`, which the world must be able to simulate. It knows neither future
    events nor the ends of faults, so an object that is out of service stays so. It stops at the end
    of the episode. Of workers that cannot move it skips the actions, unless they are `queued`.
    """
    violations: list[Violation] = []
    queue = QueuedSchedule([*map(commands_of, schedule)], timestep, {})
    now = timestep - 1
    while (now := now + 1) < timestep + TRIED_TIMESTEPS and ending(world, state) is None:
        if queued:
            rest = queue.list_rest(now)
            queue = queue._replace(begun=queue.count_begun(now, movers(world, state)))
        else:
            rest = [[*entry] for entry in queue.entries[now - timestep : now - timestep + 1]]
        if not rest:
            break
        commands = commands_for(world, state, rest[0])
        claimed = find_claimed(world, state, commands, {})
        state, outcomes, _ = step_with(world, state, commands, {}, claimed)
        actions = dict(commands)
        violations += [
            Violation(
                now, worker, actions[worker], str(outcomes[worker].fail), outcomes[worker].why
            )
            for worker in world.workers
            if worker in actions and not outcomes[worker].done
        ]
    return violations


def try_out(
    observation: Observation[Any], schedule: Sequence[Entry], *, queued: bool = False
) -> list[Violation]:
    """Return the actions of a schedule that would FAIL; none if the state cannot be simulated.

    In a team, simulate the agent's schedule together with the known decisions of other agents, and
    return only the agent's own actions. `queued` is as in `look_ahead`.
    """
    agent, world = observation.agent, observation.world
    known = world.simulable(observation.state, agent)
    if known is None:
        return []
    if agent is None:
        return look_ahead(world, known, observation.timestep, schedule, queued=queued)
    together = [
        {
            **{name: acts[at] for name, acts in observation.decided.items() if at < len(acts)},
            **dict(commands_of(entry)),
        }
        for at, entry in enumerate(schedule)
    ]
    tried = look_ahead(world, known, observation.timestep, together, queued=queued)
    return [violation for violation in tried if violation.worker == agent]
