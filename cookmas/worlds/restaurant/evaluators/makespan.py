"""Makespan: when everything was served, compared with the proven lower bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.evals.verdict import EPISODE, Check, make_unscored
from cookmas.kitchen.bounds import Bound, Demand, clairvoyant_bound, makespan_bound
from cookmas.worlds.restaurant.evaluators.evidence import NO_TRUTH, KitchenEvidence, LineEvidence

BEGUN_EARLY = "a gap is negative where food was begun before it was ordered"


def makespan(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `makespan`, `makespan_bound` (timesteps) and `gap` (per cent) of the standing lines.

    Makespan and gap are scored for correct episodes only, because a wrong dish may take less time.
    The bound is given whenever it is known. It assumes that work on a dish begins no earlier than
    its line is ordered. Because food of a cancelled line may be reused, work may also begin when
    the first cancelled line is ordered, if that is earlier. An open episode has none of these
    checks; throughput measures it instead.
    """
    if evidence.trace.header.horizon is None:
        return
    lines = evidence.standing
    flaw = evidence.flaw if lines else "every line was cancelled"
    bound = bound_of(evidence, lines) if lines else None
    if flaw:
        yield make_unscored("makespan", EPISODE, flaw)
    else:
        last = max(line.served_at for line in lines if line.served_at is not None)
        names = ", ".join(line.name for line in lines if line.served_at == last)
        yield Check(
            name="makespan", subject=EPISODE, value=last + 1, evidence=f"last served: {names}"
        )
    if bound is None:
        yield make_unscored(
            "makespan_bound", EPISODE, no_bound(evidence) if lines else "every line was cancelled"
        )
    else:
        parts = ", ".join(f"{name} {part}" for name, part in bound.parts.items())
        yield Check(name="makespan_bound", subject=EPISODE, value=bound.value, evidence=parts)
    if flaw or bound is None:
        yield make_unscored("gap", EPISODE, flaw or no_bound(evidence))
    else:
        yield _gap(last + 1, bound.value, evidence)


def _gap(value: int, bound: int, evidence: KitchenEvidence) -> Check:
    cancelled = [line.name for line in evidence.lines if not line.stands]
    within = f"; work on cancelled lines is in it ({', '.join(cancelled)})" if cancelled else ""
    early = f"; {BEGUN_EARLY}" if value < bound else ""
    return Check(
        name="gap",
        subject=EPISODE,
        value=round(100 * (value - bound) / bound, 2),
        reason=f"makespan {value} against a bound of {bound}{within}{early}",
    )


def bound_of(evidence: KitchenEvidence, lines: Sequence[LineEvidence]) -> Bound | None:
    """Return the lower bound of the makespan of these lines.

    Returns None if the truth of a line is unknown, or if the kitchen was altered during the
    episode.
    """
    if evidence.altered:
        return None
    cancelled = [line.ordered for line in evidence.lines if not line.stands]
    reusable = min(cancelled, default=evidence.final.timestep)
    demands = [
        Demand(release=min(line.ordered, reusable), components=line.wanted)
        for line in lines
        if line.wanted is not None
    ]
    return makespan_bound(evidence.world.kitchen, demands) if len(demands) == len(lines) else None


def find_clairvoyant_bound(evidence: KitchenEvidence, lines: Sequence[LineEvidence]) -> int | None:
    """Return the lower bound of the makespan of these lines for a planner that knows all events.

    It is that of `clairvoyant_bound`. Returns None as `bound_of` does.
    """
    wanted = {line.name: line.wanted for line in lines if line.wanted is not None}
    if evidence.altered or len(wanted) < len(lines):
        return None
    release = {line.name: line.released for line in lines}
    return clairvoyant_bound(evidence.world.kitchen, wanted, release)


def no_bound(evidence: KitchenEvidence) -> str:
    """Return the reason why there is no lower bound."""
    return f"the kitchen was {evidence.altered}" if evidence.altered else NO_TRUTH
