"""The runs that live pages show, each with its judge and its letterbox."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from cookmas.display.live.app import ShownRun
from cookmas.episodes.trace_file import check_format
from cookmas.judging import judge_run
from cookmas.orchestrator.runs.addresses import letterbox
from cookmas.orchestrator.runs.folder import TRACE, RunFolder
from cookmas.user_code import check_world
from cookmas.world_names import domain_of


def show(run: Path | RunFolder, world: str | None = None) -> ShownRun:
    """Return the run in a folder for a live page.

    `world` is the user-supplied world that the user has named. Raises CookMASError if the run
    cannot be shown.
    """
    run = RunFolder.of(run)
    folder, file = run.path, run.file
    check_world(folder, file, world)
    check_format(folder / TRACE)
    spec = world or file.world
    domain = domain_of(spec)
    is_open = file.pace is not None
    where = file.redis.address() if file.redis else folder
    return ShownRun(
        folder=folder,
        world=spec,
        title=file.scenario,
        viewing=domain.viewing,
        judge=partial(judge_run, folder / TRACE, spec),
        box=letterbox(where) if is_open else None,
        messages=domain.messages(),
    )
