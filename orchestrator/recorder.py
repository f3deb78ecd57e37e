"""The recorder: writes the trace, line by line, while the episode runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from episodes.errors import TraceError
from episodes.trace import AnyRecord, ModelCall, Trace, parse_trace, to_line
from orchestrator.models.budget import NOTHING_SPENT, Spent


class Recorder:
    """Takes the records of one episode; each is with the operating system before the next comes.

    Without a path the trace is kept in memory only.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._records: list[AnyRecord] = []
        self._spent = NOTHING_SPENT
        self._file: TextIO | None = path.open("w", encoding="utf-8", newline="\n") if path else None

    @classmethod
    def reopened(cls, path: Path, records: int) -> Recorder:
        """Go on after the first `records` lines of a trace; what comes after them is cut off.

        Raises TraceError if the trace has fewer lines.
        """
        lines = _whole_lines(path)
        if len(lines) < records:
            raise TraceError(f"{path}: has {len(lines)} lines, the checkpoint expects {records}")
        kept = lines[:records]
        recorder = cls()
        trace = parse_trace(kept, str(path))
        recorder._records = list(trace.records)
        recorder._spent = Spent.by(trace.of(ModelCall))
        recorder._file = path.open("r+", encoding="utf-8", newline="\n")
        recorder._file.truncate(sum(len(line.encode()) for line in kept))
        recorder._file.seek(0, 2)
        return recorder

    @property
    def count(self) -> int:
        """How many records there are."""
        return len(self._records)

    @property
    def spent(self) -> Spent:
        """What has been spent on models so far."""
        return self._spent

    def append(self, record: AnyRecord) -> None:
        """Add a record to the trace."""
        self._records.append(record)
        if isinstance(record, ModelCall):
            self._spent = self._spent.plus(record.usage)
        if self._file:
            self._file.write(to_line(record) + "\n")
            self._file.flush()

    def since(self, count: int) -> Sequence[AnyRecord]:
        """The records after the first `count`."""
        return self._records[count:]

    def trace(self) -> Trace:
        """The trace so far."""
        return Trace(tuple(self._records))

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()
            self._file = None


def read_written(path: Path) -> Trace:
    """A trace that may break off, without a last line that was torn. Raises TraceError."""
    return parse_trace(_whole_lines(path), str(path))


def _whole_lines(path: Path) -> list[str]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error})") from None
    whole = data[: data.rfind(b"\n") + 1]
    return [line.decode() for line in whole.splitlines(keepends=True)]
