"""Optimality: how near a success came to the optimum, and how far a failure was from the end.

The measures are those of Robotouille (Section 4). For a success the measure is steps / optimal
steps; for a failure it is optimal steps left / optimal steps. A world states whether its optimum is
proven or a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from cookmas.evals.evidence import Evaluator
from cookmas.evals.verdict import EPISODE, Check
from cookmas.files.lines import with_article


class Optimum(NamedTuple):
    """The smallest number of timesteps that a task needs, as far as the world knows."""

    timesteps: int
    """Number of timesteps."""
    what: str = "optimum"
    """The kind of the number, for the text of a check: `optimum`, `bound` or `known schedule`."""


class Reached(NamedTuple):
    """The progress of an episode at its end."""

    makespan: int | None
    """Timesteps until everything was done; None if something is left to do."""
    left: int | None = None
    """Smallest number of timesteps that would still be needed at the end; None if unknown."""


def optimality(
    optimum: Callable[[Any], Optimum | None], reached: Callable[[Any], Reached]
) -> Evaluator:
    """Return an evaluator that yields `optimality_rate` for a success, `steps_to_go` for a failure.

    `optimum` and `reached` read the optimum and the progress from the evidence. The evaluator
    yields nothing if the optimum is unknown, if the task needs no timestep, or if it is unknown how
    many timesteps a failure left.
    """

    def evaluate(evidence: Any) -> Iterator[Check]:
        best = optimum(evidence)
        if best is None or best.timesteps <= 0:
            return
        extent = reached(evidence)
        if extent.makespan is not None:
            yield rate("optimality_rate", extent.makespan, best)
        elif extent.left is not None:
            yield to_go(extent.left, best, f"{extent.left} timesteps are left")

    return evaluate


def rate(name: str, makespan: int, best: Optimum) -> Check:
    """Return the check of a success: its makespan / the optimum."""
    return Check(
        name=name,
        subject=EPISODE,
        value=round(makespan / best.timesteps, 4),
        reason=f"makespan {makespan} against {with_article(best.what)} of {best.timesteps}",
    )


def to_go(left: int, whole: Optimum, reason: str) -> Check:
    """Return the check of a failure: the timesteps left / the optimum of the whole task."""
    return Check(
        name="steps_to_go",
        subject=EPISODE,
        value=round(left / whole.timesteps, 4),
        reason=f"{reason}, against {with_article(whole.what)} of {whole.timesteps} for the whole",
    )
