"""The calls of a process that touch the files of one folder, as a preloaded library records them.

The library `calls.c` sees every call of the C library, so also those of SQLite. Some processes do
not make their calls through it; CookMAS has none of these.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.warm import ROOT

COMPILER = shutil.which("cc") or shutil.which("gcc")

MISSING = "no C compiler: the faults of single calls are not tried (apt-get install gcc libc6-dev)"

_PART_OF_DRAFT = re.compile(r"\.[0-9a-f]{8}\.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that has succeeded."""

    kind: str
    """What it did: write, sync, rename, ..., as in `calls.c`."""
    path: str
    """The file, relative to the folder."""
    other: str = ""
    """The new name after a rename."""
    offset: int = 0
    """Where it wrote, or the new size, in bytes."""
    data: bytes = b""
    """What it wrote."""

    @property
    def pattern(self) -> str:
        """A pattern for the names of such files: names of drafts are random."""
        return _PART_OF_DRAFT.sub(f".{8 * '?'}.", self.path)


@functools.cache
def library() -> Path:
    """Compile the library, and return its path."""
    assert COMPILER, MISSING
    folder = Path(tempfile.mkdtemp(prefix="calls-"))
    made = folder / "calls.so"
    source = Path(__file__).with_name("calls.c")
    subprocess.run(
        [COMPILER, "-O1", "-w", "-fPIC", "-shared", "-o", made, source, "-ldl", "-lpthread"],
        check=True,
    )
    return made


def watch(folder: Path, log: Path | None = None, fault: str | None = None) -> dict[str, str]:
    """Return the environment of a process whose calls in a folder are recorded in `log`.

    `fault` is what happens to one of them, as in `calls.c`.
    """
    count = folder.with_name(f"{folder.name}.count")
    count.write_bytes(bytes(8))
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TERM": "dumb",
        "COLUMNS": "100",
        "LD_PRELOAD": str(library()),
        "COOKMAS_CALLS_FOLDER": str(folder.resolve()),
        "COOKMAS_CALLS_COUNT": str(count),
    }
    if log:
        log.touch()
        environment["COOKMAS_CALLS_LOG"] = str(log)
    if fault:
        environment["COOKMAS_CALLS_FAULT"] = fault
    return environment


def read_calls(log: Path) -> Iterator[Call]:
    """Yield the calls in a log, in the order in which they returned."""
    with log.open("rb") as file:
        for line in file:
            kind, path, other, offset, size = line.decode().rstrip("\n").split("\t")
            data = file.read(int(size))
            yield Call(kind=kind, path=path, other=other, offset=int(offset), data=data)
