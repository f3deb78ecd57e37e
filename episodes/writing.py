"""Writing files: whole or not at all, and an error says which file could not be written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Within a block an OSError is about this file."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def write_text(path: Path, text: str) -> None:
    """Write to a file that a person named, which may be a device. Raises OSError."""
    with naming(path):
        path.write_text(text, encoding="utf-8", newline="\n")


def write_whole(path: Path, text: str) -> None:
    """Write a file in one go, so that it is never there by half. Raises OSError."""
    draft = path.with_suffix(".new")
    with naming(path):
        try:
            draft.write_text(text, encoding="utf-8", newline="\n")
            os.replace(draft, path)
        except OSError:
            draft.unlink(missing_ok=True)
            raise
