"""The judging of CuisineWorld: an episode succeeds if it has its full length and no order fails.

Orders that nobody could complete do not count as failed here. An episode has no truth, because the
rules decide everything.

The collaboration score (CoS) of MindAgent (Section 3, equation 1) is the mean of completed /
(completed + failed) over the five order intervals. The counts of an interval are the sums over the
three episodes of a run. Orders that are open at the end do not count. For example, a run completes
and fails these orders in its three episodes together:

    tau        1.0    1.5    2.0    2.5    3.0
    completed    6      5      6      9      8
    failed      18     15      6      3      0

The rates are 6/24 = 0.25, 5/20 = 0.25, 6/12 = 0.5, 9/12 = 0.75 and 8/8 = 1. The score is their
mean, 0.55.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from cookmas.episodes.instruction import is_instruction
from cookmas.episodes.trace import EventRecord, Termination
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
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, GoalJudging
from cookmas.evals.optimality import Attained, Optimum, optimality
from cookmas.evals.rows import Measured, MeasureTable, Subjects, of_each, of_episode, row, share_of
from cookmas.evals.verdict import Check, Goal, Verdict
from cookmas.worlds.base.solving import is_there
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, TAUS, CuisineState
from cookmas.worlds.cuisineworld.world import CuisineWorld
from cookmas.worlds.shipped import solved


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderTally:
    """The counts of orders of one or more episodes; a closed order is completed or failed."""

    completed: Counter[str] = field(default_factory=Counter)
    """Number of completed orders, by dish."""
    failed: Counter[str] = field(default_factory=Counter)
    """Number of failed orders, by dish."""
    failures: int = 0
    """Failures as MindAgent counts them: orders that fail in the same timestep count as one."""
    came: int = 0
    """Number of all orders that came, including open ones."""

    @property
    def successes(self) -> int:
        """Number of completed orders."""
        return self.completed.total()

    @property
    def rate(self) -> float | None:
        """Completed / (completed + failures); None if no order is closed."""
        closed = self.successes + self.failures
        return self.successes / closed if closed else None


def tally_of(state: CuisineState) -> OrderTally:
    """Return the tally of an episode, from its last state."""
    return OrderTally(
        completed=Counter(state.completed),
        failed=Counter(state.failed),
        failures=state.failed_count,
        came=state.arrived,
    )


def pool(tallies: Iterable[OrderTally]) -> OrderTally:
    """Return the sums of all counts of several tallies."""
    completed: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    failures = came = 0
    for tally in tallies:
        completed += tally.completed
        failed += tally.failed
        failures += tally.failures
        came += tally.came
    return OrderTally(completed=completed, failed=failed, failures=failures, came=came)


def collaboration_score(by_tau: Mapping[str, OrderTally]) -> float | None:
    """Return the collaboration score of a run.

    `by_tau` has the sum of the tallies for each tau. Return None (unscored) if a tau is missing or
    has no closed order.
    """
    rates = [by_tau[tau].rate if tau in by_tau else None for tau in TAUS]
    scored = [rate for rate in rates if rate is not None]
    return sum(scored) / len(TAUS) if len(scored) == len(TAUS) else None


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
    """Timestep at which the order was completed or expired; None if it is open at the end."""


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

    def count(self, status: str) -> int:
        """Return the number of orders with a status."""
        return sum(order.status == status for order in self.orders)

    @property
    def steps(self) -> int:
        """The number of timesteps that the episode has at most."""
        return self.trace.header.horizon or STEPS

    @cached_property
    def task(self) -> CuisineTask | None:
        """The kitchen with the orders that came; None if no bound is known for such an episode.

        A bound is known if exactly one order came in each interval and no fork altered the kitchen.
        """
        kitchen = self.world.kitchen
        if self.altered or any(
            order.arrived != number * kitchen.interval for number, order in enumerate(self.orders)
        ):
            return None
        return CuisineTask(kitchen=kitchen, stream=tuple(order.dish for order in self.orders))

    @cached_property
    def most(self) -> int | None:
        """An upper bound on the orders that such an episode completes; None if none is known."""
        if self.task is None or not is_there("cookmas.solving.cuisineworld"):
            return None
        most: int = solved("cuisineworld", "bound:upper_bound")(self.task, self.steps)
        return most

    @cached_property
    def impossible(self) -> Mapping[str, str]:
        """The reason for each expiring order that nobody could complete, by the order's name.

        Even agents that had cooked for nothing else since the beginning, before the order came,
        would have its dish on the table too late.
        """
        kitchen = self.world.kitchen
        found: dict[str, str] = {}
        for order in self.expiring if self.altered is None else ():
            if order.dish not in kitchen.servable:
                found[order.name] = "the kitchen has no tool for it"
            elif (
                fewest := solved("cuisineworld", "bound:find_fewest")(kitchen, order.dish)
            ) > self.expiry(order):
                found[order.name] = f"it takes at least {fewest} timesteps"
        return found

    def expiry(self, order: Closed) -> int:
        """Return the timestep at which an order expires if it is not completed before."""
        return order.arrived + self.world.kitchen.lifetimes[order.dish]

    @property
    def expiring(self) -> Sequence[Closed]:
        """The orders that are completed or expire if the episode has its full length."""
        return [order for order in self.orders if self.expiry(order) < self.steps]


def _find_added(before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    return after[len(before) :]


def _count(status: str) -> Callable[[OrderEvidence], Measured]:
    return lambda evidence: Measured(evidence.count(status))


def _find_of_closed(evidence: OrderEvidence) -> Measured | str:
    """Return completed / (completed + failed), as in MindAgent (Section 3, equation 1)."""
    completed = evidence.count("completed")
    closed = completed + evidence.count("failed")
    if not closed:
        return "no order was closed" if evidence.orders else "no order"
    return share_of(completed, closed)


def _find_of_arrived(evidence: OrderEvidence) -> Measured | str:
    """Return completed / arrived, which also counts orders that are open at the end."""
    arrived = len(evidence.orders)
    return share_of(evidence.count("completed"), arrived) if arrived else "no order"


def _count_by_dish(evidence: OrderEvidence, status: str) -> Subjects:
    by_dish = Counter(order.dish for order in evidence.orders if order.status == status)
    return {dish: (by_dish[dish],) for dish in evidence.world.kitchen.dishes}


def _list_closed(evidence: OrderEvidence) -> Subjects:
    return {order.name: (order,) for order in evidence.orders if order.status != "open"}


orders = MeasureTable(
    of_episode(
        row("completed", _count("completed"), measured_in="orders"),
        row("failed", _count("failed"), measured_in="orders"),
        row("arrived", lambda evidence: Measured(len(evidence.orders)), measured_in="orders"),
        row("completed_of_closed", _find_of_closed),
        row("completed_of_arrived", _find_of_arrived, better="more", measured_in="share"),
    ),
    of_each(
        lambda evidence: _count_by_dish(evidence, "completed"),
        row("completed_by_dish", Measured, better="more", measured_in="orders"),
    ),
    of_each(
        lambda evidence: _count_by_dish(evidence, "failed"),
        row("failed_by_dish", Measured, better="less", measured_in="orders"),
    ),
    of_each(
        _list_closed, row("served", lambda each: Measured(each.status == "completed", each.dish))
    ),
)
"""The orders by their results, the shares of the paper, and each closed order."""


def _name_run(evidence: OrderEvidence) -> Subjects:
    kitchen = evidence.world.kitchen
    return {f"{kitchen.level}, {kitchen.agents} agents": (kitchen.tau,)}


collaboration = MeasureTable(
    of_each(_name_run, row("run", Measured, measured_in="order interval (tau)")),
    of_episode(
        row("successes", lambda e: Measured(tally_of(e.final).successes), "orders", "more"),
        row("failures", lambda e: Measured(tally_of(e.final).failures), "orders", "less"),
    ),
)
"""The parts of the collaboration score.

