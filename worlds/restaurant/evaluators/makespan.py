"""Makespan: when everything was served, against the proven lower bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evals.verdict import EPISODE, Check, unscored
from kitchen.bounds import Bound, Demand, makespan_bound
from worlds.restaurant.evaluators.evidence import NO_TRUTH, KitchenEvidence, Line


def makespan(evidence: KitchenEvidence) -> Iterator[Check]:
    """`makespan`, `makespan_bound` (timesteps) and `gap` (per cent) of the standing lines.

    A dish can be begun when its line is ordered, or when one was that was cancelled later: its food
    may have been used again. The bound holds for whoever begins nothing before it is ordered. Not
    of an open episode, which is measured by its throughput.
    """
    if evidence.trace.header.horizon is None:
        return
    lines = evidence.standing
    served = [line.served_at for line in lines if line.served_at is not None]
    if not lines or len(served) < len(lines):
        why = "not all standing lines were served" if lines else "no line stands"
        for name in ("makespan", "makespan_bound", "gap"):
            yield unscored(name, EPISODE, why)
        return
    value = max(served) + 1
    last = ", ".join(line.name for line in lines if line.served_at == value - 1)
    yield Check(name="makespan", subject=EPISODE, value=value, evidence=f"last served: {last}")
    bound = bound_of(evidence, lines)
    if bound is None:
        yield unscored("makespan_bound", EPISODE, NO_TRUTH)
        yield unscored("gap", EPISODE, NO_TRUTH)
        return
    parts = ", ".join(f"{name} {part}" for name, part in bound.parts.items())
    yield Check(name="makespan_bound", subject=EPISODE, value=bound.value, evidence=parts)
    cancelled = [line.name for line in evidence.lines if not line.stands]
    within = f"; work on cancelled lines is in it ({', '.join(cancelled)})" if cancelled else ""
    gap = 100 * (value - bound.value) / bound.value
    yield Check(
        name="gap",
        subject=EPISODE,
        value=round(gap, 2),
        reason=f"makespan {value} against a bound of {bound.value}{within}",
    )


def bound_of(evidence: KitchenEvidence, lines: Sequence[Line]) -> Bound | None:
    """The lower bound of the makespan of these lines; None where the truth does not say."""
    cancelled = [line.ordered for line in evidence.lines if not line.stands]
    reusable = min(cancelled, default=evidence.final.timestep)
    demands = [
        Demand(release=min(line.ordered, reusable), components=line.wanted)
        for line in lines
        if line.wanted is not None
    ]
    return makespan_bound(evidence.world.kitchen, demands) if len(demands) == len(lines) else None
