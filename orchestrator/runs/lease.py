"""The lease of a run: only its holder plays the run, and an earlier holder can no longer write.

The holder locks a file in the run's folder, and touches the file with each heartbeat
(`cookmas.orchestrator.runs.heartbeat`). The lock ends with the process, so another process can take
over from a crashed one at once. A paused process keeps its lock but sends no heartbeat. After
PATIENCE seconds another process takes the lease, with a new lock file and a new fencing number.

An earlier holder that wakes up writes nothing. Every transaction that writes a checkpoint or takes
a message checks the fencing number. Every other write to a file (`cookmas.files.writing`) checks
that the locked file is still in its place. This check holds a lock of `run.json`, and so does a
process that takes over.

If several folders share a database of checkpoints or an episode in Redis, the lease is stored there
too (`cookmas.orchestrator.checkpoints.shared_lease`), under the same rules.

No rule compares clocks. A process that waits for a lease checks several times whether a heartbeat
has come since its last check. Only checks that were answered count.
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

from cookmas.episodes.world import digest
from cookmas.files.errors import LOCKED, InfrastructureError, LeaseLostError
from cookmas.files.reading import open_file
from cookmas.files.writing import guard_writes, replace_file
from cookmas.orchestrator.checkpoints.shared_lease import BEAT, PATIENCE, Renew, SharedLease
from cookmas.orchestrator.checkpoints.sqlite import FENCED, Checkpoints
from cookmas.orchestrator.runs.folder import RUN, RunError
from cookmas.orchestrator.runs.heartbeat import heartbeat

LOCK = "lock"

GLANCE = 0.2
"""Seconds between two checks for a heartbeat."""


@asynccontextmanager
async def take_lease(
    folder: Path, saver: Checkpoints, shared: Sequence[SharedLease] = ()
) -> AsyncIterator[int]:
    """Hold the lease of the run in a folder within the block, and yield its fencing number.

    `saver` writes under this number too. `shared` are the other places of the lease. Within the
    block files are written only while the lease is held. Raise RunError if another process plays
    the run, and LeaseLostError within the block as soon as another process has taken over.
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
    """Prevent other processes from playing the run in a folder within the block.

    Raise RunError if another process plays the run, even if that process is paused.
    """
    lock = _lock(folder / LOCK)
    if lock is None:
        raise RunError(f"{folder}: this run is under way in another process")
    with lock:
        yield


def is_played(folder: Path) -> bool:
    """Return whether a process on this machine, even a paused one, holds the lock of a run."""
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
    """Check that no process holds a shared lease, and return its last fencing number.

    The check waits PATIENCE seconds. If the lease changes, its holder is alive: raise `refused`. Do
    not wait if the lease had no holder yet, or if its last holder was `holder`, this folder on this
    machine.
    """
    standing = await shared.read_lease()
    if standing.holder not in (None, holder):
        for _ in range(int(PATIENCE / GLANCE)):
            await asyncio.sleep(GLANCE)
            if await shared.read_lease() != standing:
                raise refused
    return standing.fence


async def _is_followed(fence: int, shared: Sequence[SharedLease]) -> bool:
    """Return whether another process has claimed a fencing number above `fence` in a shared place.

    Ignore a place that does not answer within BEAT seconds.
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
    """Prevent a takeover within the block, which writes a file.

    Raise LeaseLostError if another process has taken over.
    """
    if not (folder / RUN).exists():
        raise _loss(folder)
    with _run_locked(folder):
        if not _is_own_lock(lock, folder / LOCK):
            raise _loss(folder)
        yield


@contextmanager
def _run_locked(folder: Path, how: int = fcntl.LOCK_EX) -> Iterator[None]:
    """Lock `run.json`, so that no process takes over while another file is written.

    `how` is the operation for `flock`.
    """
    with (folder / RUN).open("r+b") as file:
        fcntl.flock(file, how)
        yield


def _loss(folder: Path) -> LeaseLostError:
    there = (folder / RUN).exists()
    return LeaseLostError(FENCED if there else f"{folder}: the run has been removed")


def _lock(path: Path) -> BinaryIO | None:
    """Lock the file at a path and return it; None if another process has the lock."""
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
    """Wait for a heartbeat of the holder; if none comes, replace its lock file.

    Return the new locked file, or None if the holder is alive. Raise RunError if the holder is
    paused during a write.
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
