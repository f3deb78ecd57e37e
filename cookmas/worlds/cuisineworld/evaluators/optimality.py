"""How near the completed orders of an episode are to the largest number of them."""

from __future__ import annotations

from cookmas.evals.optimality import Attained, Optimum
from cookmas.worlds.cuisineworld.evaluators.orders import OrderEvidence
from cookmas.worlds.cuisineworld.planning.clairvoyant import can_complete


def find_optimum(evidence: OrderEvidence) -> Optimum | None:
    """Return the largest number of orders that can be completed, if all are known beforehand.

    It is the optimum if a play reaches it: this one, or one that knows all orders.
    """
    task, most = evidence.task, evidence.most
    if task is None or most is None:
        return None
    proven = count_completed(evidence).value >= most or can_complete(task, most, evidence.steps)
    return Optimum(most, "optimum" if proven else "bound")


def count_completed(evidence: OrderEvidence) -> Attained:
    """Return the number of orders that were completed."""
    return Attained(len(evidence.final.completed), "completed orders")
