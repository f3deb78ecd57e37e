"""The judging of an episode: it runs every evaluator, then decides on success."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

from cookmas.episodes.answered import check_number, tally_of
from cookmas.episodes.capabilities import Scoring
from cookmas.episodes.failure import FailedError, failure_of, naming
from cookmas.episodes.replay import replay, replay_to_end
from cookmas.episodes.trace import StepRecord, Trace
from cookmas.episodes.world import AnyWorld
from cookmas.evals.columns import Column, Measure, SummaryEntry
from cookmas.evals.evidence import Evaluator, Evaluators, Evidence
from cookmas.evals.verdict import EPISODE, Check, Goal, Verdict, make_unscored


@runtime_checkable
class Grouping(Protocol):
    """Rules of judging that assign episodes to groups, such as levels."""

    def group(self, trace: Trace) -> str | None:
        """Return the group of an episode; None if it belongs to no group."""
        ...


@runtime_checkable
class Bounding(Protocol):
    """Rules of judging that can compute the best score that an episode could have reached."""

    def best_score(self, evidence: Any) -> float | None:
        """Return the best possible score of an episode, or an upper bound; None if unknown."""
        ...


class Judging(Protocol):
    """The rules by which the episodes of a world are judged.

    Two attributes are optional. `scores` maps names to `Score`s, which are computed from many
    verdicts together. `primary` is the name of the column by which planners are compared, by
    default success.
    """

    version: str
    """Version of the evaluators. It changes whenever a trace can get another verdict than before.
    """
    evaluators: Evaluators
    """The evaluators by name."""
    summary: Sequence[SummaryEntry]
    """The entries of a verdict's summary."""
    columns: Sequence[Column]
    """The columns of a suite's table."""
    measures: Sequence[Measure]
    """The measures that the report of a verdict shows."""

    @property
    def evidence(self) -> type[Evidence]:
        """Class of the evidence that the evaluators receive."""
        ...

    def goals(self, evidence: Any) -> Sequence[Goal]:
        """Return the goals of the episode, each with its status at the end."""
        ...

    def success(self, evidence: Any, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Return whether the episode succeeded, and why.

        The bool is None if this cannot be decided or the world only grades.
        """
        ...


def judge(
    trace: Trace,
    truth: Any,
    world: AnyWorld[Any],
    judging: Judging,
    evaluators: Evaluators | None = None,
) -> Verdict:
    """Return the verdict on an episode from its trace and the truth alone.

    The verdict is unscored if the trace is unfinished, ended with an infrastructure error, or does
    not replay. If an evaluator crashes, the verdict has one unscored check of the evaluator's name.
    `evaluators` replace those of the world. Raise TraceError if the trace belongs to another world
    or other rules, has records out of order, or ends with other score counters than the replay.
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
    trace: Trace, truth: Any, world: AnyWorld[Any], judging: Judging, evaluators: Evaluators
) -> tuple[Evidence | None, list[Check], str]:
    """Return the evidence of an episode, the checks of the evaluators, and an empty text.

    If the episode cannot be judged, the evidence is None, every check is unscored, and the text
    says why. Raise TraceError as `judge` does.
    """
    evidence: Evidence | None = None
    why = _explain_unfinished(trace)
    if why is None:
        frames = tuple(replay(trace, world))
        last, final = replay_to_end(trace, world)
        evidence = judging.evidence(
            trace=trace, truth=truth, world=last, frames=frames, final=final
        )
        why = _find_divergence(evidence)
    if evidence is None or why is not None:
        return None, [make_unscored(name, EPISODE, why or "") for name in evaluators], why or ""
    checks = [
        check for name, evaluator in evaluators.items() for check in _run(name, evaluator, evidence)
    ]
    return evidence, checks, ""


def _explain_unfinished(trace: Trace) -> str | None:
    """Return why an episode cannot be judged, by its trace; None if the trace shows no reason."""
    if trace.end is None:
        timesteps = sum(1 for _ in trace.of(StepRecord))
        return f"the trace is unfinished: it breaks off at timestep {timesteps}"
    if trace.end.termination == "infrastructure_error":
        return f"infrastructure error: {trace.end.why}"
    return None


def _find_divergence(evidence: Evidence) -> str | None:
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
        checks = [check_of_failure(name, failure_of(error, evaluator))]
    yield from checks


def check_of_failure(name: str, error: FailedError) -> Check:
    """Return the unscored check of an evaluator that failed."""
    return make_unscored(name, EPISODE, f"the evaluator crashed: {error}")


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
    score, best = _read_score(evidence, judging) if evidence else (None, None)
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


def _read_score(evidence: Evidence, judging: Judging) -> tuple[float | None, float | None]:
    """Return the world's score of an episode, and the best possible score.

    The best score comes from the world or, if the world has none, from the rules of judging. Each
    is None if there is no such score.
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
