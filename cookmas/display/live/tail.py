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
from cookmas.episodes.trace_file import TracePart, find_part, iterate_written, read_record
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

    If the trace has more than two parts already, the records before the last two are left out, but
    for the header. `part` is the number of the first part.

    A process that resumes a killed run writes the file again up to its checkpoint, and then usually
    the same lines as before. `follow` does not report that. Only if a line differs, it yields
    `ReplacedRecords` and begins again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._first = _find_last_two(path)
        self._known: deque[str] = deque(maxlen=KNOWN)
        self._told = self._first.record.records if self._first else 0
        self._file: BinaryIO | None = None
        self._inode = 0
        self._chain = Chain()
        self._line = 0

    @property
    def part(self) -> int:
        """Number of the first part."""
        return self._first.record.number if self._first else 0

    async def follow(self) -> AsyncIterator[TailRecord | ReplacedRecords]:
        """Yield all records up to the end of the trace. Raises TraceError if the trace is
        damaged.
        """
        if self._first:
            first, header = next(iterate_written(self._path))
            yield TailRecord(record=header, chain=Chain.continue_after(first).last)
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
        """Open the file at its first part if it is new or has been replaced."""
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
        self._rewind()

    def _rewind(self) -> None:
        """Go to the beginning of the first part."""
        assert self._file
        first = self._first
        self._file.seek(first.place if first else 0)
        self._chain = Chain(first.chain if first else "")
        self._line = first.record.records if first else 0

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
            if self._first and self._line == self._first.record.records:
                return self._begin_again()
            raise TraceError(f"{where}: is damaged: the chain of digests breaks")
        number, self._line = self._line, self._line + 1
        if number < self._told:
            known = number - self._told + len(self._known)
            if known < 0 or self._known[known] == self._chain.last:
                return []
            return self._begin_again()
        self._known.append(self._chain.last)
        self._told += 1
        return [TailRecord(record=read_record(line, where), chain=self._chain.last)]

    def _begin_again(self) -> list[TailRecord | ReplacedRecords]:
        """Go to the first line of a file whose lines have been replaced."""
        self._known.clear()
        self._first, self._told = None, 0
        self._rewind()
        return [ReplacedRecords()]


def _find_last_two(path: Path) -> TracePart | None:
    """Return the last part but one of a trace; None if it is the first, or there is no trace."""
    last = find_part(path, lambda each: True)
    return last and find_part(path, lambda each: each.number == last.record.number - 1)
