"""What a disruption costs in the restaurant: the continuation by our bound and our scheduler."""

from __future__ import annotations

from collections.abc import Collection

from cookmas.evals.disruptions import Continuation, Continuing
from cookmas.evals.optimality import Optimum
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence
from cookmas.worlds.restaurant.evaluators.makespan import bound_of
from cookmas.worlds.restaurant.scheduling.bound import state_bound
from cookmas.worlds.restaurant.scheduling.schedule import make_schedule


def find_open(state: KitchenState) -> Collection[str]:
    """Return the names of the open order lines of a state."""
    return state.open_lines().keys()


def solve(
    evidence: KitchenEvidence, state: KitchenState, lines: Collection[str]
) -> Continuation | None:
    """Return how soon lines can be served from a state, by the lower bound and by the embedded
    scheduler; None if the truth of a line is unknown.

    What is out of service counts as absent for the bound. The schedule is None if the scheduler
    serves only some of the lines.
    """
    truth, known = evidence.truth, state.open_lines()
    try:
        wanted = {
            name: truth.dish(line.item, name, line.note)
            for name, line in known.items()
            if name in lines
        }
    except KeyError:
        return None
    kitchen, seen = evidence.world.kitchen, evidence.world.observe(state)
    result = make_schedule(kitchen, seen, wanted)
    served = result.status in ("optimal", "feasible")
    ends = [n for n, row in enumerate(result.schedule, 1) if "serve(" in "".join(row.values())]
    return Continuation(state_bound(kitchen, seen, wanted).value, ends[-1] if served else None)


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
"""The capability of the restaurant; `solve` is the place for another solver."""
