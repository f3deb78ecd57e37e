"""Forks: a new run that repeats another up to a timestep, and continues differently from there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cookmas import __version__
from cookmas.api import Listener, Run, aresume, check_no_loop
from cookmas.episodes.trace import ForkRecord
from cookmas.episodes.world import Json
from cookmas.files.errors import InputError
from cookmas.loading import load, planner_of
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.runs.consent import check_consent, find_named_code
from cookmas.orchestrator.runs.folder import (
    RunError,
    RunFile,
    RunFolder,
    create_folder,
    meanings_of,
)
from cookmas.orchestrator.runs.forks import ForkSource
from cookmas.user_processes import UserProcesses


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkRequest:
    """A request to fork a run: the timestep, the changes from there on, and the fork's folder."""

    at: int
    """The timestep at whose beginning the fork branches off."""
    planner: str | None = None
    """The planner from this timestep on; None for the planner of the run."""
    events: Sequence[Json] = ()
    """Events to inject. An event happens at its timestep `at`, or at once if it has none."""
    kitchen: str | None = None
    """Name or file of another kitchen, for a world that can be altered; None for the run's own."""
    model: ModelOptions | None = None
    """The model that the planner asks; None for the model of the run."""
    asking: AskingOptions | None = None
    """The prompting options; None for those of the run."""
    world: str | None = None
    """The user-supplied world that the user has named, which is a consent to import it."""
    folder: Path | None = None
    """The folder of the fork; None for a new folder."""
    within: Path | None = None
    """The parent of a new folder; None for the parent of the run's folder."""

    @property
    def same_planner(self) -> bool:
        """True if the fork has the planner, the model and the prompting options of the run."""
        return self.planner is None and self.model is None and self.asking is None

    def file_of(self, file: RunFile) -> RunFile:
        """Return the content of the fork's `run.json`, made from the content of the run's."""
        planner, model, asking = self.planner, self.model, self.asking
        if planner is None:
            planner, model, asking = file.planner, model or file.model, asking or file.asking
        changes = {"planner": planner, "model": model, "asking": asking}
        return file.model_copy(update={**changes, "created_by": f"cookmas {__version__}"})


def fork(
    run: str | Path | Run,
    at: int,
    planner: str | None = None,
    folder: str | Path | None = None,
    listen: Listener | None = None,
    **options: Any,
) -> Run:
    """Fork the run in a folder at the beginning of timestep `at`. Play, judge and return the fork.

    Without other arguments the fork repeats the run. `planner` is the planner from timestep `at`
    on, by default that of the run. `folder` is a new folder for the fork, by default one next to
    the run's. `listen` is called with each record as it is written.

    Of the options, `model` and `asking` are the model that the planner calls and the prompting
    options. `events` are injected. Each has the format of a scenario's file, and happens at its
    timestep `at`, or at once if it has none. `kitchen`, a name or a file, replaces the kitchen if
    the world can be altered. Raises CookMASError.
    """
    check_no_loop("fork")
    return asyncio.run(afork(run, at, planner, folder, listen, **options))


async def afork(
    run: str | Path | Run,
    at: int,
    planner: str | None = None,
    folder: str | Path | None = None,
    listen: Listener | None = None,
    **options: Any,
) -> Run:
    """Do what `fork` does, in a running event loop."""
    parent = run.folder if isinstance(run, Run) else Path(run)
    if parent is None:
        raise InputError("run", "expected a run in a folder; this one has none")
    read = RunFolder(parent)
    where = None if folder is None else Path(folder)
    request = ForkRequest(at=at, planner=planner, folder=where, **options)
    with UserProcesses(read.file.limits) as processes:
        made = await asyncio.to_thread(create_fork, read, request, processes)
        return await aresume(made, listen, processes)


def create_fork(
    run: Path | RunFolder, request: ForkRequest, processes: UserProcesses | None = None
) -> Path:
    """Prepare the folder of a fork, and return it; `aresume` plays the fork. Raises CookMASError.

    The world that the parent names is imported. If the request names no planner, the parent's
    planner is imported too. If the parent belongs to another user, the request must name any
    user-supplied code of the parent as its `world` or `planner`.
    """
    run = RunFolder.of(run)
    parent, file, at = run.path, run.file, request.at
    check_consent(parent, find_imports(file, request.planner), (request.world,))
    loaded = load(file)
    domain, scenario = loaded.domain, loaded.scenario
    if scenario.digest != file.scenario_digest:
        raise RunError(f"{parent}: scenario {file.scenario} has been changed since the run began")
    past = ForkSource(run, at)
    there = past.rewind(scenario.world())
    setup, altered = there.world.setup(), None
    if request.kitchen is not None:
        other, altered = domain.alter(there.world, there.seen, request.kitchen)
        setup = other.setup()
    file = request.file_of(file)
    coming = past.arrivals(there, [_check_event(event) for event in request.events])
    with contextlib.nullcontext(processes) if processes else UserProcesses(file.limits) as running:
        by = planner_of(replace(loaded, request=file), running, setup)
    before = past.trace.planners[-1]
    if request.same_planner and by.name != before:
        raise InputError(
            "--at", f"at timestep {at} the planner was {before}; name it with --planner"
        )
    record = ForkRecord(
        timestep=at,
        run=parent.resolve().name,
        planner=by.name,
        planner_class="human" if file.people else by.planner_class,
        seats=dict(by.seats) if isinstance(by, Team) else None,
        setup=setup if altered else None,
        altered=altered,
        coming=coming,
    )
    folder = request.folder or create_folder(
        request.within or parent.parent, parent.resolve().name, f"at-{at}"
    )
    meanings = meanings_of(parent)
    last = there.state["cursor"] if request.events else max(meanings, default=0)
    still = {number: meaning for number, meaning in meanings.items() if number <= last}
    past.fork(folder, file, record, still)
    return folder


def find_imports(file: RunFile, planner: str | None) -> dict[str, str]:
    """Return the names of the user-supplied code that a fork imports as its parent does.

    The keys are the command-line options that take these names. `planner` is the planner that the
    fork requests, if any; then the parent's planner is left out.
    """
    named = find_named_code(file)
    if planner is not None:
        named.pop("--planner", None)
    return named


def _check_event(event: Any) -> dict[str, Any]:
    if not isinstance(event, Mapping):
        raise InputError("event", f"expected a mapping, not {event!r:.60}")
    return dict(event)
