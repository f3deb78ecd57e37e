"""The lease of a run: only one process plays it, and a process that lost the lease cannot write.

The process that plays a run locks a file in its folder, and touches the file with each heartbeat
(`orchestrator.runs.heartbeat`). The lock ends with the process, so another process can follow a
crashed one at once. A paused process keeps its lock but sends no heartbeat. After PATIENCE seconds
the lease passes on, with a new file and a new fencing number.

A process that wakes up after it has lost the lease writes nothing. Every transaction that writes a
checkpoint or takes a message checks the fencing number. Every other write to a file
(`files.writing`) checks that the locked file is still in its place. This check happens under a lock
of `run.json`, and the lease passes on only under the same lock.

If several folders share the checkpoints or the messages, the lease is there too
(`orchestrator.checkpoints.shared_lease`), under the same rules.

Nothing here compares clocks. A process that waits for a lease checks whether a heartbeat has come
since its last check. A check that got no answer does not count.
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
"""Seconds between two checks for a heartbeat."""


@asynccontextmanager
async def take_lease(
    folder: Path, saver: Checkpoints, shared: Sequence[SharedLease] = ()
) -> AsyncIterator[int]:
    """Hold the lease of a run within the block; yield the fencing number, to which `saver` is bound
    too.

    Within the block, files are written only while the lease is held. Raises RunError if another
    process plays the run, and LeaseLostError within the block after another process has taken over.
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
    """Keep other processes from playing the run in a folder within the block.

    Raises RunError if another process plays it now, even if that process is paused.
    """
    lock = _lock(folder / LOCK)
    if lock is None:
        raise RunError(f"{folder}: this run is under way in another process")
    with lock:
        yield


def is_played(folder: Path) -> bool:
    """Return whether a process on this machine plays the run in a folder, even if it is paused."""
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
    """Return the last fencing number of a shared lease.

    If another process holds the lease, wait for PATIENCE seconds, and raise `refused` at a
    heartbeat.
    """
    standing = await shared.read_lease()
    if standing.holder not in (None, holder):
        for _ in range(int(PATIENCE / GLANCE)):
            await asyncio.sleep(GLANCE)
            if await shared.read_lease() != standing:
                raise refused
    return standing.fence


async def _is_followed(fence: int, shared: Sequence[SharedLease]) -> bool:
    """Return whether a higher number was claimed at one of the places.

    A place that does not answer within a beat does not count.
    """
    for each in shared:
        with suppress(TimeoutError, InfrastructureError):
            if (await asyncio.wait_for(each.read_lease(), BEAT)).fence > fence:
                return True
    return False


@asynccontextmanager
async def _start_renewing(lock: BinaryIO, folder: Path) -> AsyncIterator[Renew]:
    """Yield a function that renews the lease in the folder."""

    async def renew() -> None:
        if not _is_own_lock(lock, folder / LOCK):
            raise LeaseLostError(FENCED)
        os.utime(lock.fileno())

    yield renew


@contextmanager
def _hold(lock: BinaryIO, folder: Path) -> Iterator[None]:
    """Hold the lease while a file is written. Raises LeaseLostError if the lease is lost."""
    if not (folder / RUN).exists():
        raise _loss(folder)
    with _run_locked(folder):
        if not _is_own_lock(lock, folder / LOCK):
            raise _loss(folder)
        yield


@contextmanager
def _run_locked(folder: Path, how: int = fcntl.LOCK_EX) -> Iterator[None]:
    """Lock the run's file, so that the lease does not pass on during a write to another file."""
    with (folder / RUN).open("r+b") as file:
        fcntl.flock(file, how)
        yield


def _loss(folder: Path) -> LeaseLostError:
    there = (folder / RUN).exists()
    return LeaseLostError(FENCED if there else f"{folder}: the run has been removed")


def _lock(path: Path) -> BinaryIO | None:
    """Return the locked file at a path; None if another process has the lock."""
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
    """Replace the lock of a paused process and return the new locked file; None if it is alive.

    Raises RunError if the process is paused during a write.
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
