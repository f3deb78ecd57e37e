"""Reading a trace while it is written, perhaps by another process that is killed meanwhile."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from episodes.chain import Chain
from episodes.trace import AnyRecord, End
from episodes.trace_file import read_record
from files.errors import TraceError
from files.reading import open_file

PAUSE = 0.1
"""Seconds after which is looked again for what has been written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TailRecord:
    """A record with its digest."""

    record: AnyRecord
    """The record."""
    chain: str
    """Digest of the trace up to the record."""


class Again:
    """What was read before has been replaced: the trace begins again."""


class Tail:
    """The records of a growing trace, from the first to the last. A process that resumes a killed
    run writes the file again, cut off after its checkpoint, and then usually the same lines. This
    is not reported; only if a line differs, the trace begins again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: list[str] = []
        self._file: BinaryIO | None = None
        self._inode = 0
        self._chain = Chain()
        self._line = 0

    async def follow(self) -> AsyncIterator[TailRecord | Again]:
        """Yield all records up to the end of the trace. Raises TraceError if it is damaged."""
        try:
            while True:
                self._reopen()
                while line := self._next_line():
                    for told in self._take(line):
                        yield told
                        if isinstance(told, TailRecord) and isinstance(told.record, End):
                            return
                await asyncio.sleep(PAUSE)
        finally:
            if self._file:
                self._file.close()

    def _reopen(self) -> None:
        """Begin at the first line if the file is another one than before."""
        try:
            inode = os.stat(self._path).st_ino
            if self._file and inode == self._inode:
                return
            file = open_file(self._path)
        except FileNotFoundError:
            return
        if self._file:
            self._file.close()
        self._file, self._inode = file, os.fstat(file.fileno()).st_ino
        self._chain, self._line = Chain(), 0

    def _next_line(self) -> str | None:
        """Return the next line if it is complete."""
        if self._file is None:
            return None
        here = self._file.tell()
        line = self._file.readline()
        if not line.endswith(b"\n"):
            self._file.seek(here)
            return None
        return line[:-1].decode(errors="replace")

    def _take(self, line: str) -> list[TailRecord | Again]:
        where = f"{self._path}, line {self._line + 1}"
        if not self._chain.takes(line):
            raise TraceError(f"{where}: is damaged: the chain of digests breaks")
        number, self._line = self._line, self._line + 1
        if number < len(self._known):
            if self._known[number] == self._chain.last:
                return []
            self._known, self._line = [], 0
            self._chain = Chain()
            assert self._file
            self._file.seek(0)
            return [Again()]
        self._known.append(self._chain.last)
        return [TailRecord(record=read_record(line, where), chain=self._chain.last)]
