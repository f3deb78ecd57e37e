"""The judging of the corridor: an episode succeeds if every bell was rung where it hangs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cookmas.evals.columns import (
    CALLS,
    COLLABORATION,
    FURTHER,
    MEASURES,
    OPTIMALITY,
    PROGRESS,
    SUCCESS,
    SUMMARY,
    TALK,
    TALK_MEASURES,
    Measure,
    column_of_passes,
    count_entry,
)
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, Judging
from cookmas.evals.optimality import optimality
from cookmas.evals.planning import talk
from cookmas.evals.verdict import EPISODE, Check, Goal, make_check
from cookmas.worlds.corridor.evaluators.collaborations import collaborations
from cookmas.worlds.corridor.evaluators.ways import find_reached, optimum, trajectories
from cookmas.worlds.corridor.world import open_bells


def judge_bells(evidence: Evidence) -> Iterator[Check]:
    """Yield `rung` for each bell, and `makespan` in timesteps if all bells were rung.

    `rung` is passed if the bell was rung where it hangs.
    """
    for name, bell in evidence.final["bells"].items():
        wanted, place = evidence.truth[name], bell["rung"]
        where = "not rung" if place is None else f"rung at {place}"
        yield make_check("rung", name, place == wanted, reason=f"{where}, hangs at {wanted}")
    if not open_bells(evidence.final):
        yield Check(name="makespan", subject=EPISODE, value=evidence.final["timestep"])


class CorridorJudging(Judging):
    """The judging of the corridor, in which each bell that was asked for is a goal."""

    version = "3"
    evaluators: Mapping[str, Evaluator] = {
        "ringing": judge_bells,
        "trajectories": trajectories,
        "optimality": optimality(optimum, find_reached),
        "collaborations": collaborations,
        "talk": talk,
        **COMMON,
    }
    summary = (
        count_entry("bells", lambda goals, checks: len(goals)),
        count_entry(
            "right",
            lambda goals, checks: sum(map(_is_right, checks)),
            measured_in="bells, or yes or no",
        ),
        *SUMMARY,
    )
    columns = (
        SUCCESS,
        column_of_passes("bells", "bells", "rung"),
        *PROGRESS,
        *OPTIMALITY,
        *COLLABORATION,
        *TALK,
        *CALLS,
    )
    measures = (
        Measure(name="makespan", unit="timesteps", better="less"),
        Measure(name="optimality_rate"),
        Measure(name="steps_to_go", measured_in="ratio"),
        Measure(name="progress_completeness", measured_in="share"),
        *MEASURES,
        Measure(name="rung", of=True, better="more", measured_in="yes or no"),
        Measure(name="initiated", of=True, better="more", measured_in="yes or no"),
        Measure(name="responded", of=True, better="more", measured_in="yes or no"),
        *TALK_MEASURES,
    )

    further = (Measure(name="ites", of=True, better="more", measured_in="share"), *FURTHER)

    def goals(self, evidence: Evidence) -> list[Goal]:
        """Return a goal for each bell."""
        rung = {act.action: act.timestep for act in evidence.acts if act.outcome.done}
        return [
            Goal(
                name=name,
                what="bell",
                status="open" if bell["rung"] is None else "rung",
                when=rung.get(f"ring({name})"),
            )
            for name, bell in evidence.final["bells"].items()
        ]

    def success(self, evidence: Evidence, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Return whether every bell was rung where it hangs, and the reason in words."""
        end = evidence.end
        if end.termination != "finished":
            return False, f"the episode ended early ({end.termination}): {end.why}"
        wrong = [check.subject for check in checks if check.name == "rung" and not check.passed]
        if wrong:
            return False, f"not rung where they hang: {', '.join(wrong)}"
        return True, "every bell was rung where it hangs"


JUDGING = CorridorJudging()


def _is_right(check: Check) -> bool:
    return check.name == "rung" and check.passed is True
