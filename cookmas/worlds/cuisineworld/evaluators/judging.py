"""The judging of CuisineWorld: an episode succeeds if it has its full length and no order fails.

Orders that nobody could complete do not count as failed here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from cookmas.evals.columns import (
    CALLS,
    FURTHER,
    GRADES,
    MEASURES,
    SUCCESS,
    SUMMARY,
    Measure,
    Score,
    column_of_passes,
    column_of_summary,
    count_entry,
    measure_entry,
)
from cookmas.evals.evidence import Evaluator
from cookmas.evals.judging import COMMON, Judging
from cookmas.evals.optimality import optimality
from cookmas.evals.verdict import Check, Goal
from cookmas.worlds.cuisineworld.evaluators.collaboration import (
    collaboration,
    read_pooled,
    score_runs,
)
from cookmas.worlds.cuisineworld.evaluators.optimality import (
    count_completed,
    find_optimum,
)
from cookmas.worlds.cuisineworld.evaluators.orders import OrderEvidence, orders


class CuisineJudging(Judging):
    """The judging of CuisineWorld by completed and failed orders."""

    version = "4"
    evidence = OrderEvidence
    evaluators: Mapping[str, Evaluator] = {
        "orders": orders,
        "optimality": optimality(find_optimum, count_completed),
        "collaboration": collaboration,
        **COMMON,
    }
    summary = (
        *map(measure_entry, ("completed", "failed", "arrived")),
        *map(measure_entry, ("completed_of_closed", "completed_of_arrived")),
        count_entry("orders", lambda goals, checks: len(goals), measured_in="orders"),
        *SUMMARY,
    )
    columns = (
        SUCCESS,
        column_of_summary("completed", "completed", better="more"),
        column_of_summary("failed", "failed", better="less"),
        column_of_passes("completed_of_closed", "of those closed", "served"),
        *GRADES,
        *CALLS,
    )
    measures = (
        *(Measure(name=name, measured_in="orders") for name in ("completed", "failed", "arrived")),
        Measure(name="optimality_rate"),
        Measure(name="completed_of_closed"),
        Measure(name="completed_of_arrived", better="more", measured_in="share"),
        *MEASURES,
        Measure(name="completed_by_dish", of=True, better="more", measured_in="orders"),
        Measure(name="failed_by_dish", of=True, better="less", measured_in="orders"),
    )
    further = (
        Measure(name="served", of=True),
        Measure(name="run", of=True, measured_in="order interval (tau)"),
        Measure(name="successes", unit="orders", better="more"),
        Measure(name="failures", unit="orders", better="less"),
        *FURTHER,
    )
    scores = (Score(title="CoS", take=read_pooled, read=score_runs, measured_in="share"),)

    def best_score(self, evidence: OrderEvidence) -> float | None:
        """Return an upper bound on the score, which is completed minus failed orders.

        Of the orders that expire before the end, those fail that nobody could complete, and those
        beyond the most that can be completed. Return None if no bound is known.
        """
        if evidence.most is None:
            return None
        failing = max(len(evidence.impossible), len(evidence.expiring) - evidence.most)
        return float(evidence.most - failing)

    def goals(self, evidence: OrderEvidence) -> list[Goal]:
        """Return a goal for each order, with the timestep at which it was completed or expired."""
        why = {
            name: f"; nobody could complete it: {reason}"
            for name, reason in evidence.impossible.items()
        }
        return [
            Goal(
                name=order.name,
                what=order.dish,
                note=f"came at {order.arrived}{why.get(order.name, '')}",
                status=order.status,
                when=order.at,
            )
            for order in evidence.orders
        ]

    def success(self, evidence: OrderEvidence, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Return whether the episode had its full length and no order failed, and the reason.

        An order that nobody could complete fails no episode.
        """
        end = evidence.end
        if end.termination != "horizon":
            return False, f"the episode ended early ({end.termination}): {end.why}"
        status = Counter(order.status for order in evidence.orders)
        most = "" if evidence.most is None else f" of at most {evidence.most}"
        why = (
            f"{status['completed']}{most} orders completed, {status['failed']} failed, "
            f"{status['open']} open at the end"
        )
        failed = {order.name for order in evidence.orders if order.status == "failed"}
        impossible = evidence.impossible
        if impossible:
            why += f"; nobody could complete {', '.join(impossible)}"
        return failed <= impossible.keys(), why


JUDGING = CuisineJudging()
