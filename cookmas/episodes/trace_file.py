"""Reading of trace files: an incomplete last line is ignored, and a damaged file is rejected."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import Field, TypeAdapter, ValidationError

from cookmas.episodes.chain import Chain, split_line
from cookmas.episodes.trace import (
    SCHEMA,
    AnyRecord,
    End,
    ForkRecord,
    Header,
    StepRecord,
    Trace,
    begin_line,
)
from cookmas.files.errors import MissingError, TraceError
from cookmas.files.reading import open_file
from cookmas.files.wording import describe_error

LONGEST_LINE = 2**26
"""Maximum length of a line, in bytes."""

_FORK = begin_line("fork")

_RECORD: TypeAdapter[AnyRecord] = TypeAdapter(Annotated[AnyRecord, Field(discriminator="kind")])


def read_trace(path: Path) -> Trace:
    """Return the trace in a file; ignore an incomplete last line, as an unfinished trace may have.

    Raise MissingError if the file does not exist, TraceError at the first damaged line.
    """
    return Trace(tuple(iterate_records(path)))


def iterate_records(path: Path) -> Iterator[AnyRecord]:
    """Yield the records of the complete lines of a trace file.

    Raise MissingError if the file does not exist, TraceError at the first damaged line.
    """
    return (record for _, record in iterate_written(path))


def iterate_written(path: Path) -> Iterator[tuple[str, AnyRecord]]:
    """Yield the complete lines of a trace file with their records, like `iterate_records`."""
    return _iterate_written(iterate_whole_lines(path), str(path))


def read_forks(path: Path) -> list[ForkRecord]:
    """Return the forks in a trace file. Other records are not read."""
    lines = (line for line in iterate_whole_lines(path) if line.startswith(_FORK))
    forks = (read_record(line, str(path)) for line in lines)
    return [fork for fork in forks if isinstance(fork, ForkRecord)]


def read_end(path: Path) -> End | None:
    """Return the record with which the trace in a file ends; None if it does not end or is damaged.

    Only the last lines of the file are read.
    """
    try:
        with open_file(path) as file:
            file.seek(max(0, path.stat().st_size - LONGEST_LINE))
            *_, line, rest = file.read().rsplit(b"\n", 2)
        last = read_record(line.decode(), str(path))
    except (OSError, ValueError, TraceError):
        return None
    return last if isinstance(last, End) and not rest else None


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
    return Trace(tuple(record for _, record in _iterate_written(lines, name)))


def _iterate_written(lines: Iterable[str], name: str) -> Iterator[tuple[str, AnyRecord]]:
    chain = Chain()
    order = RecordOrder(name)
    for number, line in enumerate(lines, start=1):
        where = f"{name}, line {number}"
        if number == 1:
            _check_version(line, name)
        if not chain.takes(line):
            raise TraceError(
                f"{where}: is damaged: the chain of digests breaks, so nothing of it is used"
            )
        record = read_record(line, where)
        order.take(record)
        yield line, record
    order.check_begun()


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


class RecordOrder:
    """Checks that the records of a trace are in order; `name` names the trace in errors.

    The first record must be the only header, and nothing may follow an end. The timestep of every
    record must be the number of steps before it. The trace may be unfinished.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._timestep = self._number = 0
        self._ended = False

    def take(self, record: AnyRecord) -> None:
        """Take the next record. Raise TraceError if it is out of order."""
        self._number += 1
        where = f"{self._name}, line {self._number}"
        if isinstance(record, Header) != (self._number == 1):
            wrong = "is no header" if self._number == 1 else "is a second header"
            raise TraceError(f"{where}: {wrong}; a trace has one, as its first line")
        if isinstance(record, Header):
            return
        if self._ended:
            raise TraceError(f"{where}: comes after the end of the trace")
        if record.timestep != self._timestep:
            raise TraceError(
                f"{where}: is of timestep {record.timestep}, where {self._timestep} is expected"
            )
        self._timestep += isinstance(record, StepRecord)
        self._ended = isinstance(record, End)

    def check_begun(self) -> None:
        """Raise TraceError if there was no record."""
        if not self._number:
            raise TraceError(
                f"{self._name}: has no whole line; it is no trace, or one that has just begun"
            )


def check_order(records: Iterable[AnyRecord], name: str) -> None:
    """Raise TraceError at the first record that is out of order, as `RecordOrder` does."""
    order = RecordOrder(name)
    for record in records:
        order.take(record)
    order.check_begun()
