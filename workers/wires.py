"""The wires of the remote workers of an open run: in its folder, or in Redis.

In a folder they are a SQLite file, pipes and locked files, all in the subfolder WORKERS. An
orchestrator makes it when it opens the run, and a backup leaves it out: an assignment is sent again
under its own id, and a report is repeated. In Redis each worker has a stream of assignments and one
of reports.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar
from urllib.parse import quote

from cookmas.files.errors import InfrastructureError, LeaseLostError
from cookmas.files.opening import is_locked, lock_file
from cookmas.files.retrying import Patience
from cookmas.files.writing import hold_folder
from cookmas.mailboxes.protocol import LOST
from cookmas.mailboxes.redis.address import is_address, need_redis, split_address
from cookmas.mailboxes.redis.records import keys_of
from cookmas.mailboxes.sqlite.bell import PipeBell
from cookmas.mailboxes.sqlite.file import FileKind, create_database, open_database, transaction
from cookmas.workers.remote import Entry, RemoteWorker, Stream, Wire, WireChannel

if TYPE_CHECKING:
    from cookmas.mailboxes.redis.link import RedisLink

WORKERS, FILE = "workers", "wire.sqlite"

KEPT = {"work": 1, "reports": 100}
"""Number of latest entries of each stream that are kept."""

LOCKED = 1.0
"""Seconds that one attempt waits for a lock on the file."""

FOLDER_PATIENCE = 10.0
"""Seconds for which an orchestrator retries in a folder, where no server is to be restarted.

A worker may not be given up before, for a fault of the way.
"""

AGAIN = 0.2
"""Seconds between two attempts."""

_KIND = FileKind(
    "wire",
    1,
    """
