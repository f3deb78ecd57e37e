"""The lease of a run: only its holder plays the run, and an earlier holder can no longer write.

A lease stands in the run's folder, and also in each database that other folders may use for the
same run. `docs/explanation/leases.md` has the rules of all places in one table. They are carried
out here: `take_lease` waits, takes the number and holds the lease; `_renew_all` is the heartbeat.
A place only reads, claims and renews its own lease (`LeasePlace`): the folder (`_FolderLease`),
PostgreSQL (`cookmas.orchestrator.runs.postgres_lease`), Redis
(`cookmas.orchestrator.runs.redis_runs`).
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import socket
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from cookmas.episodes.world import digest
from cookmas.files.errors import FENCED, LOCKED, InfrastructureError, LeaseLostError
from cookmas.files.opening import is_locked, lock_file
from cookmas.files.writing import guard_writes, replace_file
from cookmas.orchestrator.runs.folder import RUN, RunError

if TYPE_CHECKING:
    from cookmas.orchestrator.checkpoints.sqlite import Checkpoints

LOCK = "lock"
"""The file in a run's folder that the holder of the lease locks."""

BEAT = 1.0
"""Seconds between two heartbeats, and the timeout of one heartbeat."""

PATIENCE = 4 * BEAT
"""Seconds without a heartbeat after which another process may take the lease."""

GLANCE = 0.2
"""Seconds between two checks for a heartbeat."""

GRACE = 0.1
"""Seconds after which a renewal is cancelled again if it has not ended."""

Renew = Callable[[], Coroutine[Any, Any, None]]
"""A function that renews a lease. It raises LeaseLostError if another process holds the lease."""

_log = logging.getLogger(__name__)


class LeaseState(NamedTuple):
    """The state of a lease, as one query returns it."""

    fence: int
    holder: str | None
    """The digest of the machine and the folder of the last holder; None if there has been none."""
    beat: str
    """A text that each heartbeat changes; it is compared only for equality."""


class LeasePlace(ABC):
    """A place where the lease of a run stands."""

    @abstractmethod
    async def read_lease(self) -> LeaseState:
        """Return the state of the lease."""

    @abstractmethod
    async def claim(self, fence: int, holder: str) -> None:
        """Take the lease under the fencing number `fence`, which must be above all earlier ones.

        `holder` is the digest of this machine and the run's folder. Raise LeaseLostError if there
        is a higher number.
        """

    @abstractmethod
    def start_renewing(self, fence: int, holder: str) -> AbstractAsyncContextManager[Renew]:
        """Yield a function that renews the lease; the function has its own connection.

        `fence` and `holder` are as in `claim`. The function must run in the event loop that enters
        this context manager.
        """

    async def is_followed(self, fence: int) -> bool:
        """Return whether another process has claimed a fencing number above `fence`.

        A place that does not answer within BEAT seconds counts as not followed.
        """
        with suppress(TimeoutError, InfrastructureError):
            async with asyncio.timeout(BEAT):
                return (await self.read_lease()).fence > fence
        return False


@asynccontextmanager
async def take_lease(
    folder: Path, saver: Checkpoints, shared: Sequence[LeasePlace] = ()
) -> AsyncIterator[int]:
    """Hold the lease of the run in a folder within the block, and yield its fencing number.

    `saver` writes under this number too. `shared` are the other places of the lease. Within the
    block files are written only while the lease is held. Raise RunError if another process plays
    the run, and LeaseLostError within the block as soon as another process has taken over.
    """
    refused = RunError(f"{folder}: this run is under way in another process")
    holder = digest(f"{socket.gethostname()}:{folder.resolve()}")
    seen = await saver.fence()
    with _FolderLease(folder) as own:
        await _await_end(own, holder, refused)
        await own.claim(0, holder)
        least = max([await _await_end(each, holder, refused) for each in shared], default=0)
        fence = await saver.mint(seen, least)
        if fence is None or not own.touch():
            raise refused
        for each in shared:
            await each.claim(fence, holder)
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task
        lost = False

        def stop() -> None:
            nonlocal lost
            if not lost:
                lost = task.cancel()

        places = (own, *shared)
        renewals = [each.start_renewing(fence, holder) for each in places]
        try:
            async with _renew_all(renewals, lambda: loop.call_soon_threadsafe(stop)):
                with guard_writes(own.prevent_takeover):
                    yield fence
        except (asyncio.CancelledError, InfrastructureError) as error:
            if lost:
                task.uncancel()
            elif isinstance(error, asyncio.CancelledError) or not await _is_followed(places, fence):
                raise
            raise own.loss() from None


async def _is_followed(places: Sequence[LeasePlace], fence: int) -> bool:
    for each in places:
        if await each.is_followed(fence):
            return True
    return False


async def _await_end(place: LeasePlace, holder: str, refused: RunError) -> int:
    """Wait until nobody but `holder` holds a lease, and return the last fencing number.

    After PATIENCE seconds without a heartbeat another holder holds it no more. Raise `refused` if
    one comes. No clocks are compared, and only checks that were answered count.
    """
    before = await place.read_lease()
    for _ in range(int(PATIENCE / GLANCE)):
        if before.holder in (None, holder):
            break
        await asyncio.sleep(GLANCE)
        now = await place.read_lease()
        if now != before and now.holder not in (None, holder):
            raise refused
        before = now
    return before.fence


