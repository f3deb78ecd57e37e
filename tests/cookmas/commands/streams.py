"""Commands whose standard streams are closed, lost or full."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import pytest

from cookmas.commands.cli import app
from tests.warm import COOKMAS, ROOT, Warm

HERE = {"PYTHONPATH": str(ROOT), "PATH": "", "TERM": "dumb"}

WITHOUT = f"""
import os, sys
for name in sys.argv.pop(1).split():
    os.close(getattr(sys, name).fileno())
    setattr(sys, name, None)
{COOKMAS}
"""
"""`cookmas` without the streams that its first argument names, as Python starts without them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What is left of a command: its exit code, and what it wrote to the streams that it had."""

    code: int | str | None
    out: str = ""
    errors: str = ""


def _closed() -> int:
    """Return what a closed stdout becomes: a file that cannot be written."""
    return os.open(os.devnull, os.O_RDONLY)


def _read_by_nobody() -> int:
    """Return the writing end of a pipe whose reader is gone."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def _full() -> int:
    """Return a file on a full disk."""
    return os.open("/dev/full", os.O_WRONLY)


STREAMS: Mapping[str, Callable[[], int]] = {
    "closed": _closed,
    "read by nobody": _read_by_nobody,
    "full": _full,
}


@contextlib.contextmanager
def _stream(kind: str | None, path: Path, buffering: int) -> Iterator[TextIO]:
    """Yield a stream of a kind of STREAMS, or one that is written to the file `path`.

    What is left in it is written at the end, as Python does; that must not fail.
    """
    file = STREAMS[kind]() if kind else os.open(path, os.O_WRONLY | os.O_CREAT)
    stream = os.fdopen(file, "w", encoding="utf-8", buffering=buffering)
    with stream:
        yield stream


def call(*arguments: str, stdout: str | None = None, stderr: str | None = None) -> Ended:
    """Run a command in this process and this folder, with streams of the kinds of STREAMS."""
    out, errors = Path("stdout.txt"), Path("stderr.txt")
    with (
        _stream(stdout, out, -1) as written,
        _stream(stderr, errors, 1) as told,
        open(os.devnull, encoding="utf-8") as nothing,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("sys.stdin", nothing)
        patch.setattr("sys.stdout", written)
        patch.setattr("sys.stderr", told)
        with pytest.raises(SystemExit) as ended:
            app(arguments, prog_name="cookmas")
    said = (path.read_text(encoding="utf-8") if path.exists() else "" for path in (out, errors))
    return Ended(code=ended.value.code or 0, out=next(said), errors=next(said))


def begin(*arguments: str, cwd: Path, out: int, without: str = "") -> Warm[str]:
    """Start a command whose stdout is the file `out`, without the named streams."""
    with (cwd / "stderr.txt").open("ab") as errors:
        return Warm[str](
            (WITHOUT, without, *arguments),
            cwd=cwd,
            env=HERE,
            stdin=-3,
            stdout=out,
            stderr=errors.fileno(),
            text=True,
        )
