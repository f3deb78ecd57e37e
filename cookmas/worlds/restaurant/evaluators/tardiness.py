"""Tardiness: how late each order was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.evals.verdict import Check, make_unscored
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence, LineEvidence


def tardiness(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `tardiness` of every order.

    It is the number of timesteps from the due time until the last line of the order was served, at
    least 0.
    """
    orders: dict[str, list[LineEvidence]] = {}
    for line in evidence.lines:
        orders.setdefault(line.order, []).append(line)
    for order, lines in orders.items():
        yield _judge(order, lines, evidence.final.timestep)


def _judge(order: str, lines: Sequence[LineEvidence], end: int) -> Check:
    due = lines[0].due
    standing = [line for line in lines if line.stands]
    served = [line.served_at for line in standing if line.served_at is not None]
    if due is None:
        return make_unscored("tardiness", order, "no due time")
    if not standing:
        return make_unscored("tardiness", order, "cancelled")
    if len(served) < len(standing):
        late = max(0, end - due)
        return make_unscored("tardiness", order, f"not completed; {late} timesteps late at the end")
    value = max(0, max(served) - due)
    return Check(
        name="tardiness",
        subject=order,
        value=value,
        passed=value == 0,
        reason=f"completed at timestep {max(served)}, due at {due}",
    )
