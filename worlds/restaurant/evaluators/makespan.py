"""Makespan: when everything was served, against the proven lower bound."""

from __future__ import annotations

from collections.abc import Iterator

from evals.verdict import EPISODE, Check, unscored
from kitchen.bounds import Demand, makespan_bound
from worlds.restaurant.evaluators.evidence import NO_TRUTH, KitchenEvidence


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
    reusable = min((li.ordered for li in evidence.lines if not li.stands), default=value)
    demands = [
        Demand(release=min(line.ordered, reusable), components=line.wanted)
        for line in lines
        if line.wanted is not None
    ]
    if len(demands) < len(lines):
        yield unscored("makespan_bound", EPISODE, NO_TRUTH)
        yield unscored("gap", EPISODE, NO_TRUTH)
        return
    bound = makespan_bound(evidence.world.kitchen, demands)
    parts = ", ".join(f"{name} {part}" for name, part in bound.parts.items())
    yield Check(name="makespan_bound", subject=EPISODE, value=bound.value, evidence=parts)
    gap = 100 * (value - bound.value) / bound.value
    yield Check(
        name="gap",
        subject=EPISODE,
        value=round(gap, 2),
        reason=f"makespan {value} against a bound of {bound.value}",
    )
