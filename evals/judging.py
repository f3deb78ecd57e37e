"""The judging of episodes: which evaluators run, what is a success, and what reports show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cookmas.episodes.answered import check_number, tally_of
from cookmas.episodes.base import World, overrides
from cookmas.episodes.failure import FailedError, boundary
from cookmas.episodes.replay import replay, replay_to_end
from cookmas.episodes.trace import StepRecord, Termination, Trace
from cookmas.evals.columns import (
    CALLS,
    FURTHER,
    GRADES,
    MEASURES,
    SUCCESS,
    SUMMARY,
    TALK,
    TALK_MEASURES,
    Column,
    Measure,
    Score,
    SummaryEntry,
)
from cookmas.evals.evidence import Evaluator, Evaluators, Evidence
from cookmas.evals.mistakes import mistakes, recovery
from cookmas.evals.optimality import optimality
from cookmas.evals.planning import failures, planning, talk
from cookmas.evals.verdict import CRASHED, EPISODE, Check, Goal, Verdict, make_unscored
from cookmas.files.errors import UnsolvedError

COMMON: Evaluators = {
    "failures": failures,
    "planning": planning,
    "mistakes": mistakes,
    "recovery": recovery,
}
"""The evaluators of every world."""

RAN_TO_END: tuple[Termination, ...] = ("won", "finished", "closed")
"""The endings of an episode that ran to its end, and that a limit or a planner did not stop."""


class Judging:
    """The rules by which the episodes of a world are judged; a world overrides what differs.

    By default an episode succeeds if it is won or finished. If the world has a best score, an
    episode that is neither won, finished nor lost is graded by its score alone.
    """

    # What a world overrides

    version: str = "3"
    """Version of the rules. It changes whenever a trace can get another verdict than before."""
    evidence: type[Evidence] = Evidence
    """Class of the evidence that the evaluators receive."""
    evaluators: Mapping[str, Evaluator] = {
        **COMMON,
        "talk": talk,
        "optimality": optimality(),
    }
    """The evaluators by name, in the order of the verdict's checks."""
    summary: Sequence[SummaryEntry] = SUMMARY
    """The entries of a verdict's summary."""
    columns: Sequence[Column] = (SUCCESS, *GRADES, *TALK, *CALLS)
    """The columns of a suite's table."""
    deciding: str = ""
    """Name of the check that says of each goal whether it was reached as asked; "": none does."""
    primary: str = SUCCESS.name
    """Name of the column by which planners are compared."""
    measures: Sequence[Measure] = (Measure(name="optimality_rate"), *MEASURES, *TALK_MEASURES)
    """The measures that the report of a verdict shows."""
    further: Sequence[Measure] = FURTHER
    """The other checks, which only the page of a run shows."""
    correlated: Sequence[str] = ()
    """Names of the columns whose correlation over several planners a report shows."""
    scores: Sequence[Score] = ()
    """Numbers that are computed from many verdicts together."""

    def group(self, trace: Trace) -> str | None:
        """Return the group of an episode, such as its level; None if it belongs to no group."""
        return None

    def goals(self, evidence: Any) -> Sequence[Goal]:
        """Return the goals of an episode, each with its status at the end."""
        return ()

    def success(self, evidence: Any, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Return whether an episode succeeded, and why.

        The bool is None if this cannot be decided or the world only grades.
        """
        end = evidence.end
        if end.termination in RAN_TO_END:
            return True, end.why
        graded = overrides(evidence.world, "best_score") and end.termination != "lost"
        return None if graded else False, f"{_describe_ending(end.termination)}: {end.why}"

    def best_score(self, evidence: Any) -> float | None:
        """Return the best possible score of an episode, or an upper bound; None if unknown.

        It is asked only if the world itself has no best score.
        """
        return None

    # Machinery

    def judge(
        self, trace: Trace, truth: Any, world: World, evaluators: Evaluators | None = None
    ) -> Verdict:
        """Return the verdict on an episode from its trace and the truth alone.

        The verdict is unscored if the trace is unfinished, ended with an infrastructure error, or
        does not replay. If an evaluator crashes, the verdict is unscored too, and has one unscored
        check of the evaluator's name. `evaluators` replace those of the world. Raise TraceError if
        the trace belongs to another world or other rules, has records out of order, or ends with
        other score counters than the replay.
        """
        evidence, checks, why = self.examine(trace, truth, world, evaluators)
        success = None
        goals: Sequence[Goal] = ()
        if evidence is not None:
            try:
                with boundary(self.success, allowed=(UnsolvedError,)):
                    success, why = self.success(evidence, checks)
                    goals = self.goals(evidence)
            except UnsolvedError as error:
                success, why = None, str(error)
            except FailedError as error:
                checks.append(check_of_failure(SUCCESS.name, error))
            if crashed := [f"{each.name}: {each.reason}" for each in checks if each.crashed]:
                success, why = None, "; ".join(crashed)
            if evidence.end.termination == "planner_failed":
                success, why = False, evidence.end.why
        score, best = self._read_score(evidence) if evidence else (None, None)
        header = trace.header
        return Verdict(
            world=header.world,
            scenario=header.scenario_name,
            scenario_digest=header.scenario_digest,
            group=self.group(trace),
            planner=trace.planner,
            planner_class=trace.planner_class,
            judges=self.version,
            termination=trace.end.termination if trace.end else None,
            success=success,
            score=score,
            best_score=best,
            why=why,
            summary={entry.name: entry.read(goals, checks) for entry in self.summary},
            goals=tuple(goals),
            checks=tuple(checks),
        )

    def examine(
        self, trace: Trace, truth: Any, world: World, evaluators: Evaluators | None = None
    ) -> tuple[Evidence | None, list[Check], str]:
        """Return the evidence of an episode, the checks of the evaluators, and an empty text.

        If the episode cannot be judged, the evidence is None, every check is unscored, and the text
        says why. Raise TraceError as `judge` does.
        """
        evaluators = self.evaluators if evaluators is None else evaluators
        evidence: Evidence | None = None
        why = _explain_unfinished(trace)
        if why is None:
            frames = tuple(replay(trace, world))
            last, final = replay_to_end(trace, world)
            evidence = self.evidence(
                trace=trace, truth=truth, world=last, frames=frames, final=final
            )
            why = _find_divergence(evidence)
        if evidence is None or why is not None:
            return None, [make_unscored(name, EPISODE, why or "") for name in evaluators], why or ""
        checks = [
            check
            for name, evaluator in evaluators.items()
            for check in _run(name, evaluator, evidence)
        ]
        return evidence, checks, ""

    def _read_score(self, evidence: Evidence) -> tuple[float | None, float | None]:
        """Return the world's score of an episode, and the best possible score.

        Each is None if there is no such score. There is no best score if a fork altered the world,
        because part of the score may be from before.
        """
        world = evidence.world
        with boundary(world=world):
            score = tally_of(world, evidence.final).score
            best = None if evidence.altered else world.best_score
        if best is None:
            best = self.best_score(evidence)
        if best is not None:
            check_number(world, "best_score", best)
        return score, None if score is None else best


class GoalJudging(Judging):
    """The judging of a world whose episodes have a time for goals: a success reaches all of them.

    A world whose episodes are won by reaching a goal keeps the rule of `Judging`.
    """

    # What a world overrides

    ends: tuple[Termination, ...] = RAN_TO_END
    """The endings of an episode that had all its time."""
    missed: str
    """The words before the names of goals that were not reached as asked."""
    reached: str
    """The words for a success."""

    def wanted(self, evidence: Any) -> Sequence[str]:
        """Return the names of the goals that a success reaches."""
        return [goal.name for goal in self.goals(evidence)]

    # Machinery

    def explain_early(self, evidence: Evidence) -> str | None:
        """Return why an episode did not have all its time; None if it had."""
        end = evidence.end
        if end.termination in self.ends:
            return None
        return f"the episode ended early ({end.termination}): {end.why}"

    def success(self, evidence: Any, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Return whether all goals were reached in time (None if that is unknown), and why."""
        found = {check.subject: check.passed for check in checks if check.name == self.deciding}
        wanted = self.wanted(evidence)
        missed = [name for name in wanted if found.get(name) is False]
        unknown = [name for name in wanted if found.get(name) is None]
        reasons = [f"{self.missed}: {', '.join(missed)}"] if missed else []
        reasons += filter(None, [self.explain_early(evidence)])
        if reasons:
            return False, "; ".join(reasons)
        if unknown:
            return None, f"could not be judged: {', '.join(unknown)}"
        return True, self.reached


def group_of_name(trace: Trace) -> str | None:
    """Return the group in a scenario's name, such as `level_3` of `level_3/02`; None if none."""
    name, _, within = trace.header.scenario_name.partition("/")
    return name if within else None


def only_goal(name: str, what: str, reached: str | None, timestep: int, note: str = "") -> Goal:
    """Return the goal of an episode that has only one goal, as it is at the end.

    `reached` is the world's word for a goal that was reached; None if it is open.
    """
    when = timestep if reached else None
    return Goal(name=name, what=what, status=reached or "open", note=note, when=when)


def _describe_ending(termination: str) -> str:
    if termination in ("lost", "over"):
        return f"the episode is {termination}"
    return f"the episode ended with {termination}"


def _explain_unfinished(trace: Trace) -> str | None:
    """Return why an episode cannot be judged, by its trace; None if the trace shows no reason."""
    if trace.end is None:
        timesteps = sum(1 for _ in trace.of(StepRecord))
        return f"the trace is unfinished: it breaks off at timestep {timesteps}"
    if trace.interrupted:
        return f"infrastructure error: {trace.end.why}"
    return None


def _find_divergence(evidence: Evidence) -> str | None:
    for frame in evidence.frames:
        if frame.expected == frame.found and not frame.equal:
            recorded, found = frame.recorded_fails, frame.fails
            return (
                f"the trace does not replay: timestep {frame.timestep} should have "
                f"{_describe_fails(recorded)} and has {_describe_fails(found)}"
            )
        if not frame.equal:
            return (
                f"the trace does not replay: timestep {frame.timestep} should end in "
                f"{frame.expected} and ends in {frame.found}"
            )
    return None


def _describe_fails(fails: Mapping[str, str | None]) -> str:
    said = ", ".join(f"{worker}: {kind}" for worker, kind in sorted(fails.items()))
    return f"the FAILs {said}" if said else "no FAILs"


def _run(name: str, evaluator: Evaluator, evidence: Evidence) -> Iterator[Check]:
    try:
        with boundary(evaluator, allowed=(UnsolvedError,)):
            checks = list(evaluator(evidence))
            for check in checks:
                if not isinstance(check, Check):
                    raise TypeError(f"an evaluator gives checks, not {check!r}")
    except UnsolvedError as error:
        checks = [make_unscored(name, EPISODE, str(error))]
    except FailedError as error:
        checks = [check_of_failure(name, error)]
    yield from checks


JUDGING = Judging()
"""The judging of a world that brings none."""


def check_of_failure(name: str, error: FailedError) -> Check:
    """Return the unscored check of an evaluator that failed."""
    return make_unscored(name, EPISODE, f"{CRASHED}: {error}")
