"""Reading of trace files: of unfinished ones the whole lines; damaged ones are rejected."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import Field, TypeAdapter, ValidationError

from episodes.chain import Chain, split_line
from episodes.trace import SCHEMA, AnyRecord, End, Header, StepRecord, Trace
from files.errors import MissingError, TraceError
from files.reading import open_file

LONGEST_LINE = 2**26
"""Maximum length of a line, in bytes."""

_RECORD: TypeAdapter[AnyRecord] = TypeAdapter(Annotated[AnyRecord, Field(discriminator="kind")])


def read_trace(path: Path) -> Trace:
    """Read a trace file. Of an unfinished trace an incomplete last line is ignored.

    Raise MissingError if the file does not exist, TraceError with the first damaged line.
    """
    return parse_trace(iterate_whole_lines(path), str(path))


@dataclass(frozen=True)
class WrittenTrace:
    """The content of a trace's file."""

    name: str
    """Name of the file."""
    lines: Sequence[str]
    """Its complete lines."""

    @cached_property
    def trace(self) -> Trace:
        """The trace. Raises TraceError with the line at which it is damaged."""
        return parse_trace(self.lines, self.name)


class TraceFile:
    """A trace's file, which is read again only if it has been changed since."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written: WrittenTrace | None = None
        self._stamp: object = None

    def read(self) -> WrittenTrace:
        """Return what is written, and keep it. Raises MissingError or TraceError."""
        stamp = self._read_stamp()
        if self._written is None or stamp != self._stamp:
            self._written = WrittenTrace(str(self.path), list(iterate_whole_lines(self.path)))
            self._stamp = stamp
        return self._written

    def hand_over(self) -> WrittenTrace:
        """Return what is written, and keep it no longer. Raises MissingError or TraceError."""
        written = self.read()
        self._written = None
        return written

    def _read_stamp(self) -> object:
        """Return what changes when the file does."""
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return stat.st_ino, stat.st_size, stat.st_mtime_ns


def iterate_whole_lines(path: Path) -> Iterator[str]:
    """Yield the complete lines of a trace file. Raise MissingError or TraceError."""
    number = 0
    try:
        with open_file(path) as file:
            for number in count(1):
                line = _line(file, f"{path}, line {number}")
                if line is None:
                    return
                yield line
    except FileNotFoundError:
        raise MissingError(f"{path}: there is no such trace") from None
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error.strerror})") from None


def _line(file: BinaryIO, where: str) -> str | None:
    line = file.readline(LONGEST_LINE + 1)
    if not line.endswith(b"\n"):
        if len(line) > LONGEST_LINE:
            raise TraceError(f"{where}: is longer than {LONGEST_LINE} bytes and no trace record")
        return None
    try:
        return line[:-1].decode()
    except UnicodeDecodeError:
        raise TraceError(f"{where}: is damaged or no trace record (no UTF-8)") from None


def parse_trace(lines: Iterable[str], name: str) -> Trace:
    """Return the trace in some lines. Raise TraceError at the first line that breaks the chain."""
    chain = Chain()
    records: list[AnyRecord] = []
    for number, line in enumerate(lines, start=1):
        where = f"{name}, line {number}"
        if number == 1:
            _check_version(line, name)
        if not chain.takes(line):
            raise TraceError(
                f"{where}: is damaged: the chain of digests breaks, so nothing of it is used"
            )
        records.append(read_record(line, where))
    check_order(records, name)
    return Trace(tuple(records))


def _check_version(line: str, name: str) -> None:
    try:
        version = json.loads(line)["schema_version"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise TraceError(f"{name}: is no trace, the first line should be its header") from None
    if version != SCHEMA:
        raise TraceError(f"{name}: has trace format {version}; this version reads {SCHEMA}")


def read_record(line: str, where: str) -> AnyRecord:
    """Return the record in a line of a trace. Raise TraceError if it is none."""
    try:
        return _RECORD.validate_json(split_line(line)[0])
    except ValidationError as error:
        problem = error.errors()[0]["msg"]
        raise TraceError(f"{where}: is no trace record ({problem})") from None


def check_order(records: Iterable[AnyRecord], name: str) -> None:
    """Raise TraceError at the first record that cannot stand where it does.

    The first record is the header, and nothing follows an end. Every record has the timestep that
    follows from the steps before it. A trace need not be complete.
    """
    timestep = number = 0
    ended = False
    for number, record in enumerate(records, start=1):
        where = f"{name}, line {number}"
        if isinstance(record, Header) != (number == 1):
            wrong = "is no header" if number == 1 else "is a second header"
            raise TraceError(f"{where}: {wrong}; a trace has one, as its first line")
        if isinstance(record, Header):
            continue
        if ended:
            raise TraceError(f"{where}: comes after the end of the trace")
        if record.timestep != timestep:
            raise TraceError(
                f"{where}: is of timestep {record.timestep}, where {timestep} is expected"
            )
        timestep += isinstance(record, StepRecord)
        ended = isinstance(record, End)
    if not number:
        raise TraceError(f"{name}: has no whole line; it is no trace, or one that has just begun")
