"""Foresight: a plan from the timestep at which the answer takes effect, if thinking takes time.

Until then the active schedule goes on. So the state is projected along it.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from functools import wraps
from typing import Any, NamedTuple, TypeVar, cast

from cookmas.episodes.base import ending
from cookmas.episodes.engine import commands_for
from cookmas.episodes.trace import ModelCall
from cookmas.episodes.world import Commands
from cookmas.orchestrator.planner import Entry, Observation, Plan

Planning = TypeVar("Planning", bound=Callable[..., Coroutine[Any, Any, Plan]])


class Foresight(NamedTuple):
    """What a planner expects at the timestep at which its answer takes effect."""

    observation: Observation[Any]
    """The observation of that timestep, if nothing happens that the planner does not know."""
    meanwhile: tuple[Commands, ...] = ()
    """The entries of the active schedule until then."""

    def complete(self, plan: Plan) -> Plan:
        """Return a plan that begins at that timestep, as an answer to the call."""
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
