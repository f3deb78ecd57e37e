"""Runs that people play on pages, in a thread of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

from cookmas.orchestrator.runs.folder import RunFolder
from cookmas.people.playing import at_pages


@contextmanager
def playing(folder: Path, *, to_the_end: bool = True) -> Iterator[list[str]]:
    """Play the run in a folder; yield the address of each person's page.

    The block ends when the run has ended, or at once if it need not be played `to_the_end`.
    """
    run = RunFolder(folder)
    addresses: Queue[str] = Queue()
    failed: list[BaseException] = []
    begun: Queue[tuple[asyncio.AbstractEventLoop, asyncio.Task[object]]] = Queue()

    async def play() -> None:
        task = asyncio.current_task()
        assert task
        begun.put((asyncio.get_running_loop(), task))
        await at_pages(run, "127.0.0.1", 0, lambda worker, address: addresses.put(address))

    def in_thread() -> None:
        try:
            asyncio.run(play())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=in_thread, daemon=True)
    thread.start()
    loop, task = begun.get(timeout=60)
    yield [addresses.get(timeout=60) for _ in run.file.people]
    if not to_the_end:
        loop.call_soon_threadsafe(task.cancel)
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert [error for error in failed if to_the_end or not _is_cancelled(error)] == []


def _is_cancelled(error: BaseException) -> bool:
    return isinstance(error, asyncio.CancelledError)
