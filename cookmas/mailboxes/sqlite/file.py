"""The file of the SQLite mailbox: its tables, connections and rows.

Other programs may write to the file without CookMAS. So the file may have text that is not UTF-8.
Each byte that is not UTF-8 is read as a lone surrogate, which no valid message contains.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cookmas.episodes.world import Json
from cookmas.files.errors import InputError, sqlite_error
from cookmas.files.plain import pack
from cookmas.files.writing import replace_file
from cookmas.mailboxes.protocol import CLOSED, ENDED, OPERATOR, meanings_by_number, proof_of

MAILBOX, BELL, HOUSE_TOKEN = "mailbox.sqlite", "bell", "house.token"

WHY_CLOSED = {1: CLOSED, 2: ENDED}
"""Why messages are refused, by the value of `closed`."""

PATIENCE = 30.0
"""Maximum time to wait for a lock on the file, in seconds."""


class FileKind(NamedTuple):
    """A kind of file."""

    name: str
    version: int
    """Version of its tables; each version of CookMAS uses only one."""
    tables: str
    """The SQL that creates them."""


_KIND = FileKind(
    "mailbox",
    3,
    """
CREATE TABLE messages (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    sender TEXT, id TEXT, event TEXT NOT NULL, kind TEXT NOT NULL DEFAULT '', meaning TEXT,
    proof TEXT,
    due INTEGER,                              -- first timestep of an event known beforehand
    number INTEGER UNIQUE, timestep INTEGER,  -- of the letter once taken; -place if withdrawn
    answer TEXT, queue INTEGER,               -- messages before it, as the sender was told
    sent REAL,                                -- seconds since the epoch
    UNIQUE (sender, id)
);
CREATE INDEX waiting ON messages (sender, place, kind) WHERE number IS NULL;
CREATE TABLE senders (
    name TEXT PRIMARY KEY, last INTEGER NOT NULL DEFAULT 0, proof TEXT NOT NULL DEFAULT ''
);
CREATE TABLE quarantine (
    place INTEGER PRIMARY KEY AUTOINCREMENT, origin TEXT, reason TEXT, preview TEXT
);
CREATE TABLE episode (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    closed INTEGER NOT NULL,                  -- 1 by the house, 2 by the end of the episode
    fence INTEGER NOT NULL,
    status TEXT, quarantined INTEGER NOT NULL DEFAULT 0,
    number INTEGER NOT NULL DEFAULT 0         -- of the latest letter
);
INSERT INTO episode (one, closed, fence) VALUES (1, 0, 0);
""",
)


def create_mailbox(folder: Path, scheduled: Iterable[tuple[int, Json]] = ()) -> None:
    """Create the mailbox of a new run, with the events that are known beforehand.

    The file appears only when it is complete. The token of the operator is in a second file, which
    only its owner can read. Raise OSError or InfrastructureError if they cannot be written.
    """
    token = secrets.token_urlsafe(24)
    _write_secret(folder / HOUSE_TOKEN, token)
    with create_database(folder / MAILBOX, _KIND) as database, transaction(database):
        database.executemany(
            "INSERT INTO messages (event, due) VALUES (?, ?)",
            [(pack(dict(event)).decode(), timestep) for timestep, event in scheduled],
        )
        query = "INSERT INTO senders (name, proof) VALUES (?, ?)"
        database.execute(query, (OPERATOR, proof_of(token)))


@contextmanager
def create_database(path: Path, kind: FileKind) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a new file of a kind, which appears only when the block has ended.

    The write-ahead log comes last and stays empty, since an error in moving it into the file when
    the file is closed would not be reported.
    """
    try:
        with (
            replace_file(path) as draft,
            contextlib.closing(connect(draft, create=True, kind=kind)) as database,
        ):
            database.executescript(kind.tables)
            database.execute(f"PRAGMA user_version = {kind.version}")
            yield database
            database.execute("PRAGMA journal_mode=WAL")
    except sqlite3.Error as error:
        raise sqlite_error(path, error) from error


@contextmanager
def open_database(
    path: Path, where: object, kind: FileKind, patience: float | None = None
) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a file, as `connect` returns it.

    Raise the error for users, which names `where`, in place of each sqlite3.Error, also of the
    block.
    """
    try:
        with contextlib.closing(connect(path, kind=kind, patience=patience)) as database:
            yield database
    except sqlite3.Error as error:
        raise sqlite_error(where, error) from None


def open_mailbox(folder: Path) -> AbstractContextManager[sqlite3.Connection]:
    """Return the block with a connection to the mailbox in a folder (`open_database`)."""
    return open_database(folder / MAILBOX, f"the mailbox in {folder}", _KIND)


def read_meanings(folder: Path) -> dict[int, dict[str, Any]]:
    """Return the meanings that senders stated for their events, by letter number."""
    if not (folder / MAILBOX).exists():
        return {}
    query = (
        "SELECT number, meaning FROM messages "
        "WHERE number > 0 AND typeof(number) = 'integer' AND meaning IS NOT NULL"
    )
    with open_mailbox(folder) as database:
        return meanings_by_number(database.execute(query))


def count_unanswered(folder: Path) -> int:
    """Return the number of messages without an answer; 0 if the run in a folder takes none."""
    if not (folder / MAILBOX).exists():
        return 0
    query = "SELECT count(*) FROM messages WHERE sender IS NOT NULL AND answer IS NULL"
    with open_mailbox(folder) as database:
        (count,) = database.execute(query).fetchone()
    return int(count)


def bind(database: sqlite3.Connection, sender: str, proof: str | None) -> bool:
    """Return whether a sender may use its name: only with the proof of the name's first use.

    If the name is new, store the proof.
    """
    database.execute(
        "INSERT OR IGNORE INTO senders (name, proof) VALUES (?, ?)", (sender, proof or "")
    )
    query = "SELECT proof FROM senders WHERE name = ?"
    (bound,) = database.execute(query, (sender,)).fetchone()
    return bool(bound == (proof or ""))


def connect(
    path: Path, *, create: bool = False, kind: FileKind = _KIND, patience: float | None = None
) -> sqlite3.Connection:
    """Return a connection to a file of a `kind`, which waits for a lock on it.

    It waits for `patience` seconds, by default PATIENCE.

    Raise sqlite3.Error if the file cannot be opened, InputError if an incompatible version of
    CookMAS created it.
    """
    mode = "rwc" if create else "rw"
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=PATIENCE if patience is None else patience,
        isolation_level=None,
        check_same_thread=False,
    )
    database.text_factory = _text
    try:
        if not create:
            _check_version(database, path, kind)
    except BaseException:
        database.close()
        raise
    return database


def _check_version(database: sqlite3.Connection, path: Path, kind: FileKind) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not tables:
        raise InputError(str(path), "was never finished; remove its folder and begin again")
    if version != kind.version:
        raise InputError(
            str(path),
            f"is a {kind.name} of version {version}, and this version of CookMAS reads "
            f"{kind.version}; "
            "continue with the version that made it",
        )


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Run the block in a transaction, which is rolled back after an error."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _write_secret(path: Path, text: str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(file, "w", encoding="utf-8") as opened:
        opened.write(f"{text}\n")
        opened.flush()
        os.fsync(file)
