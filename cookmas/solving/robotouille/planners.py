"""The planners of Robotouille that need no model.

The embedded one searches for a schedule of all dishes. The others make one dish after the other, in
the order of a rule: for each dish alone they search for a schedule of all robots. The goal has no
due times, so the most urgent dish is the one that takes longest. A goal of another domain, such as
the biology bench, counts as one job, for which all rules do the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.dispatching import RULES, Job
from cookmas.solving.robotouille.kitchen_estimate import KitchenEstimate
from cookmas.solving.robotouille.kitchen_search import (
    MOST_ROBOTS,
    Row,
    read_kitchen_dishes,
    serve_in_turn,
)
from cookmas.solving.robotouille.kitchen_states import NamelessKitchen
from cookmas.solving.robotouille.search import find_schedule, find_schedule_alone
from cookmas.worlds.robotouille.rules.domain_file import read_shipped
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld


class EmbeddedPlanner:
    """A planner that searches for a schedule until the goal, for all robots.

    As the agent of one robot it expects that the others do their part. If it is called after a
    timestep in which another one waited, it prefers a schedule in which its robot acts alone.
    """

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    @foreseeing
    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a schedule until the goal; give up if the search finds none."""
        world: Any = observation.world
        agent, found = observation.agent, None
        waited = any(x.worker != agent and x.action == world.idle for x in observation.did)
        if agent and waited:
            found = find_schedule_alone(world, observation.state, agent)
        found = found or find_schedule(world, observation.state)
        if not found:
            return Plan(schedule=(), gave_up="the search found no schedule")
        remarks = [f"the goal is reached after {len(found)} timesteps", *observation.unread]
        return Plan(schedule=found, reasoning="; ".join(remarks))


ELSEWHERE = (
    f"the rule orders only dishes that are stacks or soups, for at most {MOST_ROBOTS} robots"
)


class DispatchingPlanner:
    """A planner that makes the dishes in the order of the dispatching rule that has its name."""

    planner_class: PlannerClass = "embedded"

    def __init__(self, rule: str) -> None:
        self.name = rule

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a schedule until the goal; give up if a dish cannot be made by the rule."""
        world: Any = observation.world
        kitchen = world.domain.digest == read_shipped("kitchen").digest
        if kitchen and read_kitchen_dishes(world) is None:
            return Plan(schedule=(), gave_up=ELSEWHERE)
        found = find_dispatched(world, observation.state, self.name)
        if found is None:
            return Plan(schedule=(), gave_up="the rule leads to a dish that was not found")
        remarks = [f"the goal is reached after {len(found)} timesteps", *observation.unread]
        return Plan(schedule=found, reasoning="; ".join(remarks))


def find_dispatched(world: RobotouilleWorld, state: FactState, rule: str) -> list[Row] | None:
    """Return a schedule that makes one dish after the other in the order of a rule; None if none
    is found.

    A goal of another domain counts as one job.
    """
    dishes = read_kitchen_dishes(world)
    if dishes is None:
        return find_schedule(world, state)

    def choose(left: Sequence[int], now: FactState) -> int:
        return min(left, key=lambda number: RULES[rule](job(number, now)))

    def job(number: int, now: FactState) -> Job:
        kitchen = NamelessKitchen(world, [dishes[number]], now)
        estimate = KitchenEstimate(kitchen)
        return Job(number, estimate.work(kitchen.start), estimate.of(kitchen.start))

    found = serve_in_turn(world, dishes, state, choose)
    return found[0] if found and world.goal.is_reached(found[1].true) else None


FIRST_COME = partial(DispatchingPlanner, "first-come")
SHORTEST_FIRST = partial(DispatchingPlanner, "shortest-first")
MOST_WORK = partial(DispatchingPlanner, "most-work")
MOST_URGENT = partial(DispatchingPlanner, "most-urgent")
