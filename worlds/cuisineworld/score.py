"""How a play went: orders completed and failed, and the collaboration score.

The collaboration score (CoS) of MindAgent (Section 3, equation 1) is the mean, over the five order
intervals, of completed / (completed + failed), each pooled over the three episodes of a run. Orders
that are still open at the end count in neither. As an example, let a run complete and fail

    tau        1.0    1.5    2.0    2.5    3.0
    completed    6      5      6      9      8
    failed      18     15      6      3      0

pooled over its episodes. The rates are 6/24 = 0.25, 5/20 = 0.25, 6/12 = 0.5, 9/12 = 0.75 and
8/8 = 1, and the score is (0.25 + 0.25 + 0.5 + 0.75 + 1) / 5 = 0.55.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from worlds.cuisineworld.kitchen import TAUS
from worlds.cuisineworld.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Closed orders of one episode or several.

    `completed` and `failed` count dishes. `failures` counts as the original does: orders that fail
    in the same timestep are one failure. `came` is all orders that came, open ones included.
    """

    completed: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    failures: int = 0
    came: int = 0

    @property
    def successes(self) -> int:
        """Completed orders."""
        return self.completed.total()

    @property
    def rate(self) -> float | None:
        """Completed / (completed + failed) with the original's count; None if none is closed."""
        closed = self.successes + self.failures
        return self.successes / closed if closed else None


def tally_of(state: State) -> Tally:
    """The tally of an episode, from its last state."""
    return Tally(
        completed=Counter(state.completed),
        failed=Counter(state.failed),
        failures=state.failed_count,
        came=state.arrived,
    )


def pooled(tallies: Iterable[Tally]) -> Tally:
    """Several tallies as one."""
    completed: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    failures = came = 0
    for tally in tallies:
        completed += tally.completed
        failed += tally.failed
        failures += tally.failures
        came += tally.came
    return Tally(completed=completed, failed=failed, failures=failures, came=came)


def collaboration_score(by_tau: Mapping[str, Tally]) -> float | None:
    """The collaboration score of tallies that are pooled for each order interval.

    None, which is unscored, if an interval is missing or has no closed order.
    """
    rates = [by_tau[tau].rate if tau in by_tau else None for tau in TAUS]
    scored = [rate for rate in rates if rate is not None]
    return sum(scored) / len(TAUS) if len(scored) == len(TAUS) else None
