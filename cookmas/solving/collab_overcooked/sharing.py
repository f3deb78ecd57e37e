"""A team that shares its schedule: who reads the recipe plans for all, and tells them the plan.

The plan is one message at timestep 0. It has each action with the timestep at which it begins and
the name of its cook; what another cook has to do is a request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from cookmas.episodes.conversation import requests_in
from cookmas.orchestrator.member import Turn
from cookmas.solving.collab_overcooked.partners import (
    Seen,
    count_carried_out,
    list_planned_actions,
    reference_action,
)
from cookmas.solving.policies import make_team
from cookmas.worlds.collab_overcooked.rules.actions import read_action
from cookmas.worlds.collab_overcooked.world import CollabWorld
from cookmas.worlds.grids.lasting import UnableError

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
