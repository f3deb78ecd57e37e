"""Collaborations: what the cook with the recipe asks for, and what its partner does about it."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.episodes.world import Command
from cookmas.evals.requests import (
    PartnerRequest,
    capabilities,
    collaborations,
    find_requests,
    fulfilment,
)
from cookmas.evals.verdict import Check
from cookmas.worlds.collab_overcooked.evaluators.histories import CookEvidence, read

AWAITED_TIMESTEPS = 60
"""Greatest number of timesteps in which an action is awaited."""


def collaboration(evidence: CookEvidence) -> Iterator[Check]:
    """Yield the initiating and responding capability, and the result of each request.

    The cook that reads the recipe initiates, its partner responds. The number of required
    collaborations is the number of actions that the partner has to do. Without references
    (`CookEvidence.references`) the capabilities are left out. Yield nothing unless there are two
    cooks, exactly one of them reads the recipe, and this cook has begun a talk or made a request.
    """
    cooks, readers = evidence.world.workers, evidence.world.kitchen.readers
    chefs = [name for name in cooks if name in readers]
    if len(cooks) != 2 or len(chefs) != 1:
        return
    (chef,) = chefs
    (partner,) = (name for name in cooks if name != chef)
    requests = find_requests(evidence.trace, chef, partner, read)
    if not requests:
        return
    steps = evidence.steps
    if evidence.references is not None:
        own = evidence.references[partner]
        yield from capabilities(collaborations(requests, steps, own), own, len(own[0]))
    yield from fulfilment(requests, steps, lambda request: fewest(evidence, request))


def fewest(evidence: CookEvidence, request: PartnerRequest) -> int | None:
    """Return the fewest timesteps in which the partner can do the first action of a request.

    Return None if the partner cannot begin that action at its next move, or needs more than
    AWAITED_TIMESTEPS timesteps.
    """
    world, state = evidence.world, evidence.frames[request.timestep].before
    number = world.workers.index(request.to)
    wanted = request.actions[0]
    begun = False
    for timesteps in range(1, AWAITED_TIMESTEPS + 1):
        commands = []
        if request.to in world.movers(state):
            if begun:
                return None
            begun = True
            commands = [Command(request.to, wanted)]
        before = state
        state, outcomes, _ = world.step(state, commands)
        if not outcomes[request.to].done:
            return None
        done = state.done[number][len(before.done[number]) :]
        if wanted in map(read, done):
            return timesteps
    return None
