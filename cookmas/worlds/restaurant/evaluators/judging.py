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
from cookmas.evals.judging import Judging
from cookmas.evals.mistakes import recovery
from cookmas.evals.planning import failures, planning
from cookmas.evals.rescheduling import rescheduling
from cookmas.evals.verdict import Check, Goal, Number
from cookmas.worlds.restaurant.evaluators.completeness import completeness
from cookmas.worlds.restaurant.evaluators.customizations import customizations
from cookmas.worlds.restaurant.evaluators.disruptions import CONTINUING
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence
from cookmas.worlds.restaurant.evaluators.makespan import BEGUN_EARLY, makespan
from cookmas.worlds.restaurant.evaluators.mistakes import mistakes
from cookmas.worlds.restaurant.evaluators.optimality import optimality
from cookmas.worlds.restaurant.evaluators.progress import progress
from cookmas.worlds.restaurant.evaluators.reading import reading
from cookmas.worlds.restaurant.evaluators.recall import KINDS, recall
from cookmas.worlds.restaurant.evaluators.service import service
from cookmas.worlds.restaurant.evaluators.tardiness import tardiness
from cookmas.worlds.restaurant.evaluators.throughput import throughput
from cookmas.worlds.restaurant.evaluators.trajectories import trajectories
from cookmas.worlds.restaurant.evaluators.utilisation import utilisation
from cookmas.worlds.restaurant.evaluators.waste import waste

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

OF_LINES = "lines, or yes or no"
"""The unit of a number of lines in a summary, and of the check of one line."""

SHARES: Sequence[tuple[str, Direction]] = (("recalled", "more"), ("invented", "less"))
"""The shares of a reading, and which is better."""


class RestaurantJudging(Judging):
    """The rules that judge an episode: each dish must be complete and as the customer asked.

    They also define the columns and measures of reports.
    """

    version = "5"
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
        Measure(name="makespan", unit="timesteps"),
        Measure(name="makespan_bound", unit="timesteps"),
        Measure(name="gap", unit="%"),
        Measure(name="throughput", unit="lines in 100 timesteps"),
        Measure(name="time_per_line", unit="timesteps"),
        Measure(name="longest_line", unit="timesteps", better="less"),
        *MEASURES,
        Measure(name="optimality_rate"),
        Measure(name="rate_of_best_known", measured_in="ratio"),
        Measure(name="steps_to_go", measured_in="ratio"),
        Measure(name="price_of_not_knowing", measured_in="ratio"),
        Measure(name="progress_completeness", measured_in="share"),
        Measure(name="closed_line_attempts", better="less", measured_in="actions"),
        Measure(name="waste", unit="portions", better="less"),
        Measure(name="progress", of=True, better="more", measured_in="share"),
        Measure(name="tardiness", unit="timesteps", of=True, better="less"),
        Measure(name="error", of=True, measured_in='"reading" or "scheduling"'),
        *(Measure(name=name, unit="timesteps", of=True) for name in PRICES),
        *(Measure(name=name, of=True) for name in EDITS),
    )

    further = (
        Measure(name="complete", of=True, measured_in=OF_LINES),
        *(
            Measure(name=name, of=True, better="less", measured_in="a food")
            for name in ("wrong", "missing", "extra")
        ),
        *(
            Measure(name=name, of=True, better="more", measured_in=unit)
            for name, unit in (
                ("customization", "yes or no"),
                ("served", OF_LINES),
                ("reading", "yes or no"),
                ("ites", "share"),
            )
        ),
        Measure(name="served_at", unit="timestep", of=True),
        Measure(name="idle", unit="timesteps", of=True),
        Measure(name="occupied", of=True, measured_in="share"),
        Measure(name="slots_filled", of=True, measured_in="share"),
        *(
            Measure(name=name, unit="portions", better="less")
            for name in ("waste_discarded", "waste_left")
        ),
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

    def success(
        self, evidence: KitchenEvidence, checks: Sequence[Check]
    ) -> tuple[bool | None, str]:
        """Return whether the episode is a success (None if that is unknown), and the reason.

        In a success, all standing lines were served as asked and the episode ran to its end.
        """
        complete = {check.subject: check.passed for check in _select(checks, "complete")}
        standing = [line.name for line in evidence.standing]
        wrong = [name for name in standing if complete.get(name) is False]
        unknown = [name for name in standing if complete.get(name) is None]
        end = evidence.end
        reasons = [
            *([f"not served, or not as asked: {', '.join(wrong)}"] if wrong else []),
            *(
                [f"the episode ended early ({end.termination}): {end.why}"]
                if evidence.ended_early
                else []
            ),
        ]
        if reasons:
            return False, "; ".join(reasons)
        if unknown:
            return None, f"could not be judged: {', '.join(unknown)}"
        return True, "every line that was not cancelled was served complete and as asked"


JUDGING = RestaurantJudging()


def _is_wanted(goal: Goal) -> bool:
    return goal.status != "cancelled"


def _select(checks: Sequence[Check], name: str) -> list[Check]:
    return [check for check in checks if check.name == name]


def _count_passed(checks: Sequence[Check], name: str) -> int:
    return sum(bool(check.passed) for check in _select(checks, name))
