"""The lease of a run: one process plays it, and one that was paused cannot write after another.

Whoever plays a run holds the lock of a file in its folder, and touches the file every second. The
lock goes with the process, so that a crashed one is followed at once. One that is paused keeps its
lock and touches nothing: after a few seconds the lease passes on all the same, with a new file and
a new fencing number. The number is what protects the run: it is checked in every transaction that
writes a checkpoint or takes a message, so the paused one is refused when it wakes up.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TextIO

from episodes.errors import CookMASError, LeaseLostError
from orchestrator.checkpoints import FENCED, Checkpoints

LOCK = "lock"

BEAT = 1.0
"""Seconds between two touches of the lock file."""

PATIENCE = 4.0
"""Seconds without a touch after which a lease passes on."""


class RunError(CookMASError):
    """A run that cannot be started or resumed."""


@asynccontextmanager
async def leased(folder: Path, saver: Checkpoints) -> AsyncIterator[int]:
    """Play the run in a folder alone; gives the fencing number, by which `saver` is bound as well.

    Raises RunError if it is under way in another process, and LeaseLostError within the block once
    another one has followed.
    """
    refused = RunError(f"{folder}: this run is under way in another process")
    seen = await saver.fence()
    lock = _lock(folder / LOCK) or await _inherit(folder / LOCK)
    if lock is None:
        raise refused
    with lock:
        fence = await saver.mint(seen)
        if fence is None or not _ours(lock, folder / LOCK):
            raise refused
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task
        over, lost = threading.Event(), threading.Event()

        def stop() -> None:
            lost.set()
            loop.call_soon_threadsafe(task.cancel)

        beating = threading.Thread(
            target=_beat, args=(lock, folder / LOCK, over, stop), daemon=True
        )
        beating.start()
        try:
            yield fence
        except asyncio.CancelledError:
            if not lost.is_set():
                raise
            task.uncancel()
            raise LeaseLostError(FENCED) from None
        finally:
            over.set()
            beating.join()


def _lock(path: Path) -> TextIO | None:
    """The file of this path, locked; None if another process has the lock."""
    file = path.open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


async def _inherit(path: Path) -> TextIO | None:
    """A new locked file in place of one whose holder is paused; None if the holder is alive."""
    before = _touched(path)
    for _ in range(int(PATIENCE / 0.2)):
        await asyncio.sleep(0.2)
        if _touched(path) != before:
            return None
        if lock := _lock(path):
            return lock
    draft = path.with_suffix(f".{os.getpid()}")
    lock = _lock(draft)
    os.replace(draft, path)
    return lock


def _touched(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns


def _ours(lock: TextIO, path: Path) -> bool:
    return os.fstat(lock.fileno()).st_ino == path.stat().st_ino


def _beat(lock: TextIO, path: Path, over: threading.Event, lost: Callable[[], object]) -> None:
    while not over.wait(BEAT):
        if not _ours(lock, path):
            lost()
            return
        os.utime(lock.fileno())
