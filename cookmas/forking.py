"""Forks from Python: a run continues differently from any timestep."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cookmas.apart import Apart
from cookmas.api import Listener, Run, aresume
from cookmas.consent import check_consent, find_named_code
from cookmas.loading import load, planner_of
from cookmas.version import VERSION
from episodes.trace import ForkRecord
from episodes.world import Json
from files.errors import InputError
from files.writing import write_whole
from orchestrator.dialogue.options import AskingOptions
from orchestrator.member import Team
from orchestrator.models.options import ModelOptions
from orchestrator.runs.folder import (
    MEANINGS,
    RunError,
    RunFile,
    RunFolder,
    create_folder,
    meanings_of,
)
from orchestrator.runs.forks import Past
from worlds.capabilities import AlterableDomain


def fork(
    run: str | Path | Run,
    at: int,
    planner: str | None = None,
    events: Sequence[Json] = (),
    kitchen: str | None = None,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    folder: str | Path | None = None,
    listen: Listener | None = None,
) -> Run:
    """Continue a run in a folder from the beginning of timestep `at`, judge it and return it.

    Without other arguments the fork repeats the run. `planner`, `model` and `asking` choose the
    planner from there on; the default is the run's own. `events` are injected; each has the format
    of a scenario's file and a timestep `at`, or happens at once. `kitchen`, a name or a file,
    replaces the kitchen if the world can be altered. The fork has a new folder, next to the run's
    unless `folder` names it. Raises CookMASError.
    """
    playing = afork(run, at, planner, events, kitchen, model, asking, folder, listen)
    return asyncio.run(playing)


async def afork(
    run: str | Path | Run,
    at: int,
    planner: str | None = None,
    events: Sequence[Json] = (),
    kitchen: str | None = None,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    folder: str | Path | None = None,
    listen: Listener | None = None,
) -> Run:
    """Do what `fork` does, in a running event loop."""
    parent = run.folder if isinstance(run, Run) else Path(run)
    if parent is None:
        raise InputError("run", "expected a run in a folder; this one has none")
    read = RunFolder(parent)
    with Apart(read.file.limits) as apart:
        where = Path(folder) if folder is not None else None
        made = await asyncio.to_thread(
            create_fork, read, at, planner, events, kitchen, model, asking, where, apart=apart
        )
        return await aresume(made, listen, apart)


def create_fork(
    run: Path | RunFolder,
    at: int,
    planner: str | None = None,
    events: Sequence[Json] = (),
    kitchen: str | None = None,
    model: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    folder: Path | None = None,
    *,
    within: Path | None = None,
    apart: Apart | None = None,
    world: str | None = None,
) -> Path:
    """Prepare the folder of a fork, which `aresume` plays, and return it. Raises CookMASError.

    Without `folder` a new folder is made `within` a folder, by default the parent's. The world and,
    without a `planner`, the planner that the parent names are imported. If the parent belongs to
    another user, user-supplied code must be named by `world` or `planner`.
    """
    run = RunFolder.of(run)
    parent, file = run.path, run.file
    check_consent(parent, find_imports(file, planner), (world,))
    loaded = load(file)
    domain, scenario = loaded.domain, loaded.scenario
    if scenario.digest != file.scenario_digest:
        raise RunError(f"{parent}: scenario {file.scenario} has been changed since the run began")
    past = Past(run, at)
    there = past.rewind(scenario.world())
    setup, altered = there.world.setup(), None
    if kitchen is not None:
        if not isinstance(domain, AlterableDomain):
            raise InputError("--kitchen", f"the world {domain.name} cannot be altered")
        other, altered = domain.alter(there.world, there.seen, kitchen)
        setup = other.setup()
    same = planner is None and model is None and asking is None
    if planner is None:
        planner, model, asking = file.planner, model or file.model, asking or file.asking
    file = file.model_copy(update={"planner": planner, "model": model, "asking": asking})
    coming = past.arrivals(there, [_check_event(event) for event in events])
    with contextlib.nullcontext(apart) if apart else Apart(file.limits) as running:
        by = planner_of(replace(loaded, request=file), running, setup)
    before = past.trace.planners[-1]
    if same and by.name != before:
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
    if folder is None:
        folder = create_folder(within or parent.parent, parent.resolve().name, f"at-{at}")
    if meanings := meanings_of(parent):
        folder.mkdir(parents=True, exist_ok=True)
        known = there.state["cursor"] if events else max(meanings)
        still = {number: meaning for number, meaning in meanings.items() if number <= known}
        write_whole(folder / MEANINGS, json.dumps(still))
    past.fork(folder, file.model_copy(update={"created_by": f"cookmas {VERSION}"}), record)
    return folder


def find_imports(file: RunFile, planner: str | None) -> dict[str, str]:
    """Return the code that a fork imports because its parent names it (see `find_named_code`)."""
    named = find_named_code(file)
    if planner is not None:
        named.pop("--planner", None)
    return named


def _check_event(event: Any) -> dict[str, Any]:
    if not isinstance(event, Mapping):
        raise InputError("event", f"expected a mapping, not {event!r:.60}")
    return dict(event)
