"""Scores of episodes: orders completed and failed, and the collaboration score.

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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cookmas.worlds.cuisineworld.rules.kitchen import TAUS
from cookmas.worlds.cuisineworld.rules.state import CuisineState


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
