"""The judging of Collab-Overcooked: an episode succeeds if its order is delivered in time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from cookmas.episodes.trace import Trace
from cookmas.evals.columns import (
    CALLS,
    COLLABORATION,
    FURTHER,
    OPTIMALITY_RATE,
    SUCCESS,
    SUMMARY,
    TALK,
    Column,
    Direction,
    Measure,
    column_of_passes,
    column_of_values,
    count_entry,
)
from cookmas.evals.evidence import Evaluator
from cookmas.evals.judging import COMMON, Judging
from cookmas.evals.optimality import Optimum, Reached, optimality
from cookmas.evals.planning import talk, verifier_dependence
from cookmas.evals.requests import MATRIX
from cookmas.evals.trajectories import ASTRAY
from cookmas.evals.verdict import Check, Goal, Number, Verdict
from cookmas.worlds.collab_overcooked.evaluators.collaborations import collaboration
from cookmas.worlds.collab_overcooked.evaluators.histories import CookEvidence, trajectories
from cookmas.worlds.collab_overcooked.evaluators.redundancy import redundancy
from cookmas.worlds.collab_overcooked.planning.known import best_plan

JUDGED_SITUATIONS = 10_000
"""Situations that the judging keeps to find the optimum of a dish, about a second.

Dishes of level 6 need more, and get no optimality.
"""

Talk = tuple[Check, Check]
"""The checks `initiated` and `responded` of one talk."""

TITLES: Mapping[str, Direction | None] = {
    "both": "more",
    "asked only": None,
    "answered only": None,
    "neither": "less",
}
"""The headings of the kinds of MATRIX, and which share of talks is better."""


def _column(title: str, counts: Callable[[Talk], bool], better: Direction | None) -> Column:
    """Return a column that shows how many per cent of the talks count."""

    def values(verdict: Verdict) -> Sequence[Number]:
        talks = zip(verdict.of("initiated"), verdict.of("responded"), strict=False)
        return [100.0 * counts(talk) for talk in talks]

    name = title.replace(" ", "_")
    return Column(name=name, title=title, values=values, unit="%", optional=True, better=better)


def _is_kind(kind: tuple[bool, bool]) -> Callable[[Talk], bool]:
    return lambda talk: (talk[0].passed, talk[1].passed) == kind


def _fails_by(category: str) -> Callable[[Talk], bool]:
    return lambda talk: talk[0].reason == category


TALKS: Sequence[Column] = (
    *(
        _column(title, _is_kind(kind), better)
        for (title, better), kind in zip(TITLES.items(), MATRIX, strict=True)
    ),
    *(_column(category, _fails_by(category), "less") for category in ASTRAY),
)
"""Per cent of the talks: of each kind of MATRIX, and of each category of a failed initiation."""


def find_optimum(evidence: CookEvidence) -> Optimum | None:
    """Return the fewest timesteps for the order, by the exact search; None if it is too long."""
    if evidence.goal is None or evidence.altered:
        return None
    plan = best_plan(evidence.goal, JUDGED_SITUATIONS)
    return Optimum(len(plan.begun), "optimum") if plan else None


def find_reached(evidence: CookEvidence) -> Reached:
    """Return when the order was delivered, in timesteps from its arrival."""
    return Reached(evidence.end.timestep if evidence.final.served else None)


class CollabJudging(Judging):
    """The judging of Collab-Overcooked; the order is the goal."""

    version = "3"
    evidence = CookEvidence
    evaluators: Mapping[str, Evaluator] = {
        "trajectories": trajectories,
        "collaborations": collaboration,
        "redundancy": redundancy,
        "optimality": optimality(find_optimum, find_reached),
        "verifying": verifier_dependence,
        "talk": talk,
        **COMMON,
    }
    summary = (count_entry("orders", lambda goals, checks: len(goals)), *SUMMARY)
    columns = (
        SUCCESS,
        column_of_values("progress_completeness", "PC", digits=3),
        column_of_values("initiating_capability", "IC", digits=3, better="more"),
        column_of_values("responding_capability", "RC", digits=3, better="more"),
        *COLLABORATION,
        *TALKS,
        OPTIMALITY_RATE,
        replace(column_of_passes("fulfilled", "fulfilled", "fulfilled"), optional=True),
        replace(
            column_of_values("response_delay", "delay", digits=2, better="less"),
            measured_in="ratio",
        ),
        column_of_values("redundancy", "redundant", digits=3, better="less"),
        column_of_values("verifier_dependence", "after refusal", digits=3),
        *TALK,
        *CALLS,
    )
    measures = (
        Measure(name="progress_completeness", measured_in="share"),
        Measure(name="tes", of=True, better="more", measured_in="share"),
        Measure(name="initiating_capability", measured_in="share"),
        Measure(name="responding_capability", measured_in="share"),
        Measure(name="initiating_capability_of_dialogues", better="more", measured_in="share"),
        Measure(name="responding_capability_of_dialogues", better="more", measured_in="share"),
        Measure(name="matrix", of=True, measured_in="talks"),
        Measure(name="failed_initiation", of=True, better="less", measured_in="talks"),
        Measure(name="redundancy", measured_in="share"),
        Measure(name="verifier_dependence", measured_in="share"),
        *Judging.measures,
    )

    further = (
        *(
            Measure(name=name, of=True, better="more", measured_in=unit)
            for name, unit in (
                ("initiated", "yes or no"),
                ("responded", "yes or no"),
                ("ites", "share"),
            )
        ),
        Measure(name="response_time", unit="timesteps", of=True, better="less"),
        *FURTHER,
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
