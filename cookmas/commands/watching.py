"""Playing a run while its progress is shown."""

from __future__ import annotations

import asyncio

from cookmas.api import Run, aresume
from cookmas.display.watch.board import show_records
from cookmas.episodes.instruction import INSTRUCT
from cookmas.episodes.trace_file import count_records
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
    told = await asyncio.to_thread(count_records, run.path / TRACE)
    with show_records(run.file.world, opening, stays=stays, told=told) as listen:
        return await aresume(run, listen, processes)


def sendable(world: str) -> list[str]:
    """Return the commands that send messages to an open episode of a world."""
    messages = domain_of(world).messages()
    return [*(each.kind for each in messages if each.kind in NAMED), INSTRUCT]
