"""Cooks without a model: the one that follows the best plan, partners with other rules, the oracle.

They are deterministic; what a cook draws depends on its seed, its name and the timestep alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from cookmas.episodes.conversation import requests_in
from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.collab_overcooked.search import TimedSituation, best_plan, fewest_timesteps
from cookmas.solving.collab_overcooked.useful import goal_of
from cookmas.solving.policies import ErringPolicy, NamedPolicy, make_team
from cookmas.worlds.collab_overcooked.rules.actions import read_action, read_requests
from cookmas.worlds.collab_overcooked.rules.engine import refusal
from cookmas.worlds.collab_overcooked.rules.kitchen import Tables
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.collab_overcooked.world import CollabWorld
from cookmas.worlds.grids.lasting import UnableError

Seen = Observation[CollabState]


def act_by_plan(observation: Seen) -> str:
    """Return the action of the reference cook."""
    assert isinstance(observation.world, CollabWorld)
    return reference_action(observation.world, observation.state, observation.agent or "")


def reference_action(world: CollabWorld, state: CollabState, cook: str) -> str:
    """Return the action of the reference cook in a state as the cook sees it.

    It is the planned action, or else one that leads towards the dish, or that removes what is in
    the way. The cook knows the recipes of the book by heart; for other dishes it needs to see the
    recipe.
    """
    goal = goal_of(world.kitchen, state.order or "", state.tables)
    if goal is None:
        return world.idle
    plan = best_plan(goal)
    here = TimedSituation(state.scene, state.doing).key
    if plan is not None and plan.situations[state.timestep : state.timestep + 1] == (here,):
        return plan.begun[state.timestep].get(cook, world.idle)
    number = world.kitchen.cooks.index(cook)
    for action in (*goal.useful(state.scene, number), *goal.clearing(state.scene, number)):
        if refusal(world.sight(state, number), action) is None:
            return str(action)
    return world.idle


class AskingCook:
    """The reference cook that asks the others, at timestep 0, for all that they have to do."""

    stepwise = True

    async def turn(self, observation: Seen) -> Turn:
        """Return the reference cook's action, and at the first timestep the requests."""
        spoken = any(each.agent == observation.agent for each in observation.talk)
        begins = observation.timestep == 0 and not spoken
        asked = [
            f"request('{action}')"
            for _, cook, action in (list_planned_actions(observation) if begins else ())
            if cook != observation.agent
        ]
        return Turn(say="; ".join(asked), actions=[act_by_plan(observation)])


def list_planned_actions(observation: Seen) -> Iterator[tuple[int, str, str]]:
    """Yield the actions of the best plan: the timestep, the cook and the action, without waits."""
    world, state = observation.world, observation.state
    assert isinstance(world, CollabWorld)
    goal = goal_of(world.kitchen, state.order or "", state.tables)
    plan = None if goal is None else best_plan(goal)
    for timestep, begun in enumerate(() if plan is None else plan.begun):
        for cook, action in begun.items():
            if action != world.idle:
                yield timestep, cook, action


def obey(observation: Seen) -> str:
    """Return the first requested action that is not done yet.

    If there is none, or it is not legal now, wait.
    """
    world, state = observation.world, observation.state
    asked = requests(observation)
    number = world.workers.index(observation.agent or "")
    done = count_carried_out([str(read_action(text)) for text in state.done[number]], asked)
    wanted = asked[done] if done < len(asked) else ""
    return wanted if wanted in world.legal(state, observation.agent or "") else world.idle


def hold_back(observation: Seen) -> str:
    """Return the reference cook's action once something has been said, and wait before."""
    said = [*observation.heard, *observation.talk]
    if any(each.agent != observation.agent for each in said):
        return act_by_plan(observation)
    return observation.world.idle


def requests(observation: Seen) -> list[str]:
    """Return the actions that others have asked for with `request('...')`, the oldest first."""
    found: list[str] = []
    for said in (*observation.heard, *observation.talk):
        if said.agent != observation.agent:
            found += map(str, read_requests(said.text))
    return found


def count_carried_out(done: Sequence[str], asked: Sequence[str]) -> int:
    """Return how many requests, from the first on, were carried out in order."""
    count = 0
    for action in done:
        if count < len(asked) and action == asked[count]:
            count += 1
    return count


