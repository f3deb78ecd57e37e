"""The part of the price of a disruption that the restaurant knows: how soon lines can be served."""

from __future__ import annotations

from collections.abc import Collection

from cookmas.evals.disruptions import Continuation, Continuing
from cookmas.evals.optimality import Optimum
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence
from cookmas.worlds.restaurant.evaluators.makespan import bound_of

LAST_SCHEDULES = 2
"""The schedules that may serve what is open: the one under way before a disruption, and the answer.
"""


def find_open(state: KitchenState) -> Collection[str]:
    """Return the names of the open order lines of a state."""
    return state.open_lines().keys()


def solve(
    evidence: KitchenEvidence, state: KitchenState, lines: Collection[str]
) -> Continuation | None:
    """Return how soon lines can be served from a state; None if the truth of a line is unknown, or
    if the truth has no function that answers.
    """
    truth = evidence.truth
    if truth.solve is None:
        return None
    try:
        wanted = {
            name: truth.dish(line.item, name, line.note)
            for name, line in state.open_lines().items()
            if name in lines
        }
    except KeyError:
        return None
    world, now = evidence.world, state.timestep
    schedules = [rows[now - at :] for at, rows in evidence.schedules if at <= now]
    seen = world.observe(state)
    return Continuation(*truth.solve(world.kitchen, seen, wanted, schedules[-LAST_SCHEDULES:]))


def clairvoyant(evidence: KitchenEvidence) -> tuple[int, Optimum] | None:
    """Return the makespan, and the bound of a planner that knows all orders beforehand.

    The bound assumes that no work begins before its order, and ignores faults. Return None if the
    episode is not correct, or the bound unknown.
    """
    lines = evidence.standing
    bound = bound_of(evidence, lines) if lines and not evidence.flaw else None
    if bound is None:
        return None
    return max(line.served_at or 0 for line in lines) + 1, Optimum(bound.value, "bound")


CONTINUING = Continuing(find_open, solve, clairvoyant)
"""The answers of the restaurant."""
