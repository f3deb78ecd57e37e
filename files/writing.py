"""Atomic writing of files under a lease; every error names its file.

The orchestrator sets a guard (`guard_writes`). From then on every file that this context writes, in
its tasks and threads too, is written inside a block of the guard.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import IO

Guard = Callable[[], AbstractContextManager[None]]
"""Returns a context in which files may be written. Raises LeaseLostError if they may not be."""

_guard: ContextVar[Guard] = ContextVar("guard", default=nullcontext)


@contextmanager
def guard_writes(guard: Guard) -> Iterator[None]:
    """Apply a guard to every file that is written within this block."""
    before = _guard.get()
    _guard.set(guard)
    try:
        yield
    finally:
        _guard.set(before)


@contextmanager
def guard_block(path: Path) -> Iterator[None]:
    """Apply the guard to the write in this block.

    Raise LeaseLostError if this process may not write. An OSError of the block gets the file's
    name.
    """
    try:
        with _guard.get()():
            yield
    except OSError as error:
        error.filename = str(path)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text to a file that a person named, which may be a device. Raise OSError."""
    with guard_block(path):
        path.write_text(text, encoding="utf-8", newline="\n")


def write_whole(path: Path, text: str, *, durable: bool = False) -> None:
    """Write a text file atomically: a reader sees the old file or the new one. Raise OSError."""
    with open_replacement(path, durable=durable) as draft:
        draft.write(text.encode())


@contextmanager
def open_replacement(path: Path, *, durable: bool = False) -> Iterator[IO[bytes]]:
    """Yield a draft that replaces a file when the block ends; an error keeps the old file.

    The guard applies. If `durable`, the draft is on the disk before it replaces the file. Raise
    OSError.
    """
    with guard_block(path), replace_file(path) as draft, draft.open("wb") as file:
        yield file
        if durable:
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Yield the path of a draft, which the block creates and which replaces a file at its end.

    An error keeps the old file. The guard does not apply. Raise OSError.
    """
    draft = path.with_name(f"{path.name}.new")
    try:
        draft.unlink(missing_ok=True)
        yield draft
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
