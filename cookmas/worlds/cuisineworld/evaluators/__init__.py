"""The judging of CuisineWorld: which orders were completed, and which failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cookmas.episodes.instruction import is_instruction
from cookmas.episodes.trace import EventRecord
from cookmas.evals.columns import (
    CALLS,
    GRADES,
    MEASURES,
    SUCCESS,
    SUMMARY,
    Column,
    Measure,
    Score,
    column_of_summary,
    count_entry,
    measure_entry,
)
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, Judging
from cookmas.evals.verdict import EPISODE, Check, Goal, Verdict, make_check, make_unscored
from cookmas.worlds.cuisineworld.bound import upper_bound
from cookmas.worlds.cuisineworld.engine import CuisineTask
from cookmas.worlds.cuisineworld.kitchen import STEPS
from cookmas.worlds.cuisineworld.score import OrderTally, collaboration_score, pool, tally_of
from cookmas.worlds.cuisineworld.state import CuisineState
from cookmas.worlds.cuisineworld.world import CuisineWorld


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """An order of an episode, and how it ended."""

    name: str
    """Name of the order, such as `order 1`."""
    dish: str
    """The dish."""
    arrived: int
    """Timestep at which the order came."""
    status: str
    """`completed`, `failed` or `open`."""
    at: int | None
    """Timestep at which the order was closed; None if it is open at the end."""


@dataclass(frozen=True, kw_only=True)
class OrderEvidence(Evidence):
    """A finished episode of CuisineWorld, without a truth, because the rules decide everything."""

    world: CuisineWorld
    final: CuisineState

    @cached_property
    def orders(self) -> tuple[Closed, ...]:
        """All orders that came, in the order in which they came.

        Among orders for the same dish the earliest is closed first, because it expires first.
        """
        came = [
            (record.timestep, str(record.event["dish"]))
            for record in self.trace.of(EventRecord)
            if record.refused is None and not is_instruction(record.event)
        ]
        closings = [
            (dish, status, frame.timestep)
            for frame in self.frames
            for status in ("completed", "failed")
            for dish in _find_added(getattr(frame.before, status), getattr(frame.after, status))
        ]
        ends: dict[str, list[tuple[str, int]]] = {}
        for dish, status, timestep in closings:
            ends.setdefault(dish, []).append((status, timestep))
        orders: list[Closed] = []
        for number, (timestep, dish) in enumerate(came, start=1):
            status, at = ends[dish].pop(0) if ends.get(dish) else ("open", None)
            name = f"order {number}"
            orders.append(Closed(name=name, dish=dish, arrived=timestep, status=status, at=at))
        return tuple(orders)


def _find_added(before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    return after[len(before) :]


def orders(evidence: OrderEvidence) -> Iterator[Check]:
    """Yield the `completed`, `failed` and `arrived` orders, and the shares of the paper.

    `completed_by_dish` and `failed_by_dish` are the numbers for each dish. `served` says of each
    closed order whether it was completed. `completed_of_closed` is completed / (completed +
    failed), as in MindAgent (Section 3, equation 1). `completed_of_arrived` is completed / arrived,
    so it also counts orders that are open at the end.
    """
    status = Counter(order.status for order in evidence.orders)
    completed, failed = status["completed"], status["failed"]
    yield Check(name="completed", subject=EPISODE, value=completed)
    yield Check(name="failed", subject=EPISODE, value=failed)
    yield Check(name="arrived", subject=EPISODE, value=len(evidence.orders))
    for name, of in (
        ("completed_of_closed", completed + failed),
        ("completed_of_arrived", len(evidence.orders)),
    ):
        if of:
            share = round(completed / of, 4)
            yield Check(name=name, subject=EPISODE, value=share, reason=f"{completed} of {of}")
        else:
            yield make_unscored(
                name, EPISODE, "no order was closed" if evidence.orders else "no order"
            )
    for what in ("completed", "failed"):
        by_dish = Counter(order.dish for order in evidence.orders if order.status == what)
        for dish in evidence.world.kitchen.dishes:
            yield Check(name=f"{what}_by_dish", subject=dish, value=by_dish[dish])
    for order in evidence.orders:
        if order.status != "open":
            yield make_check("served", order.name, order.status == "completed", reason=order.dish)


def collaboration(evidence: OrderEvidence) -> Iterator[Check]:
    """Yield the parts of the collaboration score: `run`, `successes` and `failures`.

    The subject of the check `run` is the level with the number of agents; the value of this check
    is tau, the factor of the interval between orders.
    """
    kitchen, tally = evidence.world.kitchen, tally_of(evidence.final)
    run = f"{kitchen.level}, {kitchen.agents} agents"
    yield Check(name="run", subject=run, value=kitchen.tau)
    yield Check(name="successes", subject=EPISODE, value=tally.successes)
    yield Check(name="failures", subject=EPISODE, value=tally.failures)


Pooled = tuple[str, str, OrderTally]
"""What one episode adds to the collaboration score: its run, its tau, its tally.

