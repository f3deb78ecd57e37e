"""The judging of Robotouille: an episode succeeds if its goal is reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cookmas.episodes.trace import Trace
from cookmas.evals.columns import (
    CALLS,
    MEASURES,
    OPTIMALITY,
    SUCCESS,
    SUMMARY,
    Measure,
    column_of_passes,
    column_of_values,
)
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, Judging
from cookmas.evals.optimality import Optimum, Reached, optimality
from cookmas.evals.verdict import EPISODE, Check, Goal, make_check
from cookmas.worlds.base.certificates import Certificate, read_certificate
from cookmas.worlds.robotouille.certificates import CERTIFICATES
from cookmas.worlds.robotouille.evaluators.misreading import mistakes
from cookmas.worlds.robotouille.planning.finding import find_schedule
from cookmas.worlds.robotouille.world import RobotouilleWorld


def certificate_of(evidence: Evidence) -> Certificate | None:
    """Return the certificate of the scenario that was played; None if there is none."""
    header = evidence.trace.header
    return read_certificate(CERTIFICATES, header.scenario_name, header.scenario_digest)


def find_optimum(evidence: Evidence) -> Optimum | None:
    """Return the fewest timesteps for the scenario, or a bound, and those that are known."""
    known = certificate_of(evidence)
    if known is None or evidence.altered:
        return None
    return Optimum(known.bound, "optimum" if known.proven else "bound", known.value)


def find_reached(evidence: Evidence) -> Reached:
    """Return the timesteps until the goal, or how many are left by the search."""
    if is_reached(evidence):
        return Reached(evidence.end.timestep)
    world = evidence.world
    assert isinstance(world, RobotouilleWorld)
    left = find_schedule(world, evidence.final, quick=True)
    return Reached(None, None if left is None else len(left))


def is_reached(evidence: Evidence) -> bool:
    """Return whether the goal was reached."""
    return evidence.end.termination == "won"


def judge_times(evidence: Evidence) -> Iterator[Check]:
    """Yield `within_published` and `within_optimum`: whether the goal was reached early enough.

    That is within one and a half times the published number of timesteps, or the fewest that are
    known. A check is left out if its number is unknown.
    """
    limits = [
        ("within_published", "published number", evidence.trace.header.scenario.get("published"))
    ]
    known = None if evidence.altered else certificate_of(evidence)
    if known is not None:
        what = "optimum" if known.proven else "known schedule"
        limits.append(("within_optimum", what, known.value))
    at, reached = evidence.end.timestep, is_reached(evidence)
    told = f"reached after {at} timesteps" if reached else "not reached"
    for name, what, timesteps in limits:
        if timesteps:
            passed = reached and 2 * at <= 3 * timesteps
            reason = f"{told}, against 1.5 times the {what} of {timesteps}"
            yield make_check(name, EPISODE, passed, reason=reason)


def count_repeated(evidence: Evidence) -> Iterator[Check]:
    """Yield `repeated_states`: timesteps after which everything was as at an earlier timestep."""
    seen, repeated = set[str](), 0
    states = [frame.before for frame in evidence.frames] + [evidence.final]
    for state in states:
        key = str(evidence.world.progress_key(state))
        repeated += key in seen
        seen.add(key)
    yield Check(name="repeated_states", subject=EPISODE, value=repeated)


class RobotouilleJudging(Judging):
    """The judging of Robotouille, in which the wish is the only goal."""

    version = "3"
    evaluators: Mapping[str, Evaluator] = {
        "times": judge_times,
        "optimality": optimality(find_optimum, find_reached),
        "repeated": count_repeated,
        **COMMON,
        "mistakes": mistakes,
    }
    summary = SUMMARY
    columns = (
        SUCCESS,
        replace(column_of_passes("within_published", "in time", "within_published"), optional=True),
        replace(
            column_of_passes("within_optimum", "near the optimum", "within_optimum"), optional=True
        ),
        *OPTIMALITY,
        column_of_values("repeated_states", "repeated states", better="less"),
        *CALLS,
    )
    measures = (
        Measure(name="within_published"),
        Measure(name="within_optimum"),
        Measure(name="optimality_rate"),
        Measure(name="rate_of_best_known", measured_in="ratio"),
        Measure(name="steps_to_go", measured_in="ratio"),
        Measure(name="repeated_states", measured_in="timesteps"),
        *MEASURES,
    )

    def group(self, trace: Trace) -> str | None:
        """Return the group in the scenario's name, such as `synchronous`; None without one."""
        name, _, task = trace.header.scenario_name.partition("/")
        return name if task else None

    def goals(self, evidence: Evidence) -> Sequence[Goal]:
        """Return the wish."""
        world = evidence.world
        assert isinstance(world, RobotouilleWorld)
        reached = is_reached(evidence)
        return [
            Goal(
                name="wish",
                what="goal",
                status="reached" if reached else "open",
                when=evidence.end.timestep if reached else None,
                note=world.level.wish,
            )
        ]


JUDGING = RobotouilleJudging()
