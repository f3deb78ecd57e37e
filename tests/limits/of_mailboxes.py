"""Limits of messages and mailboxes."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cookmas.files.errors import InputError
from cookmas.mailboxes.protocol import Envelope, read_envelope
from cookmas.mailboxes.redis.letterbox import RedisLetterbox
from cookmas.mailboxes.redis.records import StreamEntry, read_entry
from cookmas.mailboxes.sqlite.file import HOUSE_TOKEN, MAILBOX, create_mailbox
from cookmas.mailboxes.sqlite.letterbox import SqliteLetterbox
from cookmas.mailboxes.sqlite.mailbox import SqliteMailbox
from tests.limits.limit import Limit

WORD = '{"kind": "word"}'


def _read_event(event: dict[str, Any]) -> Envelope:
    return read_envelope({"id": "1", "sender": "anna", "event": event})


def _read_entries(count: int) -> None:
    """Read an event with a list of that many entries, and one that has so many fields."""
    _read_event({"lines": ["x"] * count})
    _read_event({str(number): 1 for number in range(count)})


def _read_bytes(size: int) -> Envelope:
    """Read an event of that many bytes of JSON."""
    return _read_event({"kind": "x" * (size - len('{"kind":""}'))})


def _nest(depth: int) -> Any:
    return [_nest(depth - 1)] if depth else "x"


@contextmanager
def _opened(*rows: dict[str, Any]) -> Iterator[tuple[SqliteMailbox, SqliteLetterbox]]:
    """Open a mailbox in whose file some rows are written past the client."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        create_mailbox(path)
        with closing(sqlite3.connect(path / MAILBOX)) as database, database:
            for row in rows:
                names, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
                database.execute(f"INSERT INTO messages ({names}) VALUES ({marks})", row)
        with closing(SqliteMailbox(path)) as mailbox:
            yield mailbox, SqliteLetterbox(path)


def _sent(count: int) -> list[dict[str, Any]]:
    return [{"sender": "anna", "id": str(n), "event": WORD, "kind": "word"} for n in range(count)]


def _unreachable(count: int) -> list[dict[str, Any]]:
    return [{"id": str(n), "event": WORD, "kind": "word"} for n in range(count)]


async def _post(count: int) -> None:
    """Post a message after which that many wait."""
    with _opened(*_sent(count - 1)) as (_, letterbox):
        answer = await letterbox.post(Envelope(id="last", sender="anna", event={"kind": "word"}))
        if answer and answer.status == "refused":
            raise InputError("message", str(answer.why))


async def _take(count: int) -> list[int]:
    """Return the numbers of the messages that one call takes."""
    with _opened(*_sent(count)) as (mailbox, _):
        return [letter.number - 1 for letter in await mailbox.open(0, 0)]


async def _quarantine(count: int, calls: int) -> list[int]:
    """Return the numbers of the rows in the quarantine after some calls of `open`."""
    with _opened(*_unreachable(count)) as (mailbox, letterbox):
        for _ in range(calls):
            await mailbox.open(0, 0)
        found = await letterbox.quarantine()
        return sorted(int(each.origin.removeprefix("row ")) - 1 for each in found)


async def _read_token(size: int) -> bool:
    with _opened() as (_, letterbox):
        (letterbox._folder / HOUSE_TOKEN).write_text("x" * size)
        return await letterbox.house_token() is not None


def _read_entry(size: int) -> None:
    """Read an entry of a stream that Redis says to have that many bytes."""
    fields = ["id", "1", "event", WORD, "meaning", "", "proof", ""]
    read_entry("anna", StreamEntry("1-1", size, fields))


class Posting(RedisLetterbox):
    """A letterbox of an open episode in a Redis that stores every message."""

    def __init__(self) -> None:
        link: Any = SimpleNamespace(run=self._store)
        super().__init__(link, "corner")
        self.stored = 0

    async def _store(self, command: Any) -> str:
        self.stored += 1
        return str(self.stored - 1)

    async def _find(self, envelope: Envelope) -> Any:
        return SimpleNamespace(settled=None, state="open")


async def _remember(count: int) -> list[int]:
    """Return the entries that a letterbox remembers after so many messages."""
    letterbox = Posting()
    for number in range(count):
        await letterbox.post(Envelope(id=str(number), sender="anna", event={"kind": "word"}))
    return [int(entry) for entry in letterbox._posted.values()]


LIMITS = [
    Limit(name="mailboxes.protocol:MOST_BYTES", reach=_read_bytes),
    Limit(name="mailboxes.protocol:MOST_ENTRIES", reach=_read_entries),
    Limit(
        name="mailboxes.protocol:MOST_DEPTH", reach=lambda n: _read_event({"lines": _nest(n - 1)})
    ),
    Limit(name="mailboxes.protocol:MOST_WAITING", reach=_post),
    Limit(name="mailboxes.protocol:MOST_LETTERS", reach=_take, above="cut"),
    Limit(
        name="mailboxes.protocol:MOST_QUARANTINED",
        reach=lambda n: _quarantine(n, calls=n // 500 + 1),
        above="oldest dropped",
    ),
    Limit(
        name="mailboxes.sqlite.mailbox:MOST_SIFTED",
        reach=lambda n: _quarantine(n, calls=1),
        above="cut",
    ),
    Limit(name="mailboxes.sqlite.letterbox:LONGEST_TOKEN", reach=_read_token, above="left out"),
    Limit(name="mailboxes.redis.records:MOST_BYTES", reach=_read_entry),
    Limit(
        name="mailboxes.redis.letterbox:MOST_POSTED",
        reach=_remember,
        above="oldest dropped",
        patched=50,
    ),
]
