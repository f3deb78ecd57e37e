"""Reading of trace files: an incomplete last line is ignored, and a damaged file is rejected."""

from __future__ import annotations

import contextlib
import json
import mmap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import Field, TypeAdapter, ValidationError

from cookmas.episodes.trace import (
    SCHEMA,
    AnyRecord,
    Chain,
    End,
    ForkRecord,
    Header,
    PartRecord,
    StepRecord,
    Trace,
    begin_line,
    split_line,
)
from cookmas.files.errors import MissingError, TraceError
from cookmas.files.opening import open_file
from cookmas.files.wording import describe_error

LONGEST_LINE = 2**26
"""Maximum length of a line, in bytes."""

_FORK, _PART = begin_line("fork"), begin_line("part")

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


def check_format(path: Path) -> None:
    """Raise TraceError if the trace in a file has a format of another version of CookMAS.

    A file that is missing or has no whole line yet has none.
    """
    if path.exists() and (header := next(iterate_whole_lines(path), None)) is not None:
        _check_version(header, str(path))


def iterate_written(path: Path, part: TracePart | None = None) -> Iterator[tuple[str, AnyRecord]]:
    """Yield the complete lines of a trace file with their records, like `iterate_records`.

    With a `part`, yield the header and then the lines from the beginning of the part on.
    """
    if part is None:
        yield from _iterate_written(iterate_whole_lines(path), str(path))
        return
    yield next(_iterate_written(iterate_whole_lines(path), str(path)))
    yield from _iterate_written(iterate_whole_lines(path, part), str(path), part)


@dataclass(frozen=True, slots=True, kw_only=True)
class TracePart:
    """The place of a part in a trace file."""

    record: PartRecord
    place: int
    """The place in the file at which it begins, in bytes."""
    chain: str
    """Digest of the trace before it."""


def find_part(path: Path, fits: Callable[[PartRecord], bool]) -> TracePart | None:
    """Return the last part of a trace file whose record `fits`.

    Return None if there is none, so that the trace has to be read from the beginning, as that of a
    fork has. Raise TraceError if the record of a part is damaged.
    """
    with (
        contextlib.suppress(FileNotFoundError, ValueError),
        open_file(path) as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text,
    ):
        if text.find(b"\n" + _FORK.encode()) >= 0:
            return None
        end = max(text.rfind(b"\n"), 0)
        while (place := text.rfind(b"\n" + _PART.encode(), 0, end)) >= 0:
            line = text[place + 1 : text.find(b"\n", place + 1)].decode()
            before = text[text.rfind(b"\n", 0, place) + 1 : place].decode()
            part = read_record(line, str(path))
            if isinstance(part, PartRecord) and fits(part):
                chain = Chain.continue_after(before).last
                return TracePart(record=part, place=place + 1, chain=chain)
            end = place
    return None


def count_records(path: Path) -> int:
    """Return the number of complete lines of a trace file; 0 if there is none."""
    try:
        with open_file(path) as file:
            return sum(piece.count(b"\n") for piece in iter(lambda: file.read(2**20), b""))
    except FileNotFoundError:
        return 0


def read_forks(path: Path) -> list[ForkRecord]:
    """Return the forks in a trace file. Other records are not read."""
    lines = (line for line in iterate_whole_lines(path) if line.startswith(_FORK))
    forks = (read_record(line, str(path)) for line in lines)
    return [fork for fork in forks if isinstance(fork, ForkRecord)]


def count_to_fork(path: Path) -> int:
    """Return the number of lines up to and including the last fork; 0 without a fork or a trace."""
    with contextlib.suppress(MissingError):
        numbered = enumerate(iterate_whole_lines(path), start=1)
        return max((number for number, line in numbered if line.startswith(_FORK)), default=0)
    return 0


def read_end(path: Path) -> End | None:
    """Return the record with which the trace in a file ends; None if it does not end or is damaged.

    Only the last lines of the file are read.
    """
    try:
        with (
            open_file(path) as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text,
        ):
            end = len(text) - 1
            line = text[text.rfind(b"\n", 0, end) + 1 : end]
            last = read_record(line.decode(), str(path)) if text[end:] == b"\n" else None
    except (OSError, ValueError, TraceError):
        return None
    return last if isinstance(last, End) else None


def iterate_whole_lines(path: Path, part: TracePart | None = None) -> Iterator[str]:
    """Yield the complete lines of a trace file, by default from the first line on.

    Raise MissingError if the file does not exist, TraceError if it cannot be read.
    """
    try:
        with open_file(path) as file:
            file.seek(part.place if part else 0)
            for line_number in count(part.record.records + 1 if part else 1):
                line = _line(file, f"{path}, line {line_number}")
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


def _iterate_written(
    lines: Iterable[str], name: str, part: TracePart | None = None
) -> Iterator[tuple[str, AnyRecord]]:
    chain = Chain(part.chain if part else "")
    order = RecordOrder(name, part.record if part else None)
    for line_number, line in enumerate(lines, start=part.record.records + 1 if part else 1):
        where = f"{name}, line {line_number}"
        if line_number == 1:
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
    marks = {"\ufeff": "begins with a byte order mark", "\r": "has Windows line ends"}
    for mark, what in marks.items():
        if line.startswith(mark) or line.endswith(mark):
            raise TraceError(
                f"{name}: {what}, which the program that copied it has added; copy it as it is (in "
                "git: -text in .gitattributes)"
            )
    try:
        version = json.loads(line)["schema_version"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise TraceError(f"{name}: is no trace, the first line should be its header") from None
    if version != SCHEMA:
        raise TraceError(
            f"{name}: has trace format {version}, and this version of CookMAS reads {SCHEMA}; "
            "continue with the version that made it"
        )


def read_record(line: str, where: str) -> AnyRecord:
    """Return the record in a line of a trace. Raise TraceError if the line is no record."""
    try:
        return _RECORD.validate_json(split_line(line)[0])
    except ValidationError as error:
        problem = describe_error(error, AnyRecord)
        raise TraceError(f"{where}: is no trace record ({problem})") from None


class RecordOrder:
    """Checks that the records of a trace are in order; `name` names the trace in errors.

    The first record must be the only header, and nothing may follow an end. The timestep of every
    record must be the number of steps before it. The trace may be unfinished. With a `part`, its
    record comes first.
    """

    def __init__(self, name: str, part: PartRecord | None = None) -> None:
        self._name = name
        self._timestep = part.timestep if part else 0
        self._number = part.records if part else 0
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
