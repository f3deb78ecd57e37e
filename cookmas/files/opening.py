"""Opening of files: regular ones alone, with the permissions of their folder, and locked.

Whatever the umask, only its owner can use a file that is created in a private folder. A process
holds a lock until it ends, even while it is paused.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""The permissions of everybody but the owner."""


def open_file(path: Path) -> BinaryIO:
    """Open a regular file for reading.

    Raise OSError if the file cannot be opened, or is a folder, a pipe or a device. To open a pipe
    without a writer would block forever, and the data of a device may never end.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        what = "a folder" if stat.S_ISDIR(mode) else "a pipe or a device"
        raise OSError(errno.EINVAL, f"is no file, but {what}", str(path))
    return os.fdopen(handle, "rb")


def permissions_in(folder: Path, usual: int = 0o666) -> int:
    """Return the permissions of a new file in a folder, before the umask is applied.

    They are the `usual` ones, in a private folder only those of the owner. Raise OSError.
    """
    return usual if folder.stat().st_mode & OTHERS else usual & ~OTHERS


def create_file(path: Path) -> None:
    """Create an empty file with the permissions of its folder.

    Raise FileExistsError if there is one, or another OSError.
    """
    path.touch(permissions_in(path.parent), exist_ok=False)


def opener(path: str, flags: int) -> int:
    """Open a file as `open` does, but create it with the permissions of its folder."""
    return os.open(path, flags, permissions_in(Path(path).parent))


def make_private(folder: Path) -> bool:
    """Withdraw the permissions of others on a folder and on everything in it.

    Links are not followed. Return whether others had any. Raise OSError.
    """
    was_private = True
    for path in _paths(folder):
        with suppress(FileNotFoundError):  # Another process has removed it meanwhile.
            mode = stat.S_IMODE(path.lstat().st_mode)
            if mode & OTHERS:
                was_private = False
                path.chmod(mode & ~OTHERS)
    return not was_private


def _paths(folder: Path) -> Iterator[Path]:
    """Yield a folder, then the files and folders in it, without links."""
    yield folder
    for within, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(within, name)
            if not path.is_symlink():
                yield path


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
