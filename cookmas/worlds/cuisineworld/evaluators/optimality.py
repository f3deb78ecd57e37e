"""How near the completed orders of an episode are to the largest number of them."""

from __future__ import annotations

from cookmas.evals.optimality import Attained, Optimum
from cookmas.worlds.cuisineworld.bound import upper_bound
from cookmas.worlds.cuisineworld.engine import CuisineTask
from cookmas.worlds.cuisineworld.evaluators.orders import OrderEvidence
from cookmas.worlds.cuisineworld.kitchen import STEPS
from cookmas.worlds.cuisineworld.planning.clairvoyant import can_complete


def find_task(evidence: OrderEvidence) -> CuisineTask | None:
    """Return the kitchen with the orders that came.

    Return None unless exactly one order came in each interval, because no bound is known for other
    episodes.
    """
    kitchen, orders = evidence.world.kitchen, evidence.orders
    if any(order.arrived != n * kitchen.interval for n, order in enumerate(orders)):
        return None
    return CuisineTask(kitchen=kitchen, stream=tuple(order.dish for order in orders))


def find_most(evidence: OrderEvidence, task: CuisineTask) -> int:
    """Return an upper bound on the orders that an episode of this length completes."""
    return upper_bound(task, evidence.trace.header.horizon or STEPS)


def find_optimum(evidence: OrderEvidence) -> Optimum | None:
    """Return the largest number of orders that can be completed, if all are known beforehand.

    It is the optimum if a play reaches it: this one, or one that knows all orders.
    """
    task = find_task(evidence)
    if task is None or evidence.altered:
        return None
    most = find_most(evidence, task)
    steps = evidence.trace.header.horizon or STEPS
    proven = count_completed(evidence).value >= most or can_complete(task, most, steps)
    return Optimum(most, "optimum" if proven else "bound")


def count_completed(evidence: OrderEvidence) -> Attained:
    """Return the number of orders that were completed."""
    return Attained(len(evidence.final.completed), "completed orders")
