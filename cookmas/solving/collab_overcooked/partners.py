"""Scripted partners: one that follows the best plan, and others that work in other ways.

They are deterministic; what a cook draws depends on its seed, its name and the timestep alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.planner import Observation
from cookmas.solving.collab_overcooked.search import TimedSituation, best_plan
from cookmas.solving.collab_overcooked.useful import goal_of
from cookmas.solving.policies import ErringPolicy, NamedPolicy, make_team
from cookmas.worlds.collab_overcooked.rules.actions import read_action, read_requests
from cookmas.worlds.collab_overcooked.rules.engine import refusal
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.collab_overcooked.world import CollabWorld

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
