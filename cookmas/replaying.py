"""Replaying of traces: simulated again and judged, without planners and models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cookmas.episodes.replay import Frame
from cookmas.episodes.replay import replay as replay_in
from cookmas.episodes.scenario import Scenario, redraw
from cookmas.episodes.trace import Trace
from cookmas.episodes.trace_file import read_trace
from cookmas.evals.verdict import Judged, Measurements, Verdict
from cookmas.files.errors import CookMASError, InputError, MissingError, TraceError
from cookmas.orchestrator.runs.folder import (
    MEASUREMENTS,
    RUN,
    TRACE,
    meanings_of,
    read_run,
    trace_file,
)
from cookmas.world_names import is_at_hand, world_of
from cookmas.worlds.base.domain import Domain


def judge(trace: Trace, truth: Any, world: str | None = None) -> Verdict:
    """Judge a trace by the truth of its scenario. Raises TraceError."""
    return judge_in(world_of(trace, world), trace, truth)


def judge_in(
    domain: Domain, trace: Trace, truth: Any, measured: Measurements | None = None
) -> Verdict:
    """Judge a trace of a domain's world, and add `measured` to the verdict. Raises TraceError."""
    verdict = domain.judging.judge(trace, truth, domain.world(trace.header.setup))
    return verdict.model_copy(update={"measured": measured})


def judge_run(run: Path, world: str | None = None) -> Judged:
    """Return a run with its verdict, or with the reason in `unjudged`; neither if it has not ended.

    A reason is a user-supplied world that `world` does not name, or a truth that is missing or
    does not belong to the trace. `run` is the run's folder, or the file of the trace. Raises
    TraceError if the trace is damaged, and MissingError if there is none.
    """
    path = trace_file(run)
    trace = read_trace(path)
    if trace.end is None:
        return Judged(path=run, trace=trace)
    if not is_at_hand(trace.header, world):
        why = f"the world {trace.header.world!r} is user-supplied; name it with --world"
        return Judged(path=run, trace=trace, unjudged=why)
    try:
        truth = truth_of(trace, path, None, world)
    except TraceError:
        raise
    except CookMASError as error:
        return Judged(path=run, trace=trace, unjudged=str(error))
    measured = Measurements.read(path.with_name(MEASUREMENTS))
    verdict = judge_in(world_of(trace, world), trace, truth, measured)
    return Judged(path=run, trace=trace, verdict=verdict)


def replay(trace: Trace, world: str | None = None) -> Iterator[Frame]:
    """Simulate a trace again, timestep by timestep. Raises TraceError."""
    return replay_in(trace, world_of(trace, world).world(trace.header.setup))


def truth_of(trace: Trace, path: Path, truth: Path | None = None, world: str | None = None) -> Any:
    """Return the truth that judges the trace in the file `path`.

    It is the truth of the trace's scenario, unless the file `truth` is given. Raises InputError if
    trace and truth do not match, MissingError if there is no truth.
    """
    if truth is not None and not truth.exists():
        raise MissingError(f"{truth}: there is no such file")
    domain = world_of(trace, world)
    scenario = _scenario_of(trace, path, domain)
    if scenario.digest != trace.header.scenario_digest:
        raise InputError(str(path), f"{scenario.name} has been changed since it was played")
    return add_meanings(domain.truth(scenario, truth), trace, domain, path.parent)


def _scenario_of(trace: Trace, path: Path, domain: Domain) -> Scenario:
    if path.name == TRACE and path.with_name(RUN).exists():
        file = read_run(path.parent)
        scenario = domain.scenario(file.scenario, file.settings)
    else:
        scenario = domain.rebuild(trace.header, path)
    return redraw(scenario, trace.header.seed)


def add_meanings(truth: Any, trace: Trace, domain: Domain, folder: Path | None) -> Any:
    """Return the truth. For an open episode, add the meanings that senders gave to their words."""
    if trace.header.horizon is not None or folder is None:
        return truth
    return domain.add_meanings(truth, trace, meanings_of(folder))
