"""What each decision lost: how much less could be had after it than before it.

The reference plays on from each decision. What it then has is the value of the state; a better
value that is found later counts for all earlier states, since they led there. So no loss is
negative, and all losses together are what the reference has from the beginning, less what the
episode had. A stretch of decisions whose value is the same at both ends is not looked into.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cookmas.causes.counterfactuals import (
    ByReference,
    Counterfactual,
    Counterfactuals,
    DecisionPoint,
)
from cookmas.episodes.trace import Trace
from cookmas.evals.judging import RAN_TO_END
from cookmas.evals.verdict import Verdict


class Value(NamedTuple):
    """What an episode had at its end; of two, the greater one is better."""

    reached: int
    """Number of goals that were reached as asked."""
    score: float
    """The world's score; 0 if it has none."""
    spared: int
    """The timesteps that were left when all was done, with a minus those that were needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A decision after which less could be had than before it."""

    point: DecisionPoint
    before: Value
    after: Value

    @property
    def weight(self) -> tuple[float, ...]:
        """The loss as numbers; the greatest loss has the greatest."""
        return tuple(b - a for b, a in zip(self.before, self.after, strict=True))

    def describe(self) -> str:
        """Return the loss in words, such as `2 goals` or `17 timesteps`."""
        goals, score, timesteps = self.weight
        if score:
            return f"{score:g} of the score"
        if goals:
            return f"{goals:g} goal{'s' * (goals != 1)}"
        return f"{timesteps:g} timestep{'s' * (timesteps != 1)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """The losses of an episode, in order."""

    best: Value
    """What the reference has, if it decides from the beginning."""
    had: Value
    found: Sequence[Loss]
    undecided: Sequence[DecisionPoint]
    """The decisions of which it is not known, since no more plays were allowed."""


def value_of(counterfactuals: Counterfactuals, played: Counterfactual, horizon: int) -> Value:
    """Return what an episode had at its end."""
    assert played.trace is not None
    assert played.verdict is not None
    verdict = played.verdict
    return Value(
        len(counterfactuals.reached(verdict)),
        verdict.score or 0,
        -_length(verdict, played.trace, horizon),
    )


def _length(verdict: Verdict, trace: Trace, horizon: int) -> int:
    """Return the timesteps until all was done; the horizon if it was not."""
    assert trace.end is not None
    return trace.end.timestep if verdict.termination in RAN_TO_END else horizon


async def find_losses(counterfactuals: Counterfactuals, horizon: int, most: int) -> Losses:
    """Return the losses of an episode, from at most `most` plays of it."""
    recorded = await counterfactuals.play()
    points, had = recorded.points, value_of(counterfactuals, recorded, horizon)
    found: list[Loss] = []
    undecided: list[DecisionPoint] = []

    async def look_into(first: int, last: int, after: Value) -> Value:
        """Return the value before the decision `first`; `after` is the value before `last`.

        The later half is looked into first: what is better there could be had earlier too.
        """
        if first > 0 and counterfactuals.plays >= most:
            undecided.extend(points[first:last])
            return after
        played = await counterfactuals.play(ByReference(since=first))
        before = max(value_of(counterfactuals, played, horizon), after)
        if before > after and last - first > 1:
            middle = (first + last) // 2
            return await look_into(first, middle, await look_into(middle, last, after))
        if before > after:
            if last < len(points) and points[last] in undecided:
                undecided.append(points[first])
            else:
                found.append(Loss(point=points[first], before=before, after=after))
        return before

    best = await look_into(0, len(points), had)
    undecided.sort(key=points.index)
    return Losses(best=best, had=had, found=found[::-1], undecided=undecided)
