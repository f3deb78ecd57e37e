"""Playing a run while its progress is shown."""

from __future__ import annotations

import asyncio

from cookmas.api import Run, aresume
from cookmas.display.watch.board import show_records
from cookmas.episodes.instruction import INSTRUCT
from cookmas.episodes.trace_file import iterate_whole_lines
from cookmas.files.errors import MissingError, TraceError
from cookmas.orchestrator.runs.folder import TRACE, RunFolder
from cookmas.user_processes import UserProcesses
from cookmas.world_names import domain_of

NAMED = ("order", "change", "cancel")
"""Messages that a command of the same name sends."""


async def continue_and_watch(
    run: RunFolder, processes: UserProcesses | None = None, opening: str = "", *, stays: bool = True
) -> Run:
    """Continue the run in a folder like `aresume` and show its progress.

    `opening` and `stays` are as in `show_records`.
    """
    told = await asyncio.to_thread(_count_records, run)
    with show_records(run.file.world, opening, stays=stays, told=told) as listen:
        return await aresume(run, listen, processes)


def _count_records(run: RunFolder) -> int:
    """Return the number of records that earlier sessions of a run have written."""
    try:
        return sum(1 for _ in iterate_whole_lines(run.path / TRACE))
    except (MissingError, TraceError):
        return 0


def sendable(world: str) -> list[str]:
    """Return the commands that send messages to an open episode of a world."""
    messages = domain_of(world).messages()
    return [*(each.kind for each in messages if each.kind in NAMED), INSTRUCT]
