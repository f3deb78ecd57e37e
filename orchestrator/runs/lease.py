"""The lease of a run: one process plays it, and a paused one cannot write after another.

The process that plays a run locks a file in its folder, and touches the file with each heartbeat
(`orchestrator.runs.heartbeat`). The lock ends with the process: another process follows a crashed
one at once. A paused process keeps its lock but sends no heartbeat: after PATIENCE seconds the
lease passes on, with a new file and a new fencing number.

A process that wakes up after another has followed writes nothing. Every transaction that writes a
checkpoint or takes a message checks the fencing number. Every other write to a file
(`files.writing`) checks that the locked file is still in its place. It does so under a lock of
`run.json`, and the lease passes on only under the same lock.

Where several folders share the checkpoints or the orders, the lease stands there too
(`orchestrator.checkpoints.shared_lease`), under the same rules.

Nothing here compares clocks. A process that waits for a lease looks whether a heartbeat has come
since its last look, and only looks that were answered count.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from episodes.world import digest
from files.errors import LOCKED, InfrastructureError, LeaseLostError
from files.reading import open_file
from files.writing import guard_writes, replace_file
from orchestrator.checkpoints.shared_lease import BEAT, PATIENCE, Renew, SharedLease
from orchestrator.checkpoints.sqlite import FENCED, Checkpoints
from orchestrator.runs.folder import RUN, RunError
from orchestrator.runs.heartbeat import heartbeat

LOCK = "lock"

GLANCE = 0.2
"""Seconds between two looks at whether a heartbeat has come."""


@asynccontextmanager
async def take_lease(
    folder: Path, saver: Checkpoints, shared: Sequence[SharedLease] = ()
) -> AsyncIterator[int]:
    """Play the run in a folder alone; gives the fencing number, by which `saver` is bound as well.

    Files are written within the block only as long as the lease is held. Raises RunError if the run
    is under way in another process, and LeaseLostError within the block once another one has
    followed.
    """
    refused = RunError(f"{folder}: this run is under way in another process")
    seen = await saver.fence()
    lock = _lock(folder / LOCK) or await _inherit(folder / LOCK)
    if lock is None:
        raise refused
    holder = digest(f"{socket.gethostname()}:{folder.resolve()}")
    with lock:
        os.utime(lock.fileno())
        least = max([await _last_number(each, holder, refused) for each in shared], default=0)
        fence = await saver.mint(seen, least)
        if fence is None or not _is_own_lock(lock, folder / LOCK):
            raise refused
        os.utime(lock.fileno())
        for each in shared:
            await each.claim(fence, holder)
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task
        lost = False

        def stop() -> None:
            nonlocal lost
            if not lost:
                lost = task.cancel()

        leases = [
            _start_renewing(lock, folder),
            *(each.start_renewing(fence, holder) for each in shared),
        ]
        try:
            async with heartbeat(leases, lambda: loop.call_soon_threadsafe(stop)):
                with guard_writes(lambda: _hold(lock, folder)):
                    yield fence
        except (asyncio.CancelledError, InfrastructureError) as error:
            if lost:
                task.uncancel()
            elif isinstance(error, asyncio.CancelledError) or (
                _is_own_lock(lock, folder / LOCK) and not await _is_followed(fence, shared)
            ):
                raise
            raise _loss(folder) from None


@contextmanager
def keep_unplayed(folder: Path) -> Iterator[None]:
    """Keep others from playing the run in a folder within the block.

    Raises RunError if another process plays it now, also if that process is paused.
    """
    lock = _lock(folder / LOCK)
    if lock is None:
        raise RunError(f"{folder}: this run is under way in another process")
    with lock:
        yield


def is_played(folder: Path) -> bool:
    """Return whether a process of this machine plays the run in a folder, or is paused in it."""
    try:
        file = open_file(folder / LOCK)
    except FileNotFoundError:
        return False
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


async def _last_number(shared: SharedLease, holder: str, refused: RunError) -> int:
    """Return the number that was claimed last, once no heartbeat has come for PATIENCE seconds."""
    standing = await shared.read_lease()
    if standing.holder not in (None, holder):
        for _ in range(int(PATIENCE / GLANCE)):
            await asyncio.sleep(GLANCE)
            if await shared.read_lease() != standing:
                raise refused
    return standing.fence


async def _is_followed(fence: int, shared: Sequence[SharedLease]) -> bool:
    """Return whether a higher number has been claimed, as far as the places answer within a
    heartbeat.
    """
    for each in shared:
        with suppress(TimeoutError, InfrastructureError):
            if (await asyncio.wait_for(each.read_lease(), BEAT)).fence > fence:
                return True
    return False


@asynccontextmanager
async def _start_renewing(lock: BinaryIO, folder: Path) -> AsyncIterator[Renew]:
    """Give what renews the lease in the folder."""

    async def renew() -> None:
        if not _is_own_lock(lock, folder / LOCK):
            raise LeaseLostError(FENCED)
        os.utime(lock.fileno())

    yield renew


@contextmanager
def _hold(lock: BinaryIO, folder: Path) -> Iterator[None]:
    """Hold the lease for as long as a file is written. Raises LeaseLostError if it is lost."""
    if not (folder / RUN).exists():
        raise _loss(folder)
    with _run_locked(folder):
        if not _is_own_lock(lock, folder / LOCK):
            raise _loss(folder)
        yield


@contextmanager
def _run_locked(folder: Path, how: int = fcntl.LOCK_EX) -> Iterator[None]:
    """Lock the run's file, so that no lease passes on during a write to another file."""
    with (folder / RUN).open("r+b") as file:
        fcntl.flock(file, how)
        yield


def _loss(folder: Path) -> LeaseLostError:
    return LeaseLostError(FENCED if (folder / RUN).exists() else f"{folder}: it is gone")


def _lock(path: Path) -> BinaryIO | None:
    """Return the locked file of this path; None if another process has the lock."""
    with suppress(FileExistsError):
        path.touch(exist_ok=False)
    file = open_file(path)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


async def _inherit(path: Path) -> BinaryIO | None:
    """Replace the lock of a paused holder and return the new locked file; None if the holder is
    alive.

    Raises RunError if the holder is paused during a write.
    """
    before = _version_of(path)
    for _ in range(int(PATIENCE / GLANCE)):
        await asyncio.sleep(GLANCE)
        if _version_of(path) != before:
            return None
        if lock := _lock(path):
            return lock
    try:
        locked = _run_locked(path.parent, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with locked, replace_file(path) as draft:
            lock = _lock(draft)
    except BlockingIOError:
        raise RunError(f"{path.parent}: {LOCKED}") from None
    return lock


def _version_of(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns


def _is_own_lock(lock: BinaryIO, path: Path) -> bool:
    try:
        return os.fstat(lock.fileno()).st_ino == path.stat().st_ino
    except FileNotFoundError:
        return False
