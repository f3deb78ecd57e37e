"""Service: the served lines with their timesteps, and attempts to serve closed lines."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.evals.verdict import EPISODE, Check, make_check, make_unscored
from cookmas.kitchen.actions import Serve
from cookmas.kitchen.simulator import Reason
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence


def service(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `served` and `served_at` of every standing line, and `closed_line_attempts`.

    `served_at` is a timestep. `closed_line_attempts` is the number of `serve` actions that FAIL
    because their line is closed.
    """
    for line in evidence.standing:
        if line.served_at is None:
            why = evidence.refusals.get(line.name, "still open at the end")
            yield make_check("served", line.name, False, reason=why)
            yield make_unscored("served_at", line.name, "not served")
        else:
            at = f"at timestep {line.served_at}"
            yield make_check("served", line.name, True, evidence=str(line.dish), reason=at)
            yield Check(name="served_at", subject=line.name, value=line.served_at)
    attempts = [
        move
        for move in evidence.moves
        if isinstance(move.action, Serve) and move.outcome.fail == Reason.CLOSED_LINE
    ]
    yield Check(
        name="closed_line_attempts",
        subject=EPISODE,
        value=len(attempts),
        evidence="; ".join(f"{a.timestep}: {a.worker} {a.action}" for a in attempts),
        reason="attempts to serve a line that was served or cancelled already",
    )
