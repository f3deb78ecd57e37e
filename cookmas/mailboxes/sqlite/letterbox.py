"""The sender's side of the SQLite mailbox: a file in the run's folder, and a wake-up pipe.

`post` stores the message on the disk, and then writes to the named pipe `bell`, which wakes the
orchestrator.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from cookmas.files.errors import InputError, MissingError, NoOpenEpisodeError
from cookmas.files.plain import pack
from cookmas.files.reading import read_text
from cookmas.mailboxes.protocol import (
    CLOSED,
    MOST_WAITING,
    Answer,
    Backlog,
    Envelope,
    Quarantined,
    answer_again,
    find_refusal,
    kind_of,
    read_plain,
    read_stored_answer,
    refusal,
    waiting_answer,
)
from cookmas.mailboxes.sqlite.bell import PipeBell
from cookmas.mailboxes.sqlite.file import (
    BELL,
    HOUSE_TOKEN,
    MAILBOX,
    WHY_CLOSED,
    bind,
    open_mailbox,
    transaction,
)

T = TypeVar("T")


LONGEST_TOKEN = 1000
"""Maximum size of a token file, in bytes."""


class SqliteLetterbox:
    """The sender's side of the open episode whose run is in a folder.

    At most `most_waiting` messages of each sender may wait. The constructor raises
    NoOpenEpisodeError if the run takes no messages.
    """

    def __init__(self, folder: Path, most_waiting: int = MOST_WAITING) -> None:
        self._folder = folder
        self._most_waiting = most_waiting
        self._bell = PipeBell(folder / BELL)
        if not (folder / MAILBOX).exists():
            raise NoOpenEpisodeError(
                f"{folder}: there is no open episode here; 'cookmas serve' opens one"
            )

    async def post(self, envelope: Envelope) -> Answer | None:
        answer = await self._run_in_file(lambda database: self._post(database, envelope))
        if answer is None:
            await asyncio.to_thread(self._bell.ring)
        return answer

    async def answer(self, envelope: Envelope) -> Answer | None:
        stored = await self._run_in_file(lambda database: _find(database, envelope))
        if stored and stored.answer is None and stored.place is not None:
            return waiting_answer(envelope.id, stored.place)
        return stored.answer if stored else None

    async def close(self) -> None:
        query = "UPDATE episode SET closed = 1 WHERE NOT closed"
        await self._run_in_file(lambda database: database.execute(query))
        await asyncio.to_thread(self._bell.ring)

    async def status(self) -> dict[str, Any] | None:
        query = "SELECT status FROM episode"
        (text,) = await self._run_in_file(lambda database: database.execute(query).fetchone())
        return read_plain("the status of the episode", text) if text else None

    async def backlog(self) -> Backlog:
        query = (
            "SELECT count(*), min(sent) FILTER (WHERE sent BETWEEN 0 AND 1e12) FROM messages "
            "WHERE number IS NULL AND sender IS NOT NULL"
        )
        waiting, sent = await self._run_in_file(lambda database: database.execute(query).fetchone())
        return Backlog(waiting, None if sent is None else max(0.0, time.time() - sent))

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        query = (
            "UPDATE messages SET number = -place, "
            "answer = json_object('id', id, 'status', 'withdrawn') "
            "WHERE number IS NULL AND sender = coalesce(?, sender) AND id = coalesce(?, id)"
        )
        count = await self._run_in_file(
            lambda database: database.execute(query, (sender, id)).rowcount
        )
        await asyncio.to_thread(self._bell.ring)
        return count

    async def house_token(self) -> str | None:
        try:
            return read_text(self._folder / HOUSE_TOKEN, LONGEST_TOKEN).strip()
        except (InputError, MissingError):
            return None

    async def quarantine(self) -> Sequence[Quarantined]:
        query = "SELECT origin, reason, preview FROM quarantine ORDER BY place DESC"
        rows = await self._run_in_file(lambda database: database.execute(query).fetchall())
        return [Quarantined(origin=o, reason=r, preview=p) for o, r, p in rows]

    async def count_quarantined(self) -> int:
        query = "SELECT quarantined FROM episode"
        (count,) = await self._run_in_file(lambda database: database.execute(query).fetchone())
        return int(count)

    async def empty_quarantine(self) -> None:
        def empty(database: sqlite3.Connection) -> None:
            with transaction(database):
                database.execute("DELETE FROM quarantine")
                database.execute("UPDATE episode SET quarantined = 0")

        await self._run_in_file(empty)

    async def leave(self) -> None:
        """Do nothing: the file is only open during a call."""

    def _post(self, database: sqlite3.Connection, envelope: Envelope) -> Answer | None:
        event = pack(envelope.event).decode()
        meaning = None if envelope.meaning is None else pack(envelope.meaning).decode()
        with transaction(database):
            proved = bind(database, envelope.sender, envelope.proof)
            if proved and (stored := _find(database, envelope)):
                return stored.answer.repeat() if stored.answer else None
            (closed,) = database.execute("SELECT closed FROM episode").fetchone()
            query = "SELECT count(*) FROM messages WHERE sender = ? AND number IS NULL"
            (waiting,) = database.execute(query, (envelope.sender,)).fetchone()
            if why := find_refusal(
                proved=proved,
                over=WHY_CLOSED.get(closed, CLOSED) if closed else None,
                waiting=waiting,
                most_waiting=self._most_waiting,
            ):
                return refusal(envelope, why)
            query = (
                "INSERT INTO messages (sender, id, event, kind, meaning, proof, sent) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)"
            )
            key, kind = (envelope.sender, envelope.id), kind_of(envelope.event)
            database.execute(query, (*key, event, kind, meaning, envelope.proof, time.time()))
        return None

    async def _run_in_file(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def run() -> T:
            with open_mailbox(self._folder) as database:
                database.execute("PRAGMA synchronous=FULL")
                return work(database)

        return await asyncio.to_thread(run)


class _Stored(NamedTuple):
    """A message that is in the file already: its answer, or its place in the queue."""

    answer: Answer | None
    place: int | None


def _find(database: sqlite3.Connection, envelope: Envelope) -> _Stored | None:
    """Return what is stored under a message's sender and id; None if that message is new."""
    query = "SELECT event, answer, queue FROM messages WHERE sender = ? AND id = ?"
    row = database.execute(query, (envelope.sender, envelope.id)).fetchone()
    if row is None:
        return None
    event, text, place = row
    answer = read_stored_answer(text) if text else None
    return _Stored(answer_again(envelope, answer, same=_is_same(event, envelope)), place)


def _is_same(text: str, envelope: Envelope) -> bool:
    try:
        return read_plain("event", text) == envelope.event
    except InputError:
        return False
