"""Playing a run while its progress is shown."""

from __future__ import annotations

import asyncio

from cookmas.api import Run, aresume
from cookmas.display.watch.board import show_records
from cookmas.episodes.instruction import INSTRUCT
from cookmas.episodes.trace_file import count_records
from cookmas.orchestrator.runs.folder import TRACE, RunFolder
from cookmas.user_processes import UserProcesses
from cookmas.world_names import USUAL, domain_of


async def continue_and_watch(
    run: RunFolder, processes: UserProcesses | None = None, opening: str = "", *, stays: bool = True
) -> Run:
    """Continue the run in a folder like `aresume` and show its progress.

    `opening` and `stays` are as in `show_records`.
    """
    told = await asyncio.to_thread(count_records, run.path / TRACE)
    with show_records(run.file.world, opening, stays=stays, told=told) as listen:
        return await aresume(run, listen, processes)


def list_sendable(world: str) -> list[str]:
    """Return the commands that send messages to an open episode of a world."""
    if world == USUAL:
        return ["order", "change", "cancel", INSTRUCT]
    return [*(f"send {each.kind}" for each in domain_of(world).messages()), INSTRUCT]


def tell_ways(run: RunFolder) -> str:
    """Return the line that says which commands speak to the open episode of a run."""
    file = run.file
    where = f"--redis {file.redis.url}#{file.redis.episode}" if file.redis else f"--at {run.path}"
    return f"Open: cookmas {', '.join(list_sendable(file.world))}, status, close {where}"
