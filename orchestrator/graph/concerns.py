"""Which agents are asked at a timestep, and what each agent is told.

The one planner is asked whenever something triggers it. In a team those are asked whom it concerns,
once it is their move.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from episodes.capabilities import movers
from episodes.engine import Fails, exhausted
from episodes.world import Trigger, is_told
from orchestrator.graph.state import (
    THE_PLANNER,
    Context,
    fails_data,
    fails_of,
    trigger_data,
    trigger_of,
)
from orchestrator.member import Team

MOST_UNTOLD = 16
"""Triggers that are kept for an agent until it is its move; the oldest goes first."""

Untold = Mapping[str, dict[str, Any]]
"""For each agent the `triggers` and `fails` that it has not been told yet, as plain data."""

_NOTHING: dict[str, Any] = {"triggers": [], "fails": {}}


def agents(context: Context) -> tuple[str, ...]:
    """Return the agents of a team, in the order of the workers, or the one planner."""
    team = context.planner
    if not isinstance(team, Team):
        return (THE_PLANNER,)
    return tuple(name for name in context.world.workers if name in team.members)


def exhausted_of(ran_out: Sequence[str], world: Any, context: Context) -> list[Trigger]:
    """What is triggered since schedules have run out, in a team for those whose move it is.

    Those who are asked at every timestep need no trigger.
    """
    team = context.planner
    if not isinstance(team, Team):
        return [exhausted()] if ran_out else []
    moving = movers(context.world, world)
    to = [name for name in ran_out if name in moving and name not in team.stepwise]
    return [exhausted(to)] if to else []


def asked_of(
    triggers: Sequence[Trigger], untold: Untold, world: Any, context: Context
) -> tuple[str, ...]:
    """Return the agents that are asked now: a trigger concerns them, or they need none."""
    team = context.planner
    if not isinstance(team, Team):
        return (THE_PLANNER,) if triggers else ()
    stepwise = () if context.world.finished(world) else team.stepwise
    moving = movers(context.world, world)
    return tuple(
        name
        for name in agents(context)
        if name in moving
        and (name in stepwise or name in untold or any(each.concerns(name) for each in triggers))
    )


def still_untold(
    asked: Collection[str],
    triggers: Sequence[Trigger],
    fails: Fails,
    untold: Untold,
    context: Context,
) -> Untold:
    """Return what the other agents of a team are told when they are asked next."""
    if not isinstance(context.planner, Team):
        return untold
    return left_untold(agents(context), asked, triggers, fails, untold)


def left_untold(
    names: Collection[str],
    asked: Collection[str],
    triggers: Sequence[Trigger],
    fails: Fails,
    untold: Untold,
) -> dict[str, dict[str, Any]]:
    """Return what the agents that are not asked now are told when they are asked next."""
    later = dict(untold)
    for name in names:
        mine = [trigger_data(trigger) for trigger in triggers if trigger.concerns(name)]
        if mine and name not in asked:
            before = later.get(name, _NOTHING)
            later[name] = {
                "triggers": [*before["triggers"], *mine][-MOST_UNTOLD:],
                "fails": {**before["fails"], **fails_data(visible(fails, name))},
            }
    return later


def told(
    agent: str, triggers: Sequence[Trigger], fails: Fails, untold: Untold
) -> tuple[tuple[Trigger, ...], Fails]:
    """Return what concerns an agent and has come since it was asked last."""
    before = untold.get(agent, _NOTHING)
    mine = [trigger for trigger in triggers if trigger.concerns(agent)]
    return (
        (*map(trigger_of, before["triggers"]), *mine),
        {**fails_of(before["fails"]), **visible(fails, agent)},
    )


def visible(fails: Fails, agent: str) -> Fails:
    """Return the FAILs that an agent is told: its own, and those it witnesses."""
    return {
        worker: fail for worker, fail in fails.items() if is_told(agent, worker, fail[1].witnesses)
    }
