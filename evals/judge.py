"""Judging an episode: every evaluator on its own, then the overall success."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

from episodes.answered import check_number, tally_of
from episodes.capabilities import Scoring
from episodes.failure import FailedError, failed, naming
from episodes.replay import ending, replay
from episodes.trace import StepRecord, Trace
from episodes.world import World
from evals.columns import Column, Entry, Measure
from evals.evidence import Evaluator, Evaluators, Evidence
from evals.verdict import EPISODE, Check, Goal, Verdict, unscored


@runtime_checkable
class Grouping(Protocol):
    """A judging whose episodes are counted in groups, such as levels."""

    def group(self, trace: Trace) -> str | None:
        """Return the group in which an episode is counted; None if it is in none."""
        ...


@runtime_checkable
class Bounding(Protocol):
    """A judging that knows afterwards which score no play of an episode could have passed."""

    def best_score(self, evidence: Any) -> float | None:
        """Return the best score of an episode, or a bound of it; None where none is known."""
        ...


class Judging(Protocol):
    """How the episodes of a world are judged.

    `version` rises when the verdict on one trace can come out otherwise than before; `evaluators`
    are by name; `summary`, `columns` and `measures` are what is reported.
    Where it has `scores` too, they are read off many verdicts together. `primary` names the column
    by which planners are compared, where that is not success.
    """

    version: str
    evaluators: Evaluators
    summary: Sequence[Entry]
    columns: Sequence[Column]
    measures: Sequence[Measure]

    @property
    def evidence(self) -> type[Evidence]:
        """What the evaluators look at."""
        ...

    def goals(self, evidence: Any) -> Sequence[Goal]:
        """What was asked for, and what became of it."""
        ...

    def success(self, evidence: Any, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Whether the episode succeeded (None: it cannot be said, or is graded alone), and why."""
        ...


def judge(
    trace: Trace,
    truth: Any,
    world: World[Any],
    judging: Judging,
    evaluators: Evaluators | None = None,
) -> Verdict:
    """Judge an episode from its trace and the truth alone.

    A trace that is unfinished, ended by an infrastructure error or does not replay is unscored.
    An evaluator that crashes makes one unscored check of its name; `evaluators` take the place of
    the world's. Raises TraceError if the trace is not of this world under the present rules,
    is out of order, or ended otherwise than it says.
    """
    evaluators = judging.evaluators if evaluators is None else evaluators
    evidence, checks, why = examine(trace, truth, world, judging, evaluators)
    if evidence is None:
        return _verdict(trace, judging, None, checks, None, why)
    success, why = judging.success(evidence, checks)
    if trace.end and trace.end.termination == "planner_failed":
        success, why = False, trace.end.why
    return _verdict(trace, judging, evidence, checks, success, why)


def examine(
    trace: Trace, truth: Any, world: World[Any], judging: Judging, evaluators: Evaluators
) -> tuple[Evidence | None, list[Check], str]:
    """The evidence of an episode and what evaluators make of it.

    Without evidence every check is unscored, for the reason that comes last. Raises TraceError.
    """
    evidence: Evidence | None = None
    why = _unfinished(trace)
    if why is None:
        frames = tuple(replay(trace, world))
        last, final = ending(trace, world)
        evidence = judging.evidence(
            trace=trace, truth=truth, world=last, frames=frames, final=final
        )
        why = _diverged(evidence)
    if evidence is None or why is not None:
        return None, [unscored(name, EPISODE, why or "") for name in evaluators], why or ""
    checks = [
        check for name, evaluator in evaluators.items() for check in _run(name, evaluator, evidence)
    ]
    return evidence, checks, ""


def _unfinished(trace: Trace) -> str | None:
    """Why an episode cannot be judged at all, as far as its records say."""
    if trace.end is None:
        timesteps = sum(1 for _ in trace.of(StepRecord))
        return f"the trace is unfinished: it breaks off at timestep {timesteps}"
    if trace.end.termination == "infrastructure_error":
        return f"infrastructure error: {trace.end.why}"
    return None


def _diverged(evidence: Evidence) -> str | None:
    for frame in evidence.frames:
        if not frame.equal:
            return (
                f"the trace does not replay: timestep {frame.timestep} should end in "
                f"{frame.expected} and ends in {frame.found}"
            )
    return None


def _run(name: str, evaluator: Evaluator, evidence: Evidence) -> Iterator[Check]:
    try:
        checks = list(evaluator(evidence))
        for check in checks:
            if not isinstance(check, Check):
                raise TypeError(f"an evaluator gives checks, not {check!r}")
    except (Exception, SystemExit) as error:
        checks = [crashed(name, failed(error, evaluator))]
    yield from checks


def crashed(name: str, error: FailedError) -> Check:
    """The unscored check of an evaluator that failed."""
    return unscored(name, EPISODE, f"the evaluator crashed: {error}")


def _verdict(
    trace: Trace,
    judging: Judging,
    evidence: Evidence | None,
    checks: Sequence[Check],
    success: bool | None,
    why: str,
) -> Verdict:
    header = trace.header
    goals = judging.goals(evidence) if evidence else ()
    score, best = _graded(evidence, judging) if evidence else (None, None)
    return Verdict(
        world=header.world,
        scenario=header.scenario_name,
        scenario_digest=header.scenario_digest,
        group=judging.group(trace) if isinstance(judging, Grouping) else None,
        planner=trace.planner,
        planner_class=trace.planner_class,
        judges=judging.version,
        termination=trace.end.termination if trace.end else None,
        success=success,
        score=score,
        best_score=best,
        why=why,
        summary={entry.name: entry.read(goals, checks) for entry in judging.summary},
        goals=tuple(goals),
        checks=tuple(checks),
    )


def _graded(evidence: Evidence, judging: Judging) -> tuple[float | None, float | None]:
    """The score that the world gives an episode, and the best one where it is a grade.

    The best one is the world's, or the judging's where no planner may know it.
    """
    world = evidence.world
    with naming(world):
        score = tally_of(world, evidence.final).score
        best = world.best_score if isinstance(world, Scoring) else None
    if best is None and isinstance(judging, Bounding):
        best = judging.best_score(evidence)
    if best is not None:
        check_number(world, "best_score", best)
    return score, None if score is None else best
