"""Reading of trace files: an incomplete last line is ignored, and a damaged file is rejected."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import Field, TypeAdapter, ValidationError

from cookmas.episodes.chain import Chain, split_line
from cookmas.episodes.trace import SCHEMA, AnyRecord, End, Header, StepRecord, Trace
from cookmas.files.errors import MissingError, TraceError
from cookmas.files.reading import open_file
from cookmas.files.wording import describe_error

LONGEST_LINE = 2**26
"""Maximum length of a line, in bytes."""

_RECORD: TypeAdapter[AnyRecord] = TypeAdapter(Annotated[AnyRecord, Field(discriminator="kind")])


def read_trace(path: Path) -> Trace:
    """Return the trace in a file; ignore an incomplete last line, as an unfinished trace may have.

    Raise MissingError if the file does not exist, TraceError at the first damaged line.
    """
    return parse_trace(iterate_whole_lines(path), str(path))


@dataclass(frozen=True)
class WrittenTrace:
    """The content of a trace file."""

    name: str
    """Name of the file."""
    lines: Sequence[str]
    """The complete lines of the file."""

    @cached_property
    def trace(self) -> Trace:
        """The trace. Raise TraceError at the first damaged line."""
        return parse_trace(self.lines, self.name)


class TraceFile:
    """A trace file that is read again only if it has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written: WrittenTrace | None = None
        self._stamp: object = None

    def read(self) -> WrittenTrace:
        """Return the content of the file, and cache it.

        Raise MissingError or TraceError as `iterate_whole_lines` does.
        """
        stamp = self._read_stamp()
        if self._written is None or stamp != self._stamp:
            self._written = WrittenTrace(str(self.path), list(iterate_whole_lines(self.path)))
            self._stamp = stamp
        return self._written

    def hand_over(self) -> WrittenTrace:
        """Return the content of the file, and drop it from the cache, to free the memory.

        Raise MissingError or TraceError as `read` does.
        """
        written = self.read()
        self._written = None
        return written

    def _read_stamp(self) -> object:
        """Return a value that changes if the file changes; None if the file cannot be read."""
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return stat.st_ino, stat.st_size, stat.st_mtime_ns


def iterate_whole_lines(path: Path) -> Iterator[str]:
    """Yield the complete lines of a trace file.

    Raise MissingError if the file does not exist, TraceError if it cannot be read.
    """
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
    """Return the trace that consists of the given lines.

    Raise TraceError at the first line that breaks the digest chain or is not a valid record.
    """
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
    """Return the record in a line of a trace. Raise TraceError if the line is no record."""
    try:
        return _RECORD.validate_json(split_line(line)[0])
    except ValidationError as error:
        problem = describe_error(error.errors()[0])
        raise TraceError(f"{where}: is no trace record ({problem})") from None


def check_order(records: Iterable[AnyRecord], name: str) -> None:
    """Raise TraceError at the first record that is out of order.

    The first record must be the only header, and nothing may follow an end. The timestep of every
    record must be the number of steps before it. The trace may be unfinished.
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
