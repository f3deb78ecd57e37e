"""The SQLite mailbox: a file in the run's folder, and a wake-up pipe for senders.

The orchestrator waits for a byte in the named pipe `bell` beside the file. A sender writes the byte
after it has stored a message. In case a sender dies before that, the orchestrator also checks the
file every few seconds. A row that cannot be read is quarantined when its turn comes. A letter is a
message or a known event that was taken, with a permanent number.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from cookmas.episodes.world import Json
from cookmas.files.errors import InputError, LeaseLostError, sqlite_error
from cookmas.files.lines import preview
from cookmas.files.plain import pack
from cookmas.mailboxes.fairness import Turns
from cookmas.mailboxes.protocol import (
    CLOSED,
    LOST,
    MOST_LETTERS,
    MOST_QUARANTINED,
    UNPROVED,
    Envelope,
    Letter,
    May,
    Settled,
    allow_all,
    answer_to,
    kind_of,
    read_plain,
    read_stored,
)
from cookmas.mailboxes.sqlite.bell import PipeBell
from cookmas.mailboxes.sqlite.file import (
    BELL,
    MAILBOX,
    WHY_CLOSED,
    bind,
    connect,
    read_meanings,
    transaction,
)

MOST_SIFTED = 500
"""Maximum number of unreachable rows (`_UNREACHABLE`) that one call of `open` quarantines.

After as many messages that cannot be read, the call takes no more messages.
"""

_WAITING = """
SELECT m.place, m.sender, m.kind, coalesce(CAST(s.last AS INTEGER), 0)
FROM messages m LEFT JOIN senders s ON s.name = m.sender
WHERE m.number IS NULL AND m.sender IS NOT NULL ORDER BY m.place
"""

_UNREACHABLE = """
SELECT place FROM messages
WHERE number IS NULL AND sender IS NULL AND typeof(due) <> 'integer'
UNION ALL SELECT place FROM messages WHERE number > (SELECT number FROM episode) LIMIT ?
"""
"""Selects rows that would never be taken, and rows whose number is not from the orchestrator.

