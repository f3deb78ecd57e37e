"""Optimality: how near an episode came to the optimum, or how far a failure was from the end.

Where the aim is to be quick, the measures are after Robotouille (Section 4). For a success the
measure is optimal steps / steps; for a failure it is optimal steps left / optimal steps. Where the
aim is to have as much as possible in the time, it is the amount / the largest amount. A world
states whether its optimum is proven or a bound. So 1 is best, and nothing exceeds it. Only the rate
against a schedule that is merely known can exceed 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from cookmas.episodes.answered import tally_of
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.verdict import EPISODE, Check, make_unscored
from cookmas.files.lines import with_article

Knows = Literal["everything", "what had come"]
"""What the planner of an optimum knows: every event and draw beforehand, or what had come so far.
"""


class Optimum(NamedTuple):
    """The best value that an episode can have, as far as the world knows."""

    value: float
    """The fewest timesteps, or the largest amount; no episode is better."""
    what: str
    """The kind of the value, for the text of a check: `optimum` if it is proven, else `bound`."""
    better: Literal["less", "more"]
    """The direction in which a value is better."""
    knows: Knows = "everything"
    """What a planner that reaches the value knows."""
    known: float | None = None
    """The value of the best known schedule, which an episode may surpass; None if there is none."""


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
    best = None if evidence.altered else evidence.world.best_score
    return None if best is None else Optimum(best, "bound", "more")


def find_score(evidence: Evidence) -> Attained | None:
    """Return the score at the end of the episode; None if the world has none."""
    score = tally_of(evidence.world, evidence.final).score
    return None if score is None else Attained(score)


def optimality(
    optimum: Callable[[Any], Optimum | None] = find_best_score,
    reached: Callable[[Any], Reached | Attained | None] = find_score,
) -> Evaluator:
    """Return an evaluator that compares what an episode has reached with the optimum.

    `optimum` and `reached` read both from the evidence; by default they are the best score and the
    score of the world. The evaluator yields the checks of `rates` for an amount (`Attained`) and
    for the makespan of a finished episode, and `steps_to_go` for an unfinished episode. It yields
    nothing if the optimum is unknown or not above 0, or if the steps to go are unknown.
    """

    def evaluate(evidence: Any) -> Iterator[Check]:
        best = optimum(evidence)
        if best is None or best.value <= 0:
            return
        extent = reached(evidence)
        if isinstance(extent, Attained) or (extent is not None and extent.makespan is not None):
            yield from rates(extent, best)
        elif extent is not None and extent.left is not None:
            yield to_go(extent.left, best, f"{extent.left} timesteps are left")

    return evaluate


def rates(got: Reached | Attained, best: Optimum) -> Iterator[Check]:
    """Yield `optimality_rate`, and `rate_of_best_known` if a schedule is known.

    1 is as good as the optimum or the known schedule. An optimality rate above 1 would prove that
    the optimum is none, so it is unscored.
    """
    against = f"{with_article(best.what)} of {_text(best.value)}"
    share = _divide(got, best, best.value)
    if share is None or share > 1:
        why = f"{_describe(got)} is better than {against}, so that is none"
        yield make_unscored("optimality_rate", EPISODE, why)
    else:
        reason = f"{_describe(got)} against {against}"
        yield Check(name="optimality_rate", subject=EPISODE, value=_round(share), reason=reason)
    if best.known and (share := _divide(got, best, best.known)) is not None:
        reason = f"{_describe(got)} against a known schedule of {_text(best.known)}"
        if share > 1:
            reason += ", which it surpasses"
        yield Check(name="rate_of_best_known", subject=EPISODE, value=_round(share), reason=reason)


def to_go(left: int, best: Optimum, reason: str) -> Check:
    """Return the check of a failure: the timesteps left / those of the whole task.

    The whole task takes as long as the known schedule if there is one, else the optimum.
    """
    whole, what = (best.known, "known schedule") if best.known else (best.value, best.what)
    return Check(
        name="steps_to_go",
        subject=EPISODE,
        value=round(left / whole, 4),
        reason=f"{reason}, against {with_article(what)} of {_text(whole)} for the whole",
    )


def _divide(got: Reached | Attained, best: Optimum, value: float) -> float | None:
    """Return the share of a value, such as that of the optimum, that was reached.

    It is what was reached / the value, or the value / what was reached if less is better; None if
    nothing was reached then.
    """
    reached = got.value if isinstance(got, Attained) else got.makespan
    if best.better == "more":
        return (reached or 0) / value
    return value / reached if reached else None


def _describe(got: Reached | Attained) -> str:
    if isinstance(got, Attained):
        return f"{got.of} {_text(got.value)}"
    return f"makespan {got.makespan}"


def _round(value: float) -> float:
    """Return a number with at most four decimals; a zero has no sign."""
    return round(value, 4) + 0.0


def _text(value: float) -> str:
    return f"{_round(value):g}"