class _FolderLease(LeasePlace):
    """The lease in the folder of a run: a lock of a file, which heartbeats touch.

    It has no fencing number: a process that takes over from a paused one replaces the file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / LOCK
        self._lock: BinaryIO | None = None

    def __enter__(self) -> _FolderLease:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._lock:
            self._lock.close()

    async def read_lease(self) -> LeaseState:
        """Return the state of the lease; it has no holder if this process could lock the file."""
        stat = self._path.stat() if self._path.exists() else None
        self._lock = self._lock or lock_file(self._path)
        beat = f"{stat.st_ino} {stat.st_mtime_ns}" if stat else ""
        return LeaseState(0, None if self._lock else "another process", beat)

    async def claim(self, fence: int, holder: str) -> None:
        """Take the lease; if another process has the lock, replace the locked file.

        Raise RunError if that process is paused during a write.
        """
        if self._lock is None:
            try:
                locked = _run_locked(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                with locked, replace_file(self._path) as draft:
                    self._lock = lock_file(draft)
            except BlockingIOError:
                raise RunError(f"{self._folder}: {LOCKED}") from None
        self.touch()

    def touch(self) -> bool:
        """Give a heartbeat; return whether this process still holds the lease."""
        if self._lock is None or not self._is_own():
            return False
        os.utime(self._lock.fileno())
        return True

    def _is_own(self) -> bool:
        assert self._lock
        try:
            return os.fstat(self._lock.fileno()).st_ino == self._path.stat().st_ino
        except FileNotFoundError:
            return False

    async def is_followed(self, fence: int) -> bool:
        """Return whether another process has replaced the locked file."""
        return not self._is_own()

    @asynccontextmanager
    async def start_renewing(self, fence: int, holder: str) -> AsyncIterator[Renew]:
        async def renew() -> None:
            if not self.touch():
                raise LeaseLostError(FENCED)

        yield renew

    @contextmanager
    def prevent_takeover(self) -> Iterator[None]:
        """Prevent a takeover within the block, which writes a file.

        Raise LeaseLostError if another process has taken over.
        """
        if not (self._folder / RUN).exists():
            raise self.loss()
        with _run_locked(self._folder):
            if not self._is_own():
                raise self.loss()
            yield

    def loss(self) -> LeaseLostError:
        """Return the error that says why this process has lost the lease."""
        there = (self._folder / RUN).exists()
        return LeaseLostError(FENCED if there else f"{self._folder}: the run has been removed")


@contextmanager
def keep_unplayed(folder: Path) -> Iterator[None]:
    """Prevent other processes from playing the run in a folder within the block.

    Raise RunError if another process plays the run, even if that process is paused.
    """
    lock = lock_file(folder / LOCK)
    if lock is None:
        raise RunError(f"{folder}: this run is under way in another process")
    with lock:
        yield


def is_played(folder: Path) -> bool:
    """Return whether a process on this machine, even a paused one, holds the lock of a run."""
    return is_locked(folder / LOCK)


@contextmanager
def _run_locked(folder: Path, how: int = fcntl.LOCK_EX) -> Iterator[None]:
    """Lock `run.json`, so that no process takes over while another file is written.

    `how` is the operation for `flock`.
    """
    with (folder / RUN).open("r+b") as file:
        fcntl.flock(file, how)
        yield


@asynccontextmanager
async def _renew_all(
    leases: Sequence[AbstractAsyncContextManager[Renew]], lost: Callable[[], object]
) -> AsyncIterator[None]:
    """Renew leases within the block, in a thread with an event loop of its own.

    So a planner that computes does not delay the heartbeat. Each lease has a task of its own, so
    that no lease waits for the server of another. Call `lost`, in this thread, for each lease that
    another process has taken.
    """
    loop, over = asyncio.new_event_loop(), asyncio.Event()

    async def beat() -> None:
        beats = (_beat(each, over, lost) for each in leases)
        await asyncio.gather(over.wait(), *beats, return_exceptions=True)

    def run() -> None:
        try:
            loop.run_until_complete(beat())
        finally:
            loop.close()

    thread = threading.Thread(target=run, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(over.set)
        await asyncio.to_thread(thread.join)


async def _beat(
    lease: AbstractAsyncContextManager[Renew], over: asyncio.Event, lost: Callable[[], object]
) -> None:
    """Renew a lease every BEAT seconds. A renewal without an answer for so long is cancelled.

    So at most two beats pass between two attempts, which is half of the time that a lease lasts.
    """
    async with lease as renew:
        while not await _comes(over, BEAT):
            try:
                await _await_within(BEAT, renew())
            except LeaseLostError:
                lost()
                return
            except Exception as error:
                _log.info("the lease could not be renewed: %s", error)


async def _comes(event: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


async def _await_within(seconds: float, renewal: Coroutine[Any, Any, None]) -> None:
    """Await a renewal; cancel it and raise TimeoutError if it takes longer than `seconds`.

    A cancelled database driver may first wait for the server to end its query. So the renewal is
    cancelled again until it ends.
    """
    task = asyncio.create_task(renewal)
    await asyncio.wait({task}, timeout=seconds)
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=GRACE)
    if task.cancelled():
        raise TimeoutError(f"no answer within {seconds:g} s")
    task.result()