CREATE TABLE entries (
    place INTEGER PRIMARY KEY, worker TEXT NOT NULL, stream TEXT NOT NULL, fields TEXT NOT NULL
);
CREATE INDEX streams ON entries (worker, stream, place);
CREATE TABLE orchestrator (one INTEGER PRIMARY KEY CHECK (one = 1), fence INTEGER NOT NULL);
INSERT INTO orchestrator VALUES (1, 0);
""",
)

T = TypeVar("T")


def make_wires(folder: Path, fence: int) -> None:
    """Make the file of the wires in a run's folder if there is none or an empty one.

    `fence` is the fencing number of the orchestrator's lease. Raise LeaseLostError if an
    orchestrator with a higher one has done it, OSError or InfrastructureError if the file cannot be
    written.
    """
    path = folder / WORKERS / FILE
    with hold_folder(folder / WORKERS):
        if not _is_made(path):
            with create_database(path, _KIND):
                pass
        with _open(path) as database, transaction(database):
            _claim(database, fence)


def check_wires(folder: Path) -> None:
    """Raise InfrastructureError if another process stands in a write to the wires of a run.

    Who then took the lease could not open the wires, and nobody would play.
    """
    path = folder / WORKERS / FILE
    if _is_made(path):
        with _open(path) as database, transaction(database):
            pass


def _is_made(path: Path) -> bool:
    """Return whether a file of wires has tables; without them nothing can be lost in it."""
    return path.exists() and path.stat().st_size > 0


class SqliteWire:
    """The wire between the orchestrator of the run in a folder and a worker.

    For `patience` seconds it waits until the file can be used; `tell` is called with one line each
    time it begins to wait. Then it raises StorageError, or if another process has locked the file
    another InfrastructureError.
    """

    def __init__(
        self,
        folder: Path,
        worker: str,
        patience: float = 0.0,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._worker = worker
        self._patience = Patience(
            patience,
            _may_pass,
            tell and (lambda error: tell(f"{error}; waiting until it can be used")),
            first=AGAIN,
            most=AGAIN,
        )
        self._path = folder / WORKERS / FILE
        name = quote(worker, safe="")
        self._bells = {
            stream: PipeBell(folder / WORKERS / f"{name}.{stream}")
            for stream in ("work", "reports")
        }
        self._seat = folder / WORKERS / f"{name}.seat"
        self._seated: BinaryIO | None = None

    async def assign(self, fence: int, fields: Mapping[str, str]) -> str:
        def assign(database: sqlite3.Connection) -> str:
            _claim(database, fence)
            return self._add(database, "work", fields)

        return await self._write("work", assign)

    async def report(self, fields: Mapping[str, str]) -> None:
        await self._write("reports", lambda database: self._add(database, "reports", fields))

    def _add(self, database: sqlite3.Connection, stream: Stream, fields: Mapping[str, str]) -> str:
        """Add an entry, and drop the oldest; return its number, which grows as the time does.

        So a number never returns, although the file is made again after a backup was restored.
        """
        (last,) = database.execute("SELECT coalesce(max(place), 0) FROM entries").fetchone()
        place = max(last + 1, int(1000 * time.time()))
        row = (place, self._worker, stream, json.dumps(dict(fields)))
        database.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", row)
        query = (
            "DELETE FROM entries WHERE place IN (SELECT place FROM entries "
            "WHERE worker = ? AND stream = ? ORDER BY place DESC LIMIT -1 OFFSET ?)"
        )
        database.execute(query, (self._worker, stream, KEPT[stream]))
        return str(place)

    async def newest(self, stream: Stream) -> str:
        query = "SELECT coalesce(max(place), 0) FROM entries WHERE worker = ? AND stream = ?"
        key = (self._worker, stream)
        (place,) = await self._run(lambda database: database.execute(query, key).fetchone())
        return str(place)

    async def wait(self, stream: Stream, seen: str, seconds: float) -> list[Entry]:
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        found = await self._entries(stream, seen)
        if found or seconds <= 0:
            return found
        with self._naming_faults(), self._bells[stream].listen() as rung:
            while not (found := await self._entries(stream, seen)):
                if (left := until - loop.time()) <= 0:
                    break
                await rung(left)
        return found

    @contextlib.contextmanager
    def _naming_faults(self) -> Iterator[None]:
        """Raise InfrastructureError for an error of a file: it says nothing of the other end."""
        try:
            yield
        except OSError as error:
            raise InfrastructureError(f"{self._path.parent}: {error.strerror or error}") from None

    async def _entries(self, stream: Stream, seen: str) -> list[Entry]:
        return await self._run(lambda database: self._read(database, stream, seen))

    def _read(self, database: sqlite3.Connection, stream: Stream, seen: str) -> list[Entry]:
        query = (
            "SELECT place, fields FROM entries WHERE worker = ? AND stream = ? AND place > ? "
            "ORDER BY place"
        )
        rows = database.execute(query, (self._worker, stream, int(seen)))
        return [(str(place), json.loads(fields)) for place, fields in rows]

    async def sit(self, holder: str, seconds: float) -> bool:
        """Lock the file of the seat, or give it back; a process that dies gives it back too.

        A thread would lock the file even for a task that is cancelled meanwhile.
        """
        if not seconds:
            self._rise()
        elif self._seated is None:
            await self._run(lambda _: None)
            with self._naming_faults():
                self._seated = lock_file(self._seat)
        return self._seated is not None

    def _rise(self) -> None:
        if self._seated:
            self._seated.close()
        self._seated = None

    async def is_seated(self) -> bool:
        """Return whether a process acts for the worker, even if it is paused."""
        return await asyncio.to_thread(is_locked, self._seat)

    async def close(self) -> None:
        """Give the seat back. The file is only open during a call."""
        self._rise()

    async def _write(self, stream: Stream, work: Callable[[sqlite3.Connection], T]) -> T:
        """Work in a transaction, and wake who waits for an entry of a stream."""

        def write(database: sqlite3.Connection) -> T:
            with transaction(database):
                return work(database)

        done = await self._run(write)
        await asyncio.to_thread(self._bells[stream].ring)
        return done

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._patience.attempt(lambda: asyncio.to_thread(self._work, work))

    def _work(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with _open(self._path) as database:
            return work(database)


@contextlib.contextmanager
def _open(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to the file of the wires.

    A loss of power may lose what was written last, which is then sent again.
    """
    with open_database(path, path, _KIND, LOCKED) as database:
        database.execute("PRAGMA synchronous=NORMAL")
        yield database


