"""Writing files: whole or not at all, under a lease, and an error says which file it is about.

Whoever plays a run sets a guard (`guarded_by`), and every file that is written from then on in this
context, in its tasks and threads too, is written within it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import IO

Guard = Callable[[], AbstractContextManager[None]]
"""Gives a block in which files may be written. Raises LeaseLostError where they may not."""

_guard: ContextVar[Guard] = ContextVar("guard", default=nullcontext)


@contextmanager
def guarded_by(guard: Guard) -> Iterator[None]:
    """Write files within the blocks of a guard, as long as this block lasts."""
    before = _guard.get()
    _guard.set(guard)
    try:
        yield
    finally:
        _guard.set(before)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Write a file within the block.

    Raises LeaseLostError if this process may not write; an OSError of the block is about the file.
    """
    try:
        with _guard.get()():
            yield
    except OSError as error:
        error.filename = str(path)
        raise


def write_text(path: Path, text: str) -> None:
    """Write to a file that a person named, which may be a device. Raises OSError."""
    with writing(path):
        path.write_text(text, encoding="utf-8", newline="\n")


def write_whole(path: Path, text: str, *, durable: bool = False) -> None:
    """Write a file in one go, so that it is never there by half. Raises OSError."""
    with replacing(path, durable=durable) as draft:
        draft.write(text.encode())


@contextmanager
def replacing(path: Path, *, durable: bool = False) -> Iterator[IO[bytes]]:
    """Let what the block writes take a file's place at its end; after an error nothing does.

    If `durable`, it is on the disk before it does. Raises OSError.
    """
    draft = path.with_name(f"{path.name}.new")
    with writing(path):
        try:
            with draft.open("wb") as file:
                yield file
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(draft, path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
