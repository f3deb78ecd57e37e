"""Look-ahead: a trial of a schedule in the simulator, and a plan for when thinking is over.

If thinking takes time, the active schedule goes on until the answer takes effect. So the state of
that timestep is projected along it.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

from cookmas.episodes.base import World, ending, movers
from cookmas.episodes.engine import commands_for, step_with
from cookmas.episodes.reports import QueuedSchedule, duration, find_claimed
from cookmas.episodes.trace import ModelCall
from cookmas.episodes.world import Commands
from cookmas.orchestrator.planner import Entry, Observation, Plan, RunningWork, commands_of

Planning = TypeVar("Planning", bound=Callable[..., Coroutine[Any, Any, Plan]])

TRIED_TIMESTEPS = 10_000
"""Greatest number of timesteps of a trial."""


NOTHING: Mapping[str, RunningWork] = MappingProxyType({})


class Violation(NamedTuple):
    """An action of a schedule that would FAIL."""

    timestep: int
    worker: str
    action: str
    reason: str
    """The world's reason for the FAIL."""
    why: str


def look_ahead(
    world: World,
    state: Any,
    timestep: int,
    schedule: Sequence[Entry],
    *,
    queued: bool = False,
    running: Mapping[str, RunningWork] = NOTHING,
) -> list[Violation]:
    """Return the actions of a well-formed schedule that would FAIL if it were executed.

    The trial begins in `state`, which the world must be able to simulate. It knows neither future
    events nor the ends of faults, so an object that is out of service stays so. It stops at the end
    of the episode. Of workers that cannot move it skips the actions, unless they are `queued`.

    What is `running`, and a long action that begins, holds what it claims. Its worker can only
    cancel it. The trial stops where one of them is expected to end: nobody knows with what result.
    """
    violations: list[Violation] = []
    queue = QueuedSchedule([*map(commands_of, schedule)], timestep, {})
    busy = {name: each.action for name, each in running.items()}
    ends = [max(each.expected, timestep + 1) for each in running.values() if each.expected]
    until = min(ends, default=timestep + TRIED_TIMESTEPS)
    cancel = world.cancel
    now = timestep - 1
    while (now := now + 1) < until and ending(world, state) is None:
        if queued:
            rest = queue.list_rest(now)
        else:
            rest = [[*entry] for entry in queue.entries[now - timestep : now - timestep + 1]]
        if not rest:
            break
        row = [each for each in rest[0] if each.worker not in busy or each.action == cancel]
        if queued:
            begin = {each.worker for each in row}
            moving = [name for name in movers(world, state) if name in begin]
            queue = queue._replace(begun=queue.count_begun(now, moving))
        commands = commands_for(world, state, row)
        claimed = find_claimed(world, state, commands, busy)
        state, outcomes, _ = step_with(world, state, commands, {}, claimed)
        actions = dict(commands)
        busy = {n: each for n, each in busy.items() if n not in running or running[n].expected}
        for worker, action in commands:
            if worker in busy and action == cancel:
                until = now + 1
            elif (
                worker not in busy
                and worker in outcomes
                and outcomes[worker].done
                and (lasts := duration(world, action)) > 1
            ):
                busy[worker] = action
                until = min(until, now + lasts)
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
    return only the agent's own actions. If `queued`, actions of a worker that cannot move wait for
    its move instead of being passed over.
    """
    agent, world = observation.agent, observation.world
    known = world.simulable(observation.state, agent)
    if known is None:
        return []
    if agent is None:
        return look_ahead(
            world, known, observation.timestep, schedule, queued=queued, running=observation.running
        )
    together = [
        {
            **{name: acts[at] for name, acts in observation.decided.items() if at < len(acts)},
            **dict(commands_of(entry)),
        }
        for at, entry in enumerate(schedule)
    ]
    tried = look_ahead(
        world, known, observation.timestep, together, queued=queued, running=observation.running
    )
    return [violation for violation in tried if violation.worker == agent]


class Foresight(NamedTuple):
    """What a planner expects at the timestep at which its answer takes effect."""

    observation: Observation[Any]
    """The observation of that timestep, if nothing happens that the planner does not know."""
    meanwhile: tuple[Commands, ...] = ()
    """The entries of the active schedule until then."""

    def complete(self, plan: Plan) -> Plan:
        """Return the answer to the planner's call: what is under way, and then this plan.

        The plan begins at the timestep at which the answer takes effect.
        """
        if not self.meanwhile:
            return plan
        schedule: list[Entry] = [*self.meanwhile, *plan.schedule]
        return replace(plan, schedule=schedule)


def foresee(observation: Observation[Any], calls: Iterable[ModelCall] | None = None) -> Foresight:
    """Return what a planner expects when its answer takes effect.

    At a price in tokens, `calls` are the model calls for the answer, which say when this is.
    There is nothing to foresee if this is at once, if the world cannot be simulated, if the
    episode ends or all is done by then, or for an agent of a team, which knows only its own
    schedule.
    """
    price, world, timestep = observation.price, observation.world, observation.timestep
    if price is None or observation.agent is not None:
        return Foresight(observation)
    state = world.simulable(observation.state, observation.agent)
    if state is None:
        return Foresight(observation)
    takes = (observation.effect or timestep) - timestep
    if price.unit == "tokens" and calls is not None:
        takes = price.charge(calls).timesteps
    meanwhile = [*observation.underway[:takes]]
    meanwhile += [()] * (takes - len(meanwhile))
    for entry in meanwhile:
        state, _, _ = world.step(state, commands_for(world, state, entry))
        if ending(world, state) is not None or world.is_finished(state):
            return Foresight(observation)
    ahead = replace(
        observation,
        timestep=timestep + takes,
        state=state,
        underway=observation.underway[takes:],
        fails={} if takes else observation.fails,
        price=None,
        effect=None,
    )
    return Foresight(ahead, tuple(meanwhile))


def foreseeing(plan: Planning) -> Planning:
    """Return the method `plan` of a planner so that it gets the foreseen observation.

    Without a price of thinking nothing changes.
    """

    @wraps(plan)
    async def plan_ahead(planner: Any, observation: Observation[Any]) -> Plan:
        ahead = foresee(observation)
        return ahead.complete(await plan(planner, ahead.observation))

    return cast("Planning", plan_ahead)
