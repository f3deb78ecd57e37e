"""Backup of a run's folder while the run is played. The copy can be resumed."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from cookmas.files.errors import InputError, sqlite_error
from cookmas.mailboxes.sqlite.file import BELL, MAILBOX
from cookmas.orchestrator.runs.folder import CHECKPOINTS, RUN, TRACE, read_run
from cookmas.orchestrator.runs.lease import LOCK

DATABASES = (CHECKPOINTS, MAILBOX)
"""The databases in the order in which they are copied.

The mailbox is copied after the checkpoints: a message that a copied checkpoint has taken must not
still wait in the copied mailbox. The trace is copied after both, since the trace must reach at
least as far as every checkpoint.
"""


def back_up(folder: Path, to: Path) -> Iterator[str]:
    """Copy the run in a folder; yield a sentence for each part of the run that is stored elsewhere.

    `to` becomes a new folder that only its owner can read, because it has the token of the house,
    which is the episode's owner. `run.json` is copied last, so that an interrupted copy does not
    count as a run.

    Raises MissingError if there is no run, InputError if `to` exists, and InfrastructureError if a
    database cannot be read.
    """
    file = read_run(folder)
    if to.exists():
        raise InputError(str(to), "exists already; name a new folder for the copy")
    to.parent.mkdir(parents=True, exist_ok=True)
    to.mkdir(mode=0o700)
    if file.checkpoints:
        yield f"The checkpoints are not in this copy: back up the database {file.checkpoints} first"
    if file.redis:
        yield f"The messages are not in this copy: back up Redis at {file.redis.url} after it"
    for name in DATABASES:
        if (folder / name).exists():
            _copy_database(folder / name, to / name)
    left_out = {LOCK, BELL} if file.checkpoints or _has_checkpoint(to) else {LOCK, BELL, TRACE}
    for path in sorted(folder.iterdir(), key=lambda path: (path.name == RUN, path.name)):
        if path.is_dir():
            shutil.copytree(path, to / path.name)
        elif path.is_file() and path.name not in left_out and not _of_database(path.name):
            with suppress(FileNotFoundError):  # a temporary file that was renamed meanwhile
                shutil.copy2(path, to / path.name)


def _has_checkpoint(folder: Path) -> bool:
    """Return whether a copy has a checkpoint. A copy without one starts from the beginning."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(folder / CHECKPOINTS)) as database:
        return database.execute("SELECT 1 FROM checkpoints LIMIT 1").fetchone() is not None
    return False


def _of_database(name: str) -> bool:
    """Return whether a file is part of a database, such as its `-wal` and `-shm` files."""
    return name.startswith(DATABASES)


def _copy_database(path: Path, to: Path) -> None:
    try:
        with (
            closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database,
            closing(sqlite3.connect(to)) as copy,
        ):
            database.backup(copy)
    except sqlite3.Error as error:
        raise sqlite_error(path, error) from error