The subject of `run` is the level with the number of agents; its value is tau, the factor of the
interval between orders.
"""


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


def find_optimum(evidence: OrderEvidence) -> Optimum | None:
    """Return the largest number of orders that can be completed, if all are known beforehand.

    It is the optimum if a play reaches it: this one, or one that knows all orders.
    """
    task, most = evidence.task, evidence.most
    if task is None or most is None:
        return None
    proven = count_completed(evidence).value >= most or solved(
        "cuisineworld", "bound:can_complete"
    )(task, most, evidence.steps)
    return Optimum(most, "optimum" if proven else "bound", "more")


def count_completed(evidence: OrderEvidence) -> Attained:
    """Return the number of orders that were completed."""
    return Attained(len(evidence.final.completed), "completed orders")


class CuisineJudging(GoalJudging):
    """The judging of CuisineWorld by completed and failed orders."""

    version = "4"
    ends: tuple[Termination, ...] = ("horizon",)
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
        *(orders[name] for name in ("completed", "failed", "arrived")),
        Measure(name="optimality_rate"),
        *(orders[name] for name in ("completed_of_closed", "completed_of_arrived")),
        *MEASURES,
        *(orders[name] for name in ("completed_by_dish", "failed_by_dish")),
    )
    further = (
        orders["served"],
        *collaboration.rows,
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
        if early := self.explain_early(evidence):
            return False, early
        most = "" if evidence.most is None else f" of at most {evidence.most}"
        why = (
            f"{evidence.count('completed')}{most} orders completed, "
            f"{evidence.count('failed')} failed, {evidence.count('open')} open at the end"
        )
        failed = {order.name for order in evidence.orders if order.status == "failed"}
        impossible = evidence.impossible
        if impossible:
            why += f"; nobody could complete {', '.join(impossible)}"
        return failed <= impossible.keys(), why


JUDGING = CuisineJudging()
