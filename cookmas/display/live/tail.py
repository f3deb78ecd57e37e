"""Reading a trace while it is written. The process that writes it may be killed meanwhile."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from cookmas.episodes.chain import Chain
from cookmas.episodes.trace import AnyRecord, End
from cookmas.episodes.trace_file import read_record
from cookmas.files.errors import TraceError
from cookmas.files.reading import open_file

PAUSE = 0.1
"""Seconds between two looks for new lines in the file."""

KNOWN = 4096
"""Maximum number of last lines that are known by their digests.

The digest of a line covers all lines before it, so those need no comparison of their own.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TailRecord:
    """A record of the trace, with the digest of the trace up to it."""

    record: AnyRecord
    """The record."""
    chain: str
    """Digest of the trace up to the record."""


class ReplacedRecords:
    """Says that lines read before have been replaced: the records begin again with the first."""


class Tail:
    """The records of a growing trace, from the first to the last.

    A process that resumes a killed run writes the file again up to its checkpoint, and then usually
    the same lines as before. `follow` does not report that. Only if a line differs, it yields
    `ReplacedRecords` and begins again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: deque[str] = deque(maxlen=KNOWN)
        self._told = 0
        self._file: BinaryIO | None = None
        self._inode = 0
        self._chain = Chain()
        self._line = 0

    async def follow(self) -> AsyncIterator[TailRecord | ReplacedRecords]:
        """Yield all records up to the end of the trace. Raises TraceError if the trace is
        damaged.
        """
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
        """Open the file at its first line if it is new or has been replaced."""
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
        """Return the next line; None if it is not complete yet."""
        if self._file is None:
            return None
        here = self._file.tell()
        line = self._file.readline()
        if not line.endswith(b"\n"):
            self._file.seek(here)
            return None
        return line[:-1].decode(errors="replace")

    def _take(self, line: str) -> list[TailRecord | ReplacedRecords]:
        where = f"{self._path}, line {self._line + 1}"
        if not self._chain.takes(line):
            raise TraceError(f"{where}: is damaged: the chain of digests breaks")
        number, self._line = self._line, self._line + 1
        if number < self._told:
            known = number - self._told + len(self._known)
            if known < 0 or self._known[known] == self._chain.last:
                return []
            self._known.clear()
            self._told = self._line = 0
            self._chain = Chain()
            assert self._file
            self._file.seek(0)
            return [ReplacedRecords()]
        self._known.append(self._chain.last)
        self._told += 1
        return [TailRecord(record=read_record(line, where), chain=self._chain.last)]
