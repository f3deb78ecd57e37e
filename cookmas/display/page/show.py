"""The page of runs that are kept in folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from cookmas.display.page.comparing import Film
from cookmas.display.page.document import document, line_of
from cookmas.display.page.feed import Entry, entries
from cookmas.display.page.verdict import unjudged_entry, verdict_entry
from cookmas.judging import judge, truth_of
from cookmas.worlds import world_of
from episodes.trace import Header, Trace
from episodes.trace_file import read_trace
from evals.measured import read_measurements
from files.errors import CookMASError, InputError, TraceError
from orchestrator.runs.folder import MEASUREMENTS, trace_file
from worlds import capabilities


def page(runs: Sequence[Path], world: str | None = None) -> str:
    """The page of one run, or of two beside each other; each a folder or the file of a trace.

    A run that is still going on is shown as far as it has come. Raises CookMASError.
    """
    traces = _alike(runs)
    viewing = capabilities.viewing(world_of(traces[0], world))
    shown = [_film(trace, trace_file(run), world) for trace, run in zip(traces, runs, strict=True)]
    title = " and ".join(f"{t.header.scenario_name}, {t.header.planner}" for t in traces)
    return document(f"CookMAS: {title}", [viewing], shown)


def compared(one: Path, other: Path, world: str | None = None) -> tuple[Film, Film]:
    """Two runs of one scenario, to be compared. Raises CookMASError."""
    traces = _alike((one, other))
    mine, its = (trace.header for trace in traces)
    if mine.scenario_digest != its.scenario_digest:
        raise InputError(
            str(other), f"expected two runs of one scenario, not of {_unlike(mine, its)}"
        )
    first, second = (
        Film(_film(trace, trace_file(run), world))
        for trace, run in zip(traces, (one, other), strict=True)
    )
    return first, second


def _unlike(one: Header, other: Header) -> str:
    """Name two scenarios; of two by one name also the fields in which they are unlike."""
    if one.scenario_name != other.scenario_name:
        return f"{one.scenario_name} and {other.scenario_name}"
    unlike = [
        name
        for name in dict.fromkeys([*one.scenario, *other.scenario])
        if one.scenario.get(name) != other.scenario.get(name)
    ]
    return f"two variants of {one.scenario_name}, unlike in {', '.join(unlike)}"


def _alike(runs: Sequence[Path]) -> list[Trace]:
    """The traces of runs of one world."""
    traces = [read_trace(trace_file(run)) for run in runs]
    names = {trace.header.world for trace in traces}
    if len(names) > 1:
        raise InputError(str(runs[1]), f"expected two runs of one world, not {sorted(names)}")
    return traces


def films(runs: Sequence[Path], world: str | None = None) -> Iterator[str]:
    """What the page of these runs is fed, as JSON lines, those of each run beginning with `run`."""
    for run in runs:
        path = trace_file(run)
        yield from map(line_of, _film(read_trace(path), path, world))


def _film(trace: Trace, path: Path, world: str | None) -> Iterator[Entry]:
    yield from entries(trace, world)
    if trace.end is not None:
        yield judged(trace, path, world)


def judged(trace: Trace, path: Path, world: str | None = None) -> Entry:
    """The verdict on a trace that has ended, as an entry, or why there is none."""
    try:
        truth = truth_of(trace, path, None, world)
    except TraceError:
        raise
    except CookMASError as error:
        return unjudged_entry(trace, str(error))
    verdict = judge(trace, truth, world)
    measured = read_measurements(path.with_name(MEASUREMENTS))
    return verdict_entry(trace, verdict.model_copy(update={"measured": measured}))
