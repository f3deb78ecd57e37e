"""Judging an episode: every evaluator on its own, then the overall success."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from episodes.trace import EventRecord, StepRecord, Trace
from evals.completeness import completeness
from evals.customizations import customizations
from evals.evidence import Evaluator, Evaluators, Evidence, gather
from evals.failures import failures
from evals.makespan import makespan
from evals.planning import planning
from evals.progress import progress
from evals.reading import reading
from evals.service import service
from evals.tardiness import tardiness
from evals.utilisation import utilisation
from evals.verdict import EPISODE, Check, JudgedLine, Summary, Verdict, unscored
from evals.waste import waste
from scenarios.truth.truth import ScenarioTruth

EVALUATORS: Evaluators = {
    "completeness": completeness,
    "customizations": customizations,
    "service": service,
    "progress": progress,
    "makespan": makespan,
    "tardiness": tardiness,
    "utilisation": utilisation,
    "failures": failures,
    "planning": planning,
    "waste": waste,
    "reading": reading,
}
"""The evaluators, by name."""


def judge(trace: Trace, truth: ScenarioTruth, evaluators: Evaluators = EVALUATORS) -> Verdict:
    """Judge an episode from its trace and the truth alone.

    A trace that breaks off, ended by an infrastructure error or does not replay is unscored.
    An evaluator that crashes makes one unscored check of its name. Raises TraceError if the trace
    is not of a restaurant under the present rules.
    """
    evidence: Evidence | None = None
    why = _unfinished(trace)
    if why is None:
        evidence = gather(trace, truth)
        why = _diverged(evidence)
    if evidence is None or why is not None:
        checks = [unscored(name, EPISODE, why or "") for name in evaluators]
        return _verdict(trace, (), checks, None, why or "")
    checks = [
        check for name, evaluator in evaluators.items() for check in _run(name, evaluator, evidence)
    ]
    lines = tuple(
        JudgedLine(
            name=line.name,
            item=line.item,
            note=line.note,
            status=line.status,
            served_at=line.served_at,
        )
        for line in evidence.lines
    )
    success, why = _success(trace, lines, checks)
    return _verdict(trace, lines, checks, success, why)


def _unfinished(trace: Trace) -> str | None:
    """Why an episode cannot be judged at all, as far as its records say."""
    if trace.end is None:
        timesteps = sum(1 for _ in trace.of(StepRecord))
        return f"the trace breaks off at timestep {timesteps}"
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
        yield from list(evaluator(evidence))
    except Exception as error:
        said = " ".join(str(error).split())
        yield unscored(name, EPISODE, f"the evaluator crashed: {type(error).__name__}: {said}")


def _success(
    trace: Trace, lines: Sequence[JudgedLine], checks: Sequence[Check]
) -> tuple[bool | None, str]:
    """Success: standing lines served complete and as asked, nothing cancelled, run to the end."""
    complete = {check.subject: check.passed for check in checks if check.name == "complete"}
    standing = [line.name for line in lines if line.status != "cancelled"]
    wrong = [name for name in standing if complete.get(name) is False]
    unknown = [name for name in standing if complete.get(name) is None]
    cancelled = [check.passed for check in checks if check.name == "cancelled_served"]
    assert trace.end is not None
    early = trace.end.termination != "all_served"
    reasons = [
        *([f"not served, or not as asked: {', '.join(wrong)}"] if wrong else []),
        *(["a cancelled line was served"] if False in cancelled else []),
        *([f"the episode ended early ({trace.end.termination}): {trace.end.why}"] if early else []),
    ]
    if reasons:
        return False, "; ".join(reasons)
    if unknown:
        return None, f"could not be judged: {', '.join(unknown)}"
    if not cancelled:
        return None, "could not be judged: whether a cancelled line was served"
    return True, "every standing line was served complete and as asked"


def _verdict(
    trace: Trace,
    lines: tuple[JudgedLine, ...],
    checks: Sequence[Check],
    success: bool | None,
    why: str,
) -> Verdict:
    header = trace.header
    injected = any(record.injected for record in trace.of(EventRecord))
    return Verdict(
        scenario=header.scenario_name,
        scenario_digest=header.scenario_digest,
        level=3 if injected else header.scenario.get("level"),
        planner=header.planner,
        planner_class=header.planner_class,
        termination=trace.end.termination if trace.end else None,
        success=success,
        why=why,
        summary=_summary(lines, checks),
        lines=lines,
        checks=tuple(checks),
    )


def _summary(lines: Sequence[JudgedLine], checks: Sequence[Check]) -> Summary:
    wishes = [check for check in checks if check.name == "customization"]
    return Summary(
        standing=sum(line.status != "cancelled" for line in lines),
        served=sum(line.served_at is not None for line in lines),
        complete=sum(bool(check.passed) for check in checks if check.name == "complete"),
        customizations=len(wishes),
        kept=sum(bool(check.passed) for check in wishes),
        makespan=_whole(checks, "makespan"),
        gap=_number(checks, "gap"),
        planner_calls=_whole(checks, "planner_calls"),
        model_calls=_whole(checks, "model_calls"),
        tokens=_whole(checks, "tokens"),
        fails=_whole(checks, "fails"),
        unscored=sum(not check.scored for check in checks),
    )


def _number(checks: Sequence[Check], name: str) -> float | None:
    """The number that was measured of the whole episode."""
    for check in checks:
        if (check.name, check.subject) == (name, EPISODE) and isinstance(check.value, int | float):
            return check.value
    return None


def _whole(checks: Sequence[Check], name: str) -> int | None:
    number = _number(checks, name)
    return None if number is None else int(number)