Text and blobs in place of a number are found too, because SQLite sorts them above all numbers.
"""

T = TypeVar("T")


class SqliteMailbox:
    """The mailbox of the run in a folder, for the orchestrator.

    `fence` is the fencing number of the orchestrator's lease. As soon as an orchestrator with a
    higher number has opened the mailbox, writing raises LeaseLostError. The constructor removes the
    time `published` from the status of an earlier orchestrator.

    Every change is on the disk when its method returns. So after a loss of power no checkpoint has
    taken a letter whose number the mailbox has forgotten, which another message would then get.
    """

    def __init__(self, folder: Path, fence: int = 1) -> None:
        self._folder = folder
        self._fence = fence
        self._lock = threading.Lock()
        try:
            self._database = connect(folder / MAILBOX)
            try:
                self._take_over()
            except BaseException:
                self._database.close()
                raise
        except sqlite3.Error as error:
            raise self._name_error(error) from None
        self._bell = PipeBell(folder / BELL)

    def _take_over(self) -> None:
        self._database.execute("PRAGMA synchronous=FULL")
        with transaction(self._database):
            query = (
                "UPDATE episode SET fence = ?, status = CASE WHEN json_valid(status) "
                "THEN json_remove(status, '$.published') END WHERE fence <= ?"
            )
            if not self._database.execute(query, (self._fence, self._fence)).rowcount:
                raise LeaseLostError(LOST)

    def _name_error(self, error: sqlite3.Error) -> Exception:
        return sqlite_error(f"the mailbox in {self._folder}", error)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    async def open(self, timestep: int, after: int, may: May = allow_all) -> Sequence[Letter]:
        return await self._run(lambda: self._open(timestep, after, may))

    def _open(self, timestep: int, after: int, may: May) -> list[Letter]:
        if not self._stands(after)[1]:
            return []
        with self._in_fence():
            for (place,) in self._database.execute(_UNREACHABLE, (MOST_SIFTED,)).fetchall():
                self._quarantine(place, "has neither a sender nor a timestep, or a wrong number")
            if before := self._letters_after(after):
                return before
            (number,) = self._database.execute("SELECT number FROM episode").fetchone()
            due = self._due(timestep)
            for ahead, place in enumerate(due, start=1):
                self._number(place, number + ahead, timestep)
            if not due:
                self._take(number, timestep, may)
            return self._letters_after(after)

    def _due(self, timestep: int) -> list[int]:
        query = (
            "SELECT place FROM messages WHERE number IS NULL AND sender IS NULL AND due <= ? "
            "ORDER BY due, place"
        )
        return [place for (place,) in self._database.execute(query, (timestep,))]

    def _take(self, number: int, timestep: int, may: May) -> None:
        turns = self._turns()
        barred: set[str] = set()
        most, sifted = number + MOST_LETTERS, 0
        while number < most and sifted < MOST_SIFTED and (head := turns.next(barred)):
            place = head.item
            envelope = self._message(place)
            if envelope is None:
                turns.remove(head)
                sifted += 1
            elif may(envelope.event):
                number += 1
                turns.remove(head, number)
                self._number(place, number, timestep)
                query = "UPDATE senders SET last = ? WHERE name = ?"
                self._database.execute(query, (number, head.sender))
            else:
                barred.add(head.kind)

    def _turns(self) -> Turns[int]:
        waiting = self._database.execute(_WAITING).fetchall()
        turns = Turns[int]({sender: last for _, sender, _, last in waiting})
        for place, sender, kind, _ in waiting:
            turns.add(sender, kind, place)
        return turns

    def _message(self, place: int) -> Envelope | None:
        """Return the message in a row; quarantine the row and return None if it cannot be read."""
        query = "SELECT sender, id, event, meaning, proof, kind FROM messages WHERE place = ?"
        *fields, kind = self._database.execute(query, (place,)).fetchone()
        names = ("sender", "id", "event", "meaning", "proof")
        try:
            envelope = read_stored(dict(zip(names, fields, strict=True)))
            if kind != kind_of(envelope.event):
                raise InputError("message, kind", "is not the kind of its event")
            if not bind(self._database, envelope.sender, envelope.proof):
                raise InputError("message, proof", UNPROVED)
        except InputError as error:
            self._quarantine(place, str(error))
            return None
        return envelope

    def _number(self, place: int, number: int, timestep: int) -> None:
        query = "UPDATE messages SET number = ?, timestep = ? WHERE place = ?"
        self._database.execute(query, (number, timestep, place))
        self._database.execute("UPDATE episode SET number = ?", (number,))

    def _letters_after(self, after: int) -> list[Letter]:
        query = (
            "SELECT place, number, timestep, event, sender, "
            "? - CASE WHEN sent BETWEEN 0 AND 1e12 THEN sent END FROM messages "
            "WHERE number > ? ORDER BY number"
        )
        letters: list[Letter] = []
        for place, *columns in self._database.execute(query, (time.time(), after)).fetchall():
            try:
                letters.append(_letter(*columns))
            except InputError as error:
                self._quarantine(place, str(error))
        return letters

    def _quarantine(self, place: int, reason: str) -> None:
        query = "SELECT sender, id, event, meaning FROM messages WHERE place = ?"
        row = self._database.execute(query, (place,)).fetchone()
        entry = (f"row {place}", preview(reason), preview(", ".join(map(str, row))))
        query = "INSERT INTO quarantine (origin, reason, preview) VALUES (?, ?, ?)"
        added = self._database.execute(query, entry).lastrowid
        query = "DELETE FROM quarantine WHERE place <= ? - ?"
        self._database.execute(query, (added, MOST_QUARANTINED))
        self._database.execute("DELETE FROM messages WHERE place = ?", (place,))
        self._database.execute("UPDATE episode SET quarantined = quarantined + 1")

    async def tell_places(self) -> None:
        await self._run(self._tell_places)

    def _tell_places(self) -> None:
        query = (
            "SELECT place FROM messages "
            "WHERE number IS NULL AND sender IS NOT NULL AND queue IS NULL"
        )
        new = {place for (place,) in self._database.execute(query)}
        if new:
            with self._in_fence():
                told = [(ahead, place) for place, ahead in self._turns().places(new.__contains__)]
                query = "UPDATE messages SET queue = ? WHERE place = ?"
                self._database.executemany(query, told)

    async def empty(self, after: int) -> bool:
        closed, left = await self._run(lambda: self._stands(after))
        return closed and not left

    async def due(self, after: int) -> int | None:
        """Return None: a sender may post a message at any time."""
        return None

    async def idle(self, after: int) -> bool:
        closed, left = await self._run(lambda: self._stands(after))
        return not closed and not left

    def _stands(self, after: int) -> tuple[bool, bool]:
        """Return whether the mailbox is closed, and whether anything is left.

        Messages, known events and letters with a number above `after` are left.
        """
        query = (
            "SELECT closed, EXISTS (SELECT 1 FROM messages WHERE number IS NULL) "
            "OR EXISTS (SELECT 1 FROM messages WHERE number > ?) FROM episode"
        )
        closed, left = self._database.execute(query, (after,)).fetchone()
        return bool(closed), bool(left)

    async def wait(self, after: int) -> None:
        with self._bell.listen() as rung:
            while await self.idle(after):
                await rung(math.inf)

    async def settle(self, settled: Sequence[Settled]) -> None:
        if settled:
            await self._run(lambda: self._settle(settled))

    def _settle(self, settled: Sequence[Settled]) -> None:
        asked = (
            "SELECT id FROM messages WHERE number = ? AND sender IS NOT NULL AND answer IS NULL "
            "AND typeof(id) = 'text'"
        )
        with self._in_fence():
            for each in settled:
                if row := self._database.execute(asked, (each.number,)).fetchone():
                    answer = answer_to(row[0], each).model_dump_json(exclude_none=True)
                    query = "UPDATE messages SET answer = ? WHERE number = ?"
                    self._database.execute(query, (answer, each.number))

    async def end(self) -> int:
        return await self._run(self._end)

    def _end(self) -> int:
        query = (
            "UPDATE messages SET number = coalesce(number, -place), answer = json_object("
            "'id', CAST(id AS TEXT), 'status', 'refused', 'why', ?) "
            "WHERE sender IS NOT NULL AND answer IS NULL"
        )
        with self._in_fence():
            self._database.execute("UPDATE episode SET closed = 2 WHERE NOT closed")
            (closed,) = self._database.execute("SELECT closed FROM episode").fetchone()
            return self._database.execute(query, (WHY_CLOSED.get(closed, CLOSED),)).rowcount

    def restore(self, letters: Sequence[Letter]) -> None:
        """Do nothing: the letters are in the file."""

    async def meanings(self) -> Mapping[int, dict[str, Any]]:
        return await asyncio.to_thread(read_meanings, self._folder)

    async def publish(self, status: Json) -> None:
        text = pack(dict(status)).decode()

        def write() -> None:
            with self._in_fence():
                self._database.execute("UPDATE episode SET status = ?", (text,))

        await self._run(write)

    @contextmanager
    def _in_fence(self) -> Iterator[None]:
        """Run the block in a transaction. Raise LeaseLostError if the lease has been lost."""
        with transaction(self._database):
            (fence,) = self._database.execute("SELECT fence FROM episode").fetchone()
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
            raise self._name_error(error) from None


def _letter(number: int, timestep: Any, event: Any, sender: Any, waited: float | None) -> Letter:
    """Return the letter in a row. Raise InputError if the row cannot be read."""
    where = f"letter {number}"
    if type(timestep) is not int:
        raise InputError(where, "has no timestep")
    if not (sender is None or isinstance(sender, str)):
        raise InputError(where, "has no sender's name")
    return Letter(
        number=number,
        timestep=timestep,
        event=read_plain(where, event),
        injected=sender is not None,
        sender=sender,
        waited=None if waited is None else max(0.0, waited),
    )