def _may_pass(error: Exception) -> bool:
    return isinstance(error, InfrastructureError) and not isinstance(error, LeaseLostError)


def _claim(database: sqlite3.Connection, fence: int) -> None:
    """Write the fencing number of an orchestrator. Raise LeaseLostError if there is a higher."""
    query = "UPDATE orchestrator SET fence = ? WHERE fence <= ?"
    if not database.execute(query, (fence, fence)).rowcount:
        raise LeaseLostError(LOST)


class RedisWire:
    """The wire between the orchestrator of an episode in Redis and a worker."""

    def __init__(self, link: RedisLink, episode: str, worker: str) -> None:
        self._link = link
        self._streams = {
            "work": keys_of(episode, f"work:{worker}")[0],
            "reports": keys_of(episode, f"reports:{worker}")[0],
        }
        self._episode, self._seat = keys_of(episode, "episode", f"seat:{worker}")

    async def assign(self, fence: int, fields: Mapping[str, str]) -> str:
        keys = [self._streams["work"], self._episode]
        arguments = (fields["timestep"], fields["assignment"], fields["facts"])
        return str(await self._link.script("assign", keys, fence, *arguments))

    async def report(self, fields: Mapping[str, str]) -> None:
        """Add a report; this also works while the memory of Redis is full."""
        arguments = (fields["assignment"], fields["action"], fields["report"])
        await self._link.script("report", [self._streams["reports"]], *arguments)

    async def newest(self, stream: Stream) -> str:
        return await self._link.newest(self._streams[stream])

    async def wait(self, stream: Stream, seen: str, seconds: float) -> list[Entry]:
        return await self._link.wait(self._streams[stream], seen, seconds)

    async def sit(self, holder: str, seconds: float) -> bool:
        answer = await self._link.script("seat", [self._seat], holder, int(1000 * seconds))
        return bool(answer == holder)

    async def is_seated(self) -> bool:
        return bool(await self._link.run(lambda redis: redis.exists(self._seat)))

    async def close(self) -> None:
        await self._link.close()


def wire_at(
    where: str | Path, worker: str, patience: float, tell: Callable[[str], None] | None = None
) -> Wire:
    """Return the wire of a worker: by the address of the episode in Redis, or the run's folder.

    The wire waits for `patience` seconds until it is reached; `tell` is called with one line each
    time it begins to wait. Raise InputError or MissingError if there can be no such wire.
    """
    if is_address(where):
        need_redis()
        from cookmas.mailboxes.redis.link import RedisLink

        url, episode = split_address(str(where))
        return RedisWire(RedisLink(url, patience, tell), episode, worker)
    return SqliteWire(Path(where), worker, patience, tell)


@asynccontextmanager
async def open_wires(
    where: str | Path, workers: Iterable[str], patience: float
) -> AsyncIterator[Mapping[str, Wire]]:
    """Yield the wire of each worker, as `wire_at` returns it; close all of them at the end."""
    wires = {name: wire_at(where, name, patience) for name in workers}
    try:
        yield wires
    finally:
        for wire in wires.values():
            await wire.close()


def remote_workers(
    wires: Mapping[str, Wire], fence: int, deadline: float
) -> dict[str, RemoteWorker]:
    """Return the workers at the other ends of the wires, each with `deadline` seconds to report."""
    return {name: RemoteWorker(WireChannel(wire, fence), deadline) for name, wire in wires.items()}
