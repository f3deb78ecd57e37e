"""The judging of Collab-Overcooked: an episode succeeds if its order is delivered in time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cookmas.episodes.trace import Trace
from cookmas.evals.columns import (
    CALLS,
    COLLABORATION,
    SUCCESS,
    SUMMARY,
    TALK,
    Measure,
    column_of_passes,
    column_of_values,
    count_entry,
)
from cookmas.evals.evidence import Evaluator
from cookmas.evals.judging import COMMON, Judging
from cookmas.evals.planning import verifier_dependence
from cookmas.evals.talk import talk
from cookmas.evals.verdict import Check, Goal
from cookmas.worlds.collab_overcooked.evaluators.collaborations import collaboration
from cookmas.worlds.collab_overcooked.evaluators.columns import TALKS
from cookmas.worlds.collab_overcooked.evaluators.histories import CookEvidence, trajectories
from cookmas.worlds.collab_overcooked.evaluators.redundancy import redundancy


class CollabJudging(Judging):
    """The judging of Collab-Overcooked; the order is the goal."""

    evidence = CookEvidence
    evaluators: Mapping[str, Evaluator] = {
        "trajectories": trajectories,
        "collaborations": collaboration,
        "redundancy": redundancy,
        "verifying": verifier_dependence,
        "talk": talk,
        **COMMON,
    }
    summary = (count_entry("orders", lambda goals, checks: len(goals)), *SUMMARY)
    columns = (
        SUCCESS,
        column_of_values("progress_completeness", "PC", digits=3),
        column_of_values("initiating_capability", "IC", digits=3),
        column_of_values("responding_capability", "RC", digits=3),
        *COLLABORATION,
        *TALKS,
        replace(column_of_passes("fulfilled", "fulfilled", "fulfilled"), optional=True),
        column_of_values("response_delay", "delay", digits=2),
        column_of_values("redundancy", "redundant", digits=3),
        column_of_values("verifier_dependence", "after refusal", digits=3),
        *TALK,
        *CALLS,
    )
    measures = (
        Measure(name="progress_completeness"),
        Measure(name="tes", of=True),
        Measure(name="initiating_capability"),
        Measure(name="responding_capability"),
        Measure(name="initiating_capability_of_dialogues"),
        Measure(name="responding_capability_of_dialogues"),
        Measure(name="matrix", of=True),
        Measure(name="failed_initiation", of=True),
        Measure(name="redundancy"),
        Measure(name="verifier_dependence"),
        *Judging.measures,
    )

    def group(self, trace: Trace) -> str | None:
        """Return the group in the scenario's name, such as `level_3`; None without one."""
        name, _, number = trace.header.scenario_name.partition("/")
        return name if number else None

    def goals(self, evidence: CookEvidence) -> list[Goal]:
        """Return the order; nothing if none came in."""
        final = evidence.final
        if final.order is None:
            return []
        served = final.served
        return [
            Goal(
                name=final.order,
                what="order",
                status="delivered" if served else "open",
                when=final.timestep if served else None,
            )
        ]

    def success(self, evidence: CookEvidence, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Return whether the order was delivered before the time limit, and why."""
        won, why = super().success(evidence, checks)
        return won, f"{why} at timestep {evidence.end.timestep}" if won else why


JUDGING = CollabJudging()
