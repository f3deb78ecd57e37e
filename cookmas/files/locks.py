"""Locks of files, which a process holds until it ends, even while it is paused."""

from __future__ import annotations

import fcntl
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from cookmas.files.private import create_file
from cookmas.files.reading import open_file


def lock_file(path: Path) -> BinaryIO | None:
    """Lock the file at a path and return it; None if another process has the lock.

    The file is created if there is none. Raise OSError.
    """
    with suppress(FileExistsError):
        create_file(path)
    file = open_file(path)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if isinstance(error, BlockingIOError):
            return None
        raise
    return file


def is_locked(path: Path) -> bool:
    """Return whether a process on this machine has the lock of the file at a path."""
    try:
        file = open_file(path)
    except FileNotFoundError:
        return False
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
