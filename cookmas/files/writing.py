"""Atomic writing of files under a lease; every error names its file.

The orchestrator sets a guard in a `with` block of `guard_writes`. Within this block each write to a
file, even in other tasks and threads, first asks the guard whether this process may still write.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import IO

from cookmas.files.opening import create_file, permissions_in

DRAFT = ".new"
"""The end of the name of a file that is not finished; a process that is killed leaves it."""

Guard = Callable[[], AbstractContextManager[None]]
"""A function that returns a context manager; a file may be written within its `with` block.

The context manager raises LeaseLostError if this process may no longer write.
"""

_guard: ContextVar[Guard] = ContextVar("guard", default=nullcontext)


@contextmanager
def guard_writes(guard: Guard) -> Iterator[None]:
    """Apply a guard to every write to a file within the `with` block."""
    before = _guard.get()
    _guard.set(guard)
    try:
        yield
    finally:
        _guard.set(before)


@contextmanager
def guard_block(path: Path) -> Iterator[None]:
    """Apply the guard to the `with` block, which writes the file at `path`.

    Raise LeaseLostError if this process may not write. If the block raises OSError, set the file's
    name in the error.
    """
    try:
        with _guard.get()():
            yield
    except OSError as error:
        error.filename = str(path)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text to a file that a user named, which may be a device. Raise OSError."""
    with guard_block(path):
        path.write_text(text, encoding="utf-8", newline="\n")


def write_whole(path: Path, text: str) -> None:
    """Write a text file atomically: a reader sees the old file or the new one. Raise OSError."""
    with open_replacement(path) as draft:
        draft.write(text.encode())


@contextmanager
def open_replacement(path: Path) -> Iterator[IO[bytes]]:
    """Yield a new file that replaces the file at `path` when the block ends.

    If the block raises an error, the old file stays. The new file is on the disk before it replaces
    the old one, so that a loss of power leaves one of them whole; afterwards its name is on the
    disk too. Raise OSError.
    """
    with guard_block(path):
        with replace_file(path) as draft, draft.open("r+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        sync(path.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk. Raise OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Yield the path of a new, empty file, which replaces the file at `path` after the block.

    No other process has this path. If the block raises an error, the old file stays. Raise OSError.
    """
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}{DRAFT}")
    try:
        create_file(draft)
        yield draft
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def make_folder(folder: Path) -> None:
    """Create a folder, and those above it, if there is none; their names are then on the disk.

    Raise OSError.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        for path in reversed(missing):
            path.mkdir(permissions_in(path.parent, 0o777), exist_ok=True)
        if not folder.is_dir():
            raise FileExistsError
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from None
    for path in missing:
        sync(path.parent)


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Create a folder if there is none, and hold it for the block.

    Another process that would hold the folder waits. Drafts that a killed process has left in it
    are removed. The name of a new folder is on the disk. Raise OSError.
    """
    make_folder(folder)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        for draft in folder.glob(f"*.{8 * '?'}{DRAFT}*"):
            draft.unlink()
        yield
    finally:
        os.close(handle)
