"""Runs in a folder: their properties and outcomes, and their removal."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cookmas.episodes.trace import Trace
from cookmas.episodes.trace_file import read_trace
from cookmas.evals.columns import OPTIMALITY_RATE
from cookmas.evals.verdict import Verdict
from cookmas.files.errors import CookMASError, InputError, MissingError
from cookmas.orchestrator.runs.consent import check_world
from cookmas.orchestrator.runs.folder import RUN, TRACE, Parent, RunFile, RunFolder, read_run
from cookmas.orchestrator.runs.lease import is_played, keep_unplayed
from cookmas.replaying import judge, truth_of
from cookmas.world_names import USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRun:
    """A run that is stored in a folder."""

    folder: Path
    file: RunFile | None
    """Content of `run.json`; None if it cannot be read."""
    changed: datetime
    """Time of the last change of any file in the folder."""
    size: int
    """Size of all files in bytes."""

    @property
    def parent(self) -> Parent | None:
        """The run from which this one was forked; None if it is no fork."""
        return self.file.parent if self.file else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """The outcome of a run."""

    scenario: str
    planner: str
    word: str
    """The outcome in one word, which is shown to people."""
    why: str
    success: bool | None = None
    """True or False if the run is judged; None if it is unjudged, unscored or only graded."""
    optimality: float | None = None
    """The optimality of the episode; None if it has none."""


def list_runs(within: Path) -> list[KeptRun]:
    """Return the runs in the folder `within`, the most recently changed first."""
    folders = (path.parent for path in within.glob(f"*/{RUN}"))
    return sorted(
        map(_read_kept_run, folders), key=lambda run: (run.changed, run.folder), reverse=True
    )


def find_run(name: str, within: Path) -> KeptRun:
    """Return the run `name` in the folder `within`, or else the run at the path `name`.

    Raises MissingError if there is no run.
    """
    for folder in (within / name, Path(name)):
        if (folder / RUN).is_file():
            return _read_kept_run(folder)
    raise MissingError(f"{within / name}: there is no run here (no {RUN})")


def _read_kept_run(folder: Path) -> KeptRun:
    try:
        file = read_run(folder)
    except CookMASError:
        file = None
    stats = list(_list_stats(folder))
    return KeptRun(
        folder=folder,
        file=file,
        changed=datetime.fromtimestamp(max((s.st_mtime for s in stats), default=0)).astimezone(),
        size=sum(each.st_size for each in stats),
    )


def _list_stats(folder: Path) -> Iterator[os.stat_result]:
    """Yield the status of each file in a folder; skip files that disappear meanwhile."""
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            yield path.lstat()


def outcome(run: KeptRun) -> RunOutcome:
    """Return the outcome of a run, judged by the truth that its scenario has now.

    Of an open run that is not over only the last line is read, because the trace may be long.
    """
    if run.file is None:
        return RunOutcome(
            scenario="", planner="", word="unreadable", why=f"its {RUN} cannot be read"
        )
    scenario, planner = _name_scenario(run.file), run.file.planner
    if run.file.pace is not None and not RunFolder(run.folder).over:
        return _describe_unfinished(run, scenario, planner)
    try:
        trace = read_trace(run.folder / TRACE)
    except MissingError:
        return _describe_unfinished(run, scenario, planner)
    except CookMASError as error:
        return RunOutcome(scenario=scenario, planner=planner, word="damaged", why=str(error))
    if trace.end is None:
        return _describe_unfinished(run, scenario, trace.planner)
    try:
        verdict = _judge(run, run.file, trace)
    except CookMASError as error:
        return RunOutcome(scenario=scenario, planner=trace.planner, word="unjudged", why=str(error))
    return RunOutcome(
        scenario=scenario,
        planner=trace.planner,
        word=verdict.outcome,
        why=verdict.why,
        success=verdict.success,
        optimality=next(iter(OPTIMALITY_RATE.values(verdict)), None),
    )


def _name_scenario(file: RunFile) -> str:
    """Return the name of the scenario with its world; for a file only the file's name."""
    name = Path(file.scenario).name if Path(file.scenario).is_absolute() else file.scenario
    return name if file.world == USUAL else f"{file.world}/{name}"


def _describe_unfinished(run: KeptRun, scenario: str, planner: str) -> RunOutcome:
    played = is_played(run.folder)
    word, why = ("playing", "is being played") if played else ("unfinished", "can be resumed")
    return RunOutcome(scenario=scenario, planner=planner, word=word, why=why)


def _judge(run: KeptRun, file: RunFile, trace: Trace) -> Verdict:
    check_world(run.folder, file)
    truth = truth_of(trace, run.folder / TRACE, None, file.world)
    return judge(trace, truth, file.world)


def check_removal(runs: Sequence[KeptRun], within: Path) -> None:
    """Raise RunError if one of these runs is being played.

    Raise InputError if one of them is a link, or is not in the folder `within`.
    """
    for run in runs:
        if run.folder.is_symlink():
            raise InputError(str(run.folder), "is a link to a run; links are not removed")
        if within.resolve() not in run.folder.resolve().parents:
            raise InputError(
                str(run.folder), f"is not within {within}; --runs names another folder"
            )
        with keep_unplayed(run.folder):
            pass


def remove(run: KeptRun) -> None:
    """Remove a run with its folder. Raises RunError if it is being played."""
    with keep_unplayed(run.folder):
        shutil.rmtree(run.folder)
