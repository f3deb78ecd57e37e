"""The part of the price of a disruption that the restaurant knows: how soon lines can be served."""

from __future__ import annotations

from collections.abc import Collection

from cookmas.evals.disruptions import Continuation, Continuing
from cookmas.evals.optimality import Optimum
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.judging.evidence import KitchenEvidence
from cookmas.worlds.restaurant.judging.optimality import find_optimum

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

    What is out of service comes back when it does, which only the state of the world says.
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
    now = state.timestep
    known = [each.list_rest(now) for each in evidence.schedules if each.begin <= now]
    return Continuation(
        *truth.solve(evidence.world.kitchen, state, wanted, known[-LAST_SCHEDULES:])
    )


def find_missed(evidence: KitchenEvidence) -> Collection[str]:
    """Return the lines that were refused, or served another dish than was wanted."""
    refused = {line.name for line in evidence.lines if line.status == "refused"}
    return refused | {name for name, findings in evidence.findings.items() if findings}


def clairvoyant(evidence: KitchenEvidence) -> tuple[int, Optimum] | None:
    """Return the makespan, and the optimum of a planner that knows all orders beforehand.

    Return None if the episode is not correct, or the optimum unknown.
    """
    best = None if evidence.flaw else find_optimum(evidence)
    makespan = max((line.served_at or 0 for line in evidence.standing), default=0) + 1
    return None if best is None else (makespan, best)


CONTINUING = Continuing(find_open, solve, find_missed, clairvoyant)
"""The answers of the restaurant."""