A run is here a level with a number of agents.
"""


def read_pooled(verdict: Verdict) -> Pooled | None:
    """Return what an episode adds to the collaboration score; None if the episode is unscored."""
    for run in verdict.of("run"):
        (done,), (lost,) = verdict.of("successes"), verdict.of("failures")
        completed = Counter({run.subject: int(done.value or 0)})
        tally = OrderTally(completed=completed, failures=int(lost.value or 0))
        return run.subject, str(run.value), tally
    return None


def score_runs(episodes: Sequence[Pooled | None]) -> Mapping[str, float | None]:
    """Return the collaboration score of each run; None if it is unscored.

    A run is here a level with a number of agents.
    """
    runs: dict[str, dict[str, list[OrderTally]]] = {}
    for run, tau, tally in filter(None, episodes):
        runs.setdefault(run, {}).setdefault(tau, []).append(tally)
    return {
        run: collaboration_score({tau: pool(tallies) for tau, tallies in by_tau.items()})
        for run, by_tau in runs.items()
    }


class CuisineJudging(Judging):
    """The judging of CuisineWorld by completed and failed orders."""

    version = "2"
    evidence = OrderEvidence
    evaluators: Mapping[str, Evaluator] = {
        "orders": orders,
        "collaboration": collaboration,
        **COMMON,
    }
    summary = (
        *map(measure_entry, ("completed", "failed", "arrived")),
        *map(measure_entry, ("completed_of_closed", "completed_of_arrived")),
        count_entry("orders", lambda goals, checks: len(goals)),
        *SUMMARY,
    )
    columns = (
        SUCCESS,
        column_of_summary("completed", "completed"),
        column_of_summary("failed", "failed"),
        Column(
            name="completed_of_closed",
            title="of those closed",
            values=lambda verdict: _shares(verdict),
            share=True,
        ),
        *GRADES,
        *CALLS,
    )
    measures = (
        *(Measure(name=name) for name in ("completed", "failed", "arrived")),
        Measure(name="completed_of_closed"),
        Measure(name="completed_of_arrived"),
        *MEASURES,
        Measure(name="completed_by_dish", of=True),
        Measure(name="failed_by_dish", of=True),
    )
    scores = (Score(title="CoS", take=read_pooled, read=score_runs),)

    def best_score(self, evidence: OrderEvidence) -> float | None:
        """Return an upper bound on the score, which is completed minus failed orders.

        The bound is that on completed orders, as if none failed. Return None unless exactly one
        order came in each interval, because no bound is known for other episodes.
        """
        kitchen, orders = evidence.world.kitchen, evidence.orders
        if any(order.arrived != n * kitchen.interval for n, order in enumerate(orders)):
            return None
        task = CuisineTask(kitchen=kitchen, stream=tuple(order.dish for order in orders))
        return float(upper_bound(task, evidence.trace.header.horizon or STEPS))

    def goals(self, evidence: OrderEvidence) -> list[Goal]:
        """Return a goal for each order."""
        return [
            Goal(
                name=order.name,
                what=order.dish,
                note=f"came at {order.arrived}",
                status=order.status,
                when=order.at if order.status == "completed" else None,
            )
            for order in evidence.orders
        ]

    def success(self, evidence: OrderEvidence, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Return whether the episode had its full length and no order failed, and the reason."""
        end = evidence.end
        if end.termination != "horizon":
            return False, f"the episode ended early ({end.termination}): {end.why}"
        status = Counter(order.status for order in evidence.orders)
        counts = f"{status['completed']} orders completed, {status['failed']} failed"
        return status["failed"] == 0, f"{counts}, {status['open']} open at the end"


JUDGING = CuisineJudging()


def _shares(verdict: Verdict) -> list[bool | None]:
    """Return for each closed order whether it was completed."""
    return [check.passed for check in verdict.of("served")]
