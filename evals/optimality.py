"""Optimality: how near an episode came to the optimum, or how far a failure was from the end.

Where the aim is to be quick, the measures are those of Robotouille (Section 4). For a success the
measure is steps / optimal steps; for a failure it is optimal steps left / optimal steps. Where the
aim is to have as much as possible in the time, it is the amount / the largest amount. A world
states whether its optimum is proven or a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from cookmas.episodes.answered import tally_of
from cookmas.episodes.base import complete
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.verdict import EPISODE, Check
from cookmas.files.lines import with_article


class Optimum(NamedTuple):
    """The best value that an episode can have, as far as the world knows."""

    value: float
    """The fewest timesteps, or the largest amount."""
    what: str = "optimum"
    """The kind of the value, for the text of a check: `optimum`, `bound` or `known schedule`."""


class Reached(NamedTuple):
    """The progress of an episode at its end, where the aim is to be quick."""

    makespan: int | None
    """Timesteps until everything was done; None if something is left to do."""
    left: int | None = None
    """Smallest number of timesteps that would still be needed at the end; None if unknown."""


class Attained(NamedTuple):
    """The amount that an episode reached, where the aim is the largest amount in the time."""

    value: float
    """The amount, in the unit of the optimum."""
    of: str = "score"
    """Name of the amount, for the text of a check."""


def find_best_score(evidence: Evidence) -> Optimum | None:
    """Return the best score of the world, which may be a bound.

    Return None if the world has none, or if a fork altered the world.
    """
    best = None if evidence.altered else complete(evidence.world).best_score
    return None if best is None else Optimum(best, "bound")


def find_score(evidence: Evidence) -> Attained | None:
    """Return the score at the end of the episode; None if the world has none."""
    score = tally_of(evidence.world, evidence.final).score
    return None if score is None else Attained(score)


def optimality(
    optimum: Callable[[Any], Optimum | None] = find_best_score,
    reached: Callable[[Any], Reached | Attained | None] = find_score,
) -> Evaluator:
    """Return an evaluator that yields `optimality_rate`, or `steps_to_go` for a failure.

    `optimum` and `reached` read the optimum and the progress from the evidence; by default these
    are the best score and the score of the world. The evaluator yields nothing if the optimum is
    unknown or not above 0, or if it is unknown how many timesteps a failure left.
    """

    def evaluate(evidence: Any) -> Iterator[Check]:
        best = optimum(evidence)
        if best is None or best.value <= 0:
            return
        extent = reached(evidence)
        if isinstance(extent, Attained):
            yield rate("optimality_rate", extent, best)
        elif extent is not None and extent.makespan is not None:
            yield rate("optimality_rate", Attained(extent.makespan, "makespan"), best)
        elif extent is not None and extent.left is not None:
            yield to_go(extent.left, best, f"{extent.left} timesteps are left")

    return evaluate


def rate(name: str, got: Attained, best: Optimum) -> Check:
    """Return the check of what was reached: this value / the optimum."""
    return Check(
        name=name,
        subject=EPISODE,
        value=round(got.value / best.value, 4),
        reason=f"{got.of} {got.value:g} against {with_article(best.what)} of {best.value:g}",
    )


def to_go(left: int, whole: Optimum, reason: str) -> Check:
    """Return the check of a failure: the timesteps left / the optimum of the whole task."""
    return Check(
        name="steps_to_go",
        subject=EPISODE,
        value=round(left / whole.value, 4),
        reason=f"{reason}, against {with_article(whole.what)} of {whole.value:g} for the whole",
    )
