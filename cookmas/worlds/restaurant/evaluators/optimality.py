"""Optimality: how near a success came to the optimum, and how far a failure was from the end."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.episodes.trace import EventRecord
from cookmas.evals.optimality import Optimum, Reached, rates, to_go
from cookmas.evals.verdict import EPISODE, Check, make_unscored
from cookmas.kitchen.bounds import Demand, makespan_bound
from cookmas.worlds.restaurant.evaluators.completeness import completeness
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence
from cookmas.worlds.restaurant.evaluators.makespan import find_clairvoyant_bound, no_bound


def optimality(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `optimality_rate` if every dish is right, else `steps_to_go` (Robotouille, Section 4).

    `optimality_rate` is optimum / makespan. `steps_to_go` is the least number of timesteps for the
    wrong dishes / optimum. Where a certificate proves the optimum, it is that. Else, and for the
    least number, lower bounds take their place: for a planner that knows all orders beforehand. The
    bound for the wrong dishes assumes that they are made from raw ingredients. `rate_of_best_known`
    has the length of the best known schedule instead, if there is one for these events. The true
    rate lies between the two rates. Open episodes have none of these checks.
    """
    lines = evidence.standing
    if evidence.trace.header.horizon is None or not lines:
        return
    whole = find_clairvoyant_bound(evidence, lines)
    if whole is None:
        yield make_unscored("optimality_rate", EPISODE, no_bound(evidence))
        return
    injected = any(record.injected for record in evidence.trace.of(EventRecord))
    least, known = evidence.truth.least, evidence.truth.best_known
    if injected:
        least = known = None
    bound = Optimum(max(whole, least or 0), "optimum" if least and least == known else "bound")
    right = {
        check.subject
        for check in completeness(evidence)
        if check.name == "complete" and check.passed
    }
    wrong = [line for line in lines if line.name not in right]
    if not wrong:
        makespan = max(line.served_at or 0 for line in lines) + 1
        yield from rates(Reached(makespan), bound._replace(known=known))
        return
    demands = [Demand(release=0, components=line.wanted) for line in wrong if line.wanted]
    left = makespan_bound(evidence.world.kitchen, demands).value
    yield to_go(left, bound, f"{len(wrong)} lines take {left} timesteps from nothing")
