"""Verifier dependence: how many actions were done only after the check had refused another one."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.episodes.trace import ModelCall, StepRecord
from cookmas.evals.evidence import Evidence
from cookmas.evals.verdict import EPISODE, Check

EVERYBODY = ""
"""Stands in the place of an agent's name for a planner that decides for all workers."""


def verifier_dependence(evidence: Evidence) -> Iterator[Check]:
    """Yield `verifier_dependence`: the share of actions that a refusal preceded in their decision.

    An action counts if it did not FAIL and is not idling. A refusal is a repair that does not
    follow an unusable answer: the look-ahead or a verifier has refused a usable answer, or the
    look-ahead a queued action.
    Yield nothing if no model was asked.
    """
    refused: dict[str, bool] = {}
    unusable = False
    acted = dependent = 0
    for record in evidence.trace.records:
        if isinstance(record, ModelCall):
            who = record.agent or EVERYBODY
            if record.number == 1:
                refused[who], unusable = False, False
            if record.purpose == "repair" and not unusable:
                refused[who] = True
            unusable = record.unusable is not None
        elif isinstance(record, StepRecord) and refused:
            for command in record.commands:
                if command.action != evidence.world.idle and command.worker not in record.fails:
                    acted += 1
                    dependent += refused.get(command.worker, refused.get(EVERYBODY, False))
    if acted:
        yield Check(
            name="verifier_dependence",
            subject=EPISODE,
            value=round(dependent / acted, 4),
            evidence=f"{dependent} of {acted} actions",
        )
