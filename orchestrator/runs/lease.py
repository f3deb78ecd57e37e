"""The lease of a run: one process plays it, and one that was paused cannot write after another.

Whoever plays a run holds the lock of a file in its folder, and touches the file every second. The
lock goes with the process, so that a crashed one is followed at once. One that is paused keeps its
lock and touches nothing: after a few seconds the lease passes on all the same, with a new file and
a new fencing number. The number is what protects the run: it is checked in every transaction that
writes a checkpoint or takes a message, so the paused one is refused when it wakes up.

Where checkpoints or orders are in a place that others share, the lease stands there too
(`orchestrator.checkpoints.shared_lease`): whoever plays from another folder is refused there as
well, and may follow once nobody has touched it for as long.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TextIO

from episodes.errors import InfrastructureError, LeaseLostError
from orchestrator.checkpoints.shared_lease import PATIENCE, SharedLease
from orchestrator.checkpoints.sqlite import FENCED, Checkpoints
from orchestrator.runs.folder import RunError

LOCK = "lock"

_log = logging.getLogger(__name__)

BEAT = 1.0
"""Seconds between two touches of the lock file."""

GLANCE = 0.2
"""Seconds between two looks at whether a lease is touched."""


@asynccontextmanager
async def leased(
    folder: Path, saver: Checkpoints, shared: Sequence[SharedLease] = ()
) -> AsyncIterator[int]:
    """Play the run in a folder alone; gives the fencing number, by which `saver` is bound as well.

    Raises RunError if it is under way in another process, and LeaseLostError within the block once
    another one has followed.
    """
    refused = RunError(f"{folder}: this run is under way in another process")
    seen = await saver.fence()
    lock = _lock(folder / LOCK) or await _inherit(folder / LOCK)
    if lock is None:
        raise refused
    holder = f"{socket.gethostname()}:{folder.resolve()}"
    with lock:
        os.utime(lock.fileno())
        least = max([await _last(each, holder, refused) for each in shared], default=0)
        fence = await saver.mint(seen, least)
        if fence is None or not _ours(lock, folder / LOCK):
            raise refused
        for each in shared:
            await each.claim(fence, holder)
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task
        over, lost = threading.Event(), threading.Event()

        def stop() -> None:
            lost.set()
            loop.call_soon_threadsafe(task.cancel)

        def touch() -> None:
            if not folder.exists() or not _ours(lock, folder / LOCK):
                raise LeaseLostError(FENCED)
            os.utime(lock.fileno())
            for each in shared:
                each.touch(fence, holder)

        beating = threading.Thread(target=_beat, args=(touch, over, stop), daemon=True)
        beating.start()
        try:
            yield fence
        except asyncio.CancelledError:
            if not lost.is_set():
                raise
            task.uncancel()
            raise LeaseLostError(FENCED if folder.exists() else f"{folder}: it is gone") from None
        except InfrastructureError:
            if await asyncio.to_thread(_lost, touch):
                raise LeaseLostError(FENCED) from None
            raise
        finally:
            over.set()
            beating.join()


@contextmanager
def unplayed(folder: Path) -> Iterator[None]:
    """Keep others from playing the run in a folder within the block.

    Raises RunError if somebody plays it now, also if that process is paused.
    """
    lock = _lock(folder / LOCK)
    if lock is None:
        raise RunError(f"{folder}: this run is under way in another process")
    with lock:
        yield


def is_played(folder: Path) -> bool:
    """Whether a process of this machine plays the run in a folder now, or is paused in it."""
    try:
        file = (folder / LOCK).open()
    except FileNotFoundError:
        return False
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


async def _last(shared: SharedLease, holder: str, refused: RunError) -> int:
    """The number that was claimed last, once nobody else has touched the lease for a while."""
    for _ in range(int((PATIENCE + BEAT) / GLANCE)):
        standing = await shared.standing()
        if standing.holder in (None, holder):
            return standing.fence
        await asyncio.sleep(GLANCE)
    raise refused


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
    for _ in range(int(PATIENCE / GLANCE)):
        await asyncio.sleep(GLANCE)
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


def _beat(touch: Callable[[], None], over: threading.Event, lost: Callable[[], object]) -> None:
    while not over.wait(BEAT):
        try:
            touch()
        except LeaseLostError:
            lost()
            return
        except Exception as error:
            _log.info("the lease could not be touched: %s", error)


def _lost(touch: Callable[[], None]) -> bool:
    try:
        touch()
    except LeaseLostError:
        return True
    except Exception as error:
        _log.info("the lease could not be touched: %s", error)
    return False