REFERENCE = partial(NamedPolicy, "reference", act_by_plan)
"""The cook that follows a plan with the fewest timesteps."""

ASKING = partial(make_team, "asking", AskingCook)
"""The team with an asking cook for each seat."""

OBEDIENT = partial(NamedPolicy, "obedient", obey)
"""The cook that does only what it is asked for, in the order in which it is asked."""

RESERVED = partial(NamedPolicy, "reserved", hold_back)
"""The reference cook that waits until its partner has said something."""

ERRING = partial(ErringPolicy, "erring", 0.2, REFERENCE())
"""The reference cook, with a share of its moves drawn."""


_ENTRY = re.compile(r"\s*([0-9]{1,3}) ([^:]+): (request\(.*\))\s*")


class SharedAction(NamedTuple):
    """An action of a shared schedule that this cook has to do."""

    timestep: int
    """The timestep at which it begins."""
    action: str


class SharingCook:
    """A cook of the team: it shares the schedule, or follows the one that another cook shared."""

    stepwise = True

    async def turn(self, observation: Seen) -> Turn:
        """Return the next action, and from the cook that plans at timestep 0 the schedule."""
        world, state, own = observation.world, observation.state, observation.agent or ""
        assert isinstance(world, CollabWorld)
        leader = next(name for name in world.workers if name in world.kitchen.readers)
        if own == leader:
            spoken = any(each.agent == own for each in observation.talk)
            begins = observation.timestep == 0 and not spoken
            say = _schedule_of_all(observation) if begins else ""
            return Turn(say=say, actions=[reference_action(world, state, own)])
        shared = [
            each
            for said in (*observation.heard, *observation.talk)
            if said.agent == leader
            for each in read_shared(said.text, own)
        ]
        done = [str(read_action(text)) for text in state.done[world.workers.index(own)]]
        return Turn(actions=[_follow(observation, shared, done)])


SHARING = partial(make_team, "sharing", SharingCook)
"""The team with a sharing cook in each seat."""


def _schedule_of_all(observation: Seen) -> str:
    """Return the plan with the fewest timesteps as a message; empty if there is no plan."""
    entries = []
    for timestep, cook, action in list_planned_actions(observation):
        told = action if cook == observation.agent else f"request('{action}')"
        entries.append(f"{timestep} {cook}: {told}")
    return "; ".join(entries)


def read_shared(text: str, cook: str) -> Iterator[SharedAction]:
    """Yield what a shared schedule requests of a cook; leave out whatever cannot be read."""
    for entry in text.split(";"):
        matched = _ENTRY.fullmatch(entry)
        if matched is None or matched[2] != cook:
            continue
        for action in requests_in(matched[3]):
            try:
                yield SharedAction(int(matched[1]), str(read_action(action)))
            except UnableError:
                continue


def _follow(observation: Seen, shared: Sequence[SharedAction], done: Sequence[str]) -> str:
    """Return the first action of the schedule that is not done, once its time has come.

    If its time has not come, or it is not legal now, wait.
    """
    world, cook = observation.world, observation.agent or ""
    count = count_carried_out(done, [each.action for each in shared])
    if count == len(shared) or shared[count].timestep > observation.timestep:
        return world.idle
    wanted = shared[count].action
    return wanted if wanted in world.legal(observation.state, cook) else world.idle


class CollabOracle:
    """A planner that follows the best plan from the beginning; it is a yardstick."""

    name = "oracle"
    planner_class: PlannerClass = "oracle"

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def plan(self, observation: Observation[CollabState]) -> Plan:
        """Return the whole plan at the beginning; give up later, where it no longer fits."""
        world = observation.world
        assert isinstance(world, CollabWorld)
        if observation.timestep:
            return Plan(schedule=[], gave_up="the plan was not carried out as it was made")
        goal = goal_of(world.kitchen, observation.state.order or "", self._tables)
        found = None if goal is None else fewest_timesteps(goal)
        if found is None:
            return Plan(schedule=[], gave_up="no plan was found")
        return Plan(schedule=list(found.begun), reasoning=f"{len(found.begun)} timesteps")
