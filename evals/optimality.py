"""Optimality: how near a success came to the best, and how far a failure was from the end.

The measures of Robotouille (Section 4): steps / optimal steps of a success, optimal steps left /
optimal steps of a failure. A world says which optimum it knows: a proven one, or a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from evals.evidence import Evaluator
from evals.verdict import EPISODE, Check
from files.lines import with_article


class Optimum(NamedTuple):
    """The fewest timesteps for something, in words: a `bound`, or a `known schedule`."""

    timesteps: int
    what: str = "optimum"


class Reached(NamedTuple):
    """What an episode came to: its makespan, or what is left to do at its end (None: unknown)."""

    makespan: int | None
    left: int | None = None


def optimality(
    optimum: Callable[[Any], Optimum | None], reached: Callable[[Any], Reached]
) -> Evaluator:
    """Return an evaluator of `optimality_rate` where all was done, else of `steps_to_go`.

    It gives nothing where the optimum is unknown or nothing is asked for.
    """

    def evaluate(evidence: Any) -> Iterator[Check]:
        best = optimum(evidence)
        if best is None or best.timesteps <= 0:
            return
        came = reached(evidence)
        if came.makespan is not None:
            yield rate("optimality_rate", came.makespan, best)
        elif came.left is not None:
            yield to_go(came.left, best, f"{came.left} timesteps are left")

    return evaluate


def rate(name: str, makespan: int, best: Optimum) -> Check:
    """Return the check of a success: its timesteps / the fewest that are known."""
    return Check(
        name=name,
        subject=EPISODE,
        value=round(makespan / best.timesteps, 4),
        reason=f"makespan {makespan} against {with_article(best.what)} of {best.timesteps}",
    )


def to_go(left: int, whole: Optimum, reason: str) -> Check:
    """Return the check of a failure: the timesteps that are left / those of the whole task."""
    return Check(
        name="steps_to_go",
        subject=EPISODE,
        value=round(left / whole.timesteps, 4),
        reason=f"{reason}, against {with_article(whole.what)} of {whole.timesteps} for the whole",
    )
