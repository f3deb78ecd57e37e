"""The judging of the restaurant: its evaluators, its rule of success, and the report's columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from cookmas.episodes.trace import EventRecord, Trace
from cookmas.evals.columns import (
    CALLS,
    DISRUPTIONS,
    FURTHER,
    MEASURES,
    OPTIMALITY,
    PROGRESS,
    SUCCESS,
    SUMMARY,
    Direction,
    Measure,
    SummaryEntry,
    column_of_passes,
    column_of_summary,
    column_of_values,
    count_entry,
    measure_entry,
    total_entry,
)
from cookmas.evals.disruptions import disruptions
from cookmas.evals.evidence import Evaluators
from cookmas.evals.judging import GoalJudging
from cookmas.evals.mistakes import recovery
from cookmas.evals.planning import failures, planning
from cookmas.evals.rescheduling import rescheduling
from cookmas.evals.verdict import Check, Goal, Number
from cookmas.worlds.restaurant.judging.customizations import customizations
from cookmas.worlds.restaurant.judging.evidence import KitchenEvidence
from cookmas.worlds.restaurant.judging.mistakes import mistakes
from cookmas.worlds.restaurant.judging.optimality import (
    BEGUN_EARLY,
    CONTINUING,
    makespan,
    optimality,
)
from cookmas.worlds.restaurant.judging.progress import progress, trajectories
from cookmas.worlds.restaurant.judging.reading import KINDS, reading, recall
from cookmas.worlds.restaurant.judging.scores import (
    OF_LINES,
    completeness,
    service,
    tardiness,
    throughput,
    utilisation,
    waste,
)

EVALUATORS: Evaluators = {
    "completeness": completeness,
    "customizations": customizations,
    "service": service,
    "progress": progress,
    "makespan": makespan,
    "throughput": throughput,
    "tardiness": tardiness,
    "utilisation": utilisation,
    "failures": failures,
    "planning": planning,
    "waste": waste,
    "reading": reading,
    "recall": recall,
    "optimality": optimality,
    "trajectories": trajectories,
    "mistakes": mistakes,
    "recovery": recovery,
    "rescheduling": rescheduling,
    "disruptions": disruptions(CONTINUING),
}
"""The evaluators, by name."""


def _mean(name: str, better: Direction) -> SummaryEntry:
    """Return a summary entry for the mean value of the checks that have this name.

    The entry is None if there is no such check.
    """

    def read(goals: Sequence[Goal], checks: Sequence[Check]) -> Number:
        values = [each.value for each in _select(checks, name) if isinstance(each.value, float)]
        return round(fmean(values), 4) if values else None

    return SummaryEntry(name=name, read=read, better=better, measured_in="share")


PRICES = (
    "disruption_cost",
    "replan_regret",
    "continuation_optimum",
    "disruption_recovery",
    "edit_radius",
)
"""The checks of a disruption or a replan that are numbers of timesteps."""

EDITS = ("nervousness", "preserved_work", "unchanged_replan")
"""The checks of a replan that compare its schedule with the one before."""

SHARES: Sequence[tuple[str, Direction]] = (("recalled", "more"), ("invented", "less"))
"""The shares of a reading, and which is better."""


class RestaurantJudging(GoalJudging):
    """The rules that judge an episode: each dish must be complete and as the customer asked.

    They also define the columns and measures of reports.
    """

    version = "5"
    deciding = "complete"
    missed = "not served, or not as asked"
    reached = "every line that was not cancelled was served complete and as asked"
    evidence = KitchenEvidence
    evaluators = EVALUATORS
    summary = (
        count_entry("standing", lambda goals, checks: sum(map(_is_wanted, goals)), None, "lines"),
        count_entry("served", lambda goals, checks: sum(x.when is not None for x in goals), "more"),
        count_entry("complete", lambda goals, checks: _count_passed(checks, "complete"), "more"),
        count_entry("customizations", lambda goals, checks: len(_select(checks, "customization"))),
        count_entry(
            "kept", lambda goals, checks: _count_passed(checks, "customization"), "more", "wishes"
        ),
        measure_entry("makespan"),
        measure_entry("gap"),
        total_entry("disruption_cost"),
        total_entry("replan_regret"),
        measure_entry("price_of_not_knowing"),
        measure_entry("throughput", "more"),
        measure_entry("time_per_line", "less"),
        *(_mean(f"{kind}_{share}", better) for kind in KINDS for share, better in SHARES),
        *SUMMARY,
    )
    columns = (
        SUCCESS,
        column_of_passes("dishes", "dishes", "complete"),
        column_of_passes("customizations", "customizations", "customization"),
        replace(column_of_summary("makespan", "makespan", better="less"), paired=True),
        replace(
            column_of_summary("gap", "gap", "%", negative=BEGUN_EARLY, better="less"), paired=True
        ),
        *OPTIMALITY,
        *PROGRESS,
        *DISRUPTIONS,
        *(
            replace(column_of_values(f"{kind}_recalled", f"{kind} read"), share=True)
            for kind in KINDS
        ),
        *CALLS,
    )
    measures = (
        *makespan.rows,
        *throughput.rows,
        *MEASURES,
        Measure(name="optimality_rate"),
        Measure(name="rate_of_best_known", measured_in="ratio"),
        Measure(name="steps_to_go", measured_in="ratio"),
        Measure(name="price_of_not_knowing", measured_in="ratio"),
        Measure(name="progress_completeness", measured_in="share"),
        service["closed_line_attempts"],
        waste["waste"],
        Measure(name="progress", of=True, better="more", measured_in="share"),
        *tardiness.rows,
        reading["error"],
        *(Measure(name=name, unit="timesteps", of=True) for name in PRICES),
        *(Measure(name=name, of=True) for name in EDITS),
    )

    further = (
        Measure(name="complete", of=True, measured_in=OF_LINES),
        *(
            Measure(name=name, of=True, better="less", measured_in="a food")
            for name in ("wrong", "missing", "extra")
        ),
        Measure(name="customization", of=True, better="more", measured_in="yes or no"),
        service["served"],
        reading["reading"],
        Measure(name="ites", of=True, better="more", measured_in="share"),
        service["served_at"],
        utilisation["idle"],
        utilisation["occupied"],
        utilisation["slots_filled"],
        waste["waste_discarded"],
        waste["waste_left"],
        *FURTHER,
    )

    def group(self, trace: Trace) -> str | None:
        """Return the scenario's level, such as `level1`; None if the scenario has none.

        An episode with injected events counts as level 3.
        """
        injected = any(record.injected for record in trace.of(EventRecord))
        level = 3 if injected else trace.header.scenario.get("level")
        return None if level is None else f"level{level}"

    def goals(self, evidence: KitchenEvidence) -> tuple[Goal, ...]:
        """Return the order lines."""
        return tuple(
            Goal(
                name=line.name,
                what=line.item,
                note=line.note,
                status=line.status,
                when=line.served_at,
            )
            for line in evidence.lines
        )

    def wanted(self, evidence: KitchenEvidence) -> list[str]:
        """Return the standing lines."""
        return [line.name for line in evidence.standing]


JUDGING = RestaurantJudging()


def _is_wanted(goal: Goal) -> bool:
    return goal.status != "cancelled"


def _select(checks: Sequence[Check], name: str) -> list[Check]:
    return [check for check in checks if check.name == name]


def _count_passed(checks: Sequence[Check], name: str) -> int:
    return sum(bool(check.passed) for check in _select(checks, name))
