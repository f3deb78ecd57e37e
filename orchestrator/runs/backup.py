"""Backup of a run's folder while the run is played. The copy can be resumed."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from cookmas.files.errors import InputError, sqlite_error
from cookmas.files.opening import create_file
from cookmas.files.writing import DRAFT, hold_folder, sync
from cookmas.mailboxes.sqlite.file import BELL, MAILBOX
from cookmas.orchestrator.runs.folder import CHECKPOINTS, TRACE, read_run
from cookmas.orchestrator.runs.lease import LOCK
from cookmas.workers.wires import WORKERS

EXISTS = "exists already; name a new folder for the copy"

DATABASES = (CHECKPOINTS, MAILBOX)
"""The databases in the order in which they are copied.

The mailbox is copied after the checkpoints: a message that a copied checkpoint has taken must not
still wait in the copied mailbox. The trace is copied after both, since the trace must reach at
least as far as every checkpoint.
"""


def back_up(folder: Path, to: Path) -> Iterator[str]:
    """Copy the run in a folder; yield a sentence for each part of the run that is stored elsewhere.

    `to` becomes a new folder that only its owner can read, because it has the token of the house,
    which is the episode's owner. It appears when the copy is complete and on the disk. Until then
    the copy is beside it, under the name of `to` and DRAFT; a copy that was interrupted there is
    begun again.

    Raises MissingError if there is no run, InputError if `to` exists or is within the run, OSError
    if `to` cannot be written, and InfrastructureError if a database cannot be read.
    """
    file = read_run(folder)
    if folder.resolve() in to.resolve().parents:
        raise InputError(str(to), "is within the run; name a folder outside it for the copy")
    if to.exists():
        raise InputError(str(to), EXISTS)
    if file.checkpoints:
        yield f"The checkpoints are not in this copy: back up the database {file.checkpoints} first"
    if file.redis:
        yield f"The messages are not in this copy: back up Redis at {file.redis.url} after it"
    draft = to.with_name(f"{to.name}{DRAFT}")
    with hold_folder(draft):
        if to.exists():
            with suppress(OSError):  # It is the draft of the other process, renamed meanwhile.
                draft.rmdir()
            raise InputError(str(to), EXISTS)
        with _name_target(to):
            _copy(folder, draft, keeps_trace=file.checkpoints is not None)
            _sync_all(draft)
            draft.rename(to)
            sync(to.parent)


def _copy(folder: Path, to: Path, *, keeps_trace: bool) -> None:
    """Copy a run into a folder, whose content is removed first.

    The copy has the trace only if it has a checkpoint, or if it `keeps_trace` in any case.
    """
    to.chmod(0o700)
    for path in to.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in DATABASES:
        if (folder / name).exists():
            _copy_database(folder / name, to / name)
    left_out = {LOCK, BELL} if keeps_trace or _has_checkpoint(to) else {LOCK, BELL, TRACE}
    for path in sorted(folder.iterdir()):
        if path.name == WORKERS:
            continue
        if path.is_dir():
            shutil.copytree(path, to / path.name)
        elif path.is_file() and path.name not in left_out and not _of_database(path.name):
            with suppress(FileNotFoundError):  # A draft that has become a file meanwhile.
                shutil.copy2(path, to / path.name)


@contextmanager
def _name_target(to: Path) -> Iterator[None]:
    """Name the target of the copy in an error that it has no room left."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            error.filename, error.filename2 = str(to), None
        raise


def _sync_all(folder: Path) -> None:
    for within, _, names in os.walk(folder):
        for name in names:
            sync(Path(within, name))
        sync(Path(within))


def _has_checkpoint(folder: Path) -> bool:
    """Return whether a copy has a checkpoint. A copy without one starts from the beginning."""
    path = folder / CHECKPOINTS
    if not path.exists():
        return False
    table = "SELECT 1 FROM sqlite_master WHERE name = 'checkpoints'"
    queries = (table, "SELECT 1 FROM checkpoints LIMIT 1")
    try:
        with closing(sqlite3.connect(path)) as database:
            return all(database.execute(each).fetchone() is not None for each in queries)
    except sqlite3.Error as error:
        raise sqlite_error(path, error) from error


def _of_database(name: str) -> bool:
    """Return whether a file is part of a database, such as its `-wal` and `-shm` files."""
    return name.startswith(DATABASES)


def _copy_database(path: Path, to: Path) -> None:
    create_file(to)
    try:
        with (
            closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database,
            closing(sqlite3.connect(to)) as copy,
        ):
            database.backup(copy)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise sqlite_error(path, error) from error
