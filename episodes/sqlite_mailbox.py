"""The embedded mailbox: a SQLite file in the run's folder, and a bell that senders ring.

Other processes of the machine write to the file; a sender's commit is on the disk before posting
returns. Whoever plays the episode waits on a named pipe beside it, `bell`, into which senders write
a byte; should a sender die before it rings, the file is looked at every few seconds all the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from episodes.envelope import MOST_WAITING, Answer, Envelope, packed
from episodes.errors import LeaseLostError, NoKitchenError
from episodes.mailbox import (
    CLOSED,
    FLOODED,
    LOST,
    MOST_LETTERS,
    REUSED,
    Backlog,
    Letter,
    May,
    Settled,
    always,
    answer_to,
    kind_of,
)
from episodes.sqlite_errors import sqlite_error
from episodes.world import Json

MAILBOX, BELL = "mailbox.sqlite", "bell"

GLANCE = 5.0
"""Seconds after which a sleeping episode looks into the file though nobody has rung."""

PATIENCE = 30.0
"""Seconds for which the file may be locked by others."""

_TABLES = """
CREATE TABLE IF NOT EXISTS messages (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    sender TEXT, id TEXT, event TEXT NOT NULL, kind TEXT NOT NULL DEFAULT '', meaning TEXT,
    due INTEGER,                              -- of events known beforehand: from when on
    number INTEGER UNIQUE, timestep INTEGER,  -- of the letter, once it is taken; -place: withdrawn
    answer TEXT,
    sent REAL,                                -- seconds since the epoch
    UNIQUE (sender, id)
);
CREATE INDEX IF NOT EXISTS waiting ON messages (sender, place, kind) WHERE number IS NULL;
CREATE TABLE IF NOT EXISTS senders (name TEXT PRIMARY KEY, last INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS kitchen (
    one INTEGER PRIMARY KEY CHECK (one = 1), closed INTEGER NOT NULL, fence INTEGER NOT NULL,
    status TEXT
);
INSERT OR IGNORE INTO kitchen VALUES (1, 0, 0, NULL);
"""

_HEADS = """
WITH RECURSIVE waiting (sender) AS (
    SELECT min(sender) FROM messages WHERE number IS NULL AND sender IS NOT NULL
    UNION ALL
    SELECT (SELECT min(sender) FROM messages WHERE number IS NULL AND sender > waiting.sender)
    FROM waiting WHERE waiting.sender IS NOT NULL
)
SELECT m.place, m.sender, m.kind, m.event FROM waiting w JOIN messages m ON m.place = (
    SELECT place FROM messages WHERE number IS NULL AND sender = w.sender
    AND kind NOT IN (SELECT value FROM json_each(?)) ORDER BY place LIMIT 1
) LEFT JOIN senders s ON s.name = m.sender ORDER BY coalesce(s.last, 0), m.place
"""

T = TypeVar("T")


def create_mailbox(folder: Path, scheduled: Iterable[tuple[int, Json]] = ()) -> None:
    """Make the mailbox of a new run, with the events that are known beforehand.

    Whoever sees the file sees the whole mailbox.
    """
    draft = folder / f"{MAILBOX}.new"
    draft.unlink(missing_ok=True)
    with contextlib.closing(_connect(draft, create=True)) as database:
        database.executescript("PRAGMA journal_mode=WAL;" + _TABLES)
        with _transaction(database):
            database.executemany(
                "INSERT INTO messages (event, due) VALUES (?, ?)",
                [(packed(dict(event)).decode(), timestep) for timestep, event in scheduled],
            )
    os.replace(draft, folder / MAILBOX)


class SqliteLetterbox:
    """A sender's side of the run in a folder. Raises NoKitchenError if it takes no messages."""

    def __init__(self, folder: Path, most_waiting: int = MOST_WAITING) -> None:
        self._folder = folder
        self._most_waiting = most_waiting
        if not (folder / MAILBOX).exists():
            raise NoKitchenError(
                f"{folder}: there is no open kitchen here; 'cookmas serve' opens one"
            )

    async def post(self, envelope: Envelope) -> Answer | None:
        """Send a message; on return it is kept. The answer, where there is one already."""
        answer = await self._with(lambda database: self._post(database, envelope))
        if answer is None:
            await asyncio.to_thread(self._ring)
        return answer

    async def answer(self, sender: str, id: str) -> Answer | None:  # noqa: A002
        """What the sender of a message is told; None as long as it waits, or was never sent."""
        query = "SELECT answer FROM messages WHERE sender = ? AND id = ?"
        row = await self._with(lambda database: database.execute(query, (sender, id)).fetchone())
        return Answer.model_validate_json(row[0]) if row and row[0] else None

    async def close(self) -> None:
        """Take no more messages; the episode ends once what has been taken is served."""
        await self._with(lambda database: database.execute("UPDATE kitchen SET closed = 1"))
        await asyncio.to_thread(self._ring)

    async def status(self) -> dict[str, Any] | None:
        """How the episode stands, as it was last published; None before that."""
        query = "SELECT status FROM kitchen"
        (text,) = await self._with(lambda database: database.execute(query).fetchone())
        return json.loads(text) if text else None

    async def backlog(self) -> Backlog:
        """Return how many messages wait to be taken, and since when."""
        query = (
            "SELECT count(*), min(sent) FROM messages WHERE number IS NULL AND sender IS NOT NULL"
        )
        waiting, sent = await self._with(lambda database: database.execute(query).fetchone())
        return Backlog(waiting, None if sent is None else max(0.0, time.time() - sent))

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        """Withdraw the messages that wait, of one sender or with one id alone; return how many."""
        query = (
            "UPDATE messages SET number = -place, "
            "answer = json_object('id', id, 'status', 'withdrawn') "
            "WHERE number IS NULL AND sender = coalesce(?, sender) AND id = coalesce(?, id)"
        )
        count = await self._with(lambda database: database.execute(query, (sender, id)).rowcount)
        await asyncio.to_thread(self._ring)
        return count

    async def leave(self) -> None:
        """The file is open only while something is asked."""

    def _post(self, database: sqlite3.Connection, envelope: Envelope) -> Answer | None:
        event = packed(envelope.event).decode()
        meaning = None if envelope.meaning is None else packed(envelope.meaning).decode()
        with _transaction(database):
            query = "SELECT event, answer FROM messages WHERE sender = ? AND id = ?"
            key = (envelope.sender, envelope.id)
            if row := database.execute(query, key).fetchone():
                if _told(row[0]) != envelope.event:
                    return Answer(id=envelope.id, status="refused", why=REUSED)
                return Answer.model_validate_json(row[1]).again() if row[1] else None
            (closed,) = database.execute("SELECT closed FROM kitchen").fetchone()
            query = "SELECT count(*) FROM messages WHERE sender = ? AND number IS NULL"
            (waiting,) = database.execute(query, key[:1]).fetchone()
            if closed or waiting >= self._most_waiting:
                return Answer(id=envelope.id, status="refused", why=CLOSED if closed else FLOODED)
            query = (
                "INSERT INTO messages (sender, id, event, kind, meaning, sent) "
                "VALUES (?, ?, ?, ?, ?, ?)"
            )
            row = (*key, event, kind_of(envelope.event), meaning, time.time())
            database.execute(query, row)
        return None

    async def _with(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def run() -> T:
            with contextlib.closing(_connect(self._folder / MAILBOX)) as database:
                database.execute("PRAGMA synchronous=FULL")
                return work(database)

        try:
            return await asyncio.to_thread(run)
        except sqlite3.Error as error:
            raise sqlite_error(f"the mailbox in {self._folder}", error) from None

    def _ring(self) -> None:
        """Wake who plays the episode; if nobody does, it is found when somebody begins to."""
        with contextlib.suppress(OSError):
            bell = os.open(self._folder / BELL, os.O_WRONLY | os.O_NONBLOCK)
            try:
                os.write(bell, b".")
            finally:
                os.close(bell)


class SqliteMailbox:
    """The mailbox of the run in a folder, for whoever plays it.

    `fence` is the number of the lease under which it is played: once somebody with a higher one has
    opened the mailbox, writing raises LeaseLostError. The status of an earlier orchestrator loses
    the time at which it was `published`.
    """

    def __init__(self, folder: Path, fence: int = 1) -> None:
        self._folder = folder
        self._fence = fence
        self._database = _connect(folder / MAILBOX)
        self._database.execute("PRAGMA synchronous=NORMAL")
        self._lock = threading.Lock()
        with _transaction(self._database):
            query = (
                "UPDATE kitchen SET fence = ?, status = json_remove(status, '$.published') "
                "WHERE fence <= ?"
            )
            if not self._database.execute(query, (fence, fence)).rowcount:
                raise LeaseLostError(LOST)
        with contextlib.suppress(FileExistsError):
            os.mkfifo(folder / BELL)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    async def open(self, timestep: int, after: int, may: May = always) -> Sequence[Letter]:
        """The letters due by `timestep` with a number above `after`, in order."""
        return await self._run(lambda: self._open(timestep, after, may))

    def _open(self, timestep: int, after: int, may: May) -> list[Letter]:
        if not self._stands(after)[1]:
            return []
        with self._fenced():
            if before := self._numbered(after):
                return before
            query = "SELECT coalesce(max(number), 0) FROM messages WHERE number > 0"
            (number,) = self._database.execute(query).fetchone()
            due = self._due(timestep)
            for ahead, place in enumerate(due, start=1):
                self._number(place, number + ahead, timestep)
            if not due:
                self._take(number, timestep, may)
            return self._numbered(after)

    def _due(self, timestep: int) -> list[int]:
        query = (
            "SELECT place FROM messages WHERE number IS NULL AND sender IS NULL AND due <= ? "
            "ORDER BY due, place"
        )
        return [place for (place,) in self._database.execute(query, (timestep,))]

    def _take(self, number: int, timestep: int, may: May) -> None:
        """Number up to so many messages, the sender first who waits longest for a turn."""
        barred: set[str] = set()
        most = number + MOST_LETTERS
        while number < most:
            heads = self._database.execute(_HEADS, (json.dumps(sorted(barred)),)).fetchall()
            if not heads:
                break
            for place, sender, kind, event in heads[: most - number]:
                if kind in barred:
                    continue
                if not may(_told(event)):
                    barred.add(kind)
                    continue
                number += 1
                self._number(place, number, timestep)
                query = "INSERT OR REPLACE INTO senders VALUES (?, ?)"
                self._database.execute(query, (sender, number))

    def _number(self, place: int, number: int, timestep: int) -> None:
        query = "UPDATE messages SET number = ?, timestep = ? WHERE place = ?"
        self._database.execute(query, (number, timestep, place))

    def _numbered(self, after: int) -> list[Letter]:
        query = (
            "SELECT number, timestep, event, sender FROM messages WHERE number > ? ORDER BY number"
        )
        return [
            Letter(
                number=number,
                timestep=timestep,
                event=_told(event),
                injected=sender is not None,
                sender=sender,
            )
            for number, timestep, event, sender in self._database.execute(query, (after,))
        ]

    async def empty(self, after: int) -> bool:
        """Whether it is closed and nothing is left beyond letter number `after`."""
        closed, left = await self._run(lambda: self._stands(after))
        return closed and not left

    async def due(self, after: int) -> int | None:
        """None: somebody may send one at any time."""
        return None

    async def idle(self, after: int) -> bool:
        """Whether beyond letter number `after` nothing comes unless somebody sends it."""
        closed, left = await self._run(lambda: self._stands(after))
        return not closed and not left

    def _stands(self, after: int) -> tuple[bool, bool]:
        """Whether it is closed, and whether anything is left, in one look."""
        query = (
            "SELECT closed, EXISTS (SELECT 1 FROM messages WHERE number IS NULL) "
            "OR EXISTS (SELECT 1 FROM messages WHERE number > ?) FROM kitchen"
        )
        closed, left = self._database.execute(query, (after,)).fetchone()
        return bool(closed), bool(left)

    async def wait(self, after: int) -> None:
        """Return as soon as the mailbox is not idle any more, without using the processor."""
        rung = asyncio.Event()
        loop = asyncio.get_running_loop()
        bell = os.open(self._folder / BELL, os.O_RDWR | os.O_NONBLOCK)

        def ring() -> None:
            with contextlib.suppress(BlockingIOError):
                os.read(bell, 4096)
            rung.set()

        loop.add_reader(bell, ring)
        try:
            while await self.idle(after):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(rung.wait(), GLANCE)
                rung.clear()
        finally:
            loop.remove_reader(bell)
            os.close(bell)

    async def settle(self, settled: Sequence[Settled]) -> None:
        """Tell the senders what came of their letters."""
        if settled:
            await self._run(lambda: self._settle(settled))

    def _settle(self, settled: Sequence[Settled]) -> None:
        asked = "SELECT id FROM messages WHERE number = ? AND sender IS NOT NULL AND answer IS NULL"
        with self._fenced():
            for each in settled:
                if row := self._database.execute(asked, (each.number,)).fetchone():
                    answer = answer_to(row[0], each).model_dump_json(exclude_none=True)
                    query = "UPDATE messages SET answer = ? WHERE number = ?"
                    self._database.execute(query, (answer, each.number))

    def restore(self, letters: Sequence[Letter]) -> None:
        """Nothing to do: letters once numbered are in the file."""

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        """What senders said their events mean, by the number of the letter; for the judge."""
        return await asyncio.to_thread(read_meanings, self._folder)

    async def publish(self, status: Json) -> None:
        """Let everybody know how the episode stands."""
        text = packed(dict(status)).decode()

        def write() -> None:
            with self._fenced():
                self._database.execute("UPDATE kitchen SET status = ?", (text,))

        await self._run(write)

    @contextmanager
    def _fenced(self) -> Iterator[None]:
        """A transaction of whoever plays the episode; one who does not any more writes nothing."""
        with _transaction(self._database):
            (fence,) = self._database.execute("SELECT fence FROM kitchen").fetchone()
            if fence > self._fence:
                raise LeaseLostError(LOST)
            yield

    async def _run(self, work: Callable[[], T]) -> T:
        def run() -> T:
            with self._lock:
                return work()

        try:
            return await asyncio.to_thread(run)
        except sqlite3.Error as error:
            raise sqlite_error(f"the mailbox in {self._folder}", error) from None


def read_meanings(folder: Path) -> dict[int, dict[str, Any]]:
    """What the senders to a run said their events mean, by the number of the letter."""
    if not (folder / MAILBOX).exists():
        return {}
    query = "SELECT number, meaning FROM messages WHERE number > 0 AND meaning IS NOT NULL"
    with contextlib.closing(_connect(folder / MAILBOX)) as database:
        return {number: _told(meaning) for number, meaning in database.execute(query)}


def _connect(path: Path, *, create: bool = False) -> sqlite3.Connection:
    mode = "rwc" if create else "rw"
    database = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        _upgrade(database)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _upgrade(database: sqlite3.Connection) -> None:
    """Add the column that a mailbox lacks which an earlier version made."""
    columns = {name for _, name, *_ in database.execute("PRAGMA table_info(messages)")}
    if columns and "sent" not in columns:
        with contextlib.suppress(sqlite3.OperationalError):  # another process adds it
            database.execute("ALTER TABLE messages ADD COLUMN sent REAL")


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _told(text: str) -> dict[str, Any]:
    """What a row holds as JSON; nothing, which is refused as an event, where others wrote none."""
    try:
        data = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
