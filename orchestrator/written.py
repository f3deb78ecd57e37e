"""The reading of a trace, line by line, for an episode that continues.

The trace of an open episode may be larger than the memory, so it is never held as a whole.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from itertools import islice
from pathlib import Path

from cookmas.episodes.trace import (
    AnyRecord,
    End,
    EventRecord,
    ForkRecord,
    Header,
    StepRecord,
    begin_line,
)
from cookmas.episodes.trace_file import find_part, iterate_whole_lines, iterate_written, read_end
from cookmas.files.errors import MissingError, TraceError
from cookmas.orchestrator.graph.recorder import Batch, Recorder

ANSWERED_AGAIN = 1000
"""Number of last messages whose senders are told the outcome again.

A process that was killed after a checkpoint may not have told them. It had told all earlier ones
before that checkpoint.
"""

AT_ONCE = 500
"""Maximum number of records in a batch."""

_SUPERSTEP = begin_line("superstep")


class WrittenTrace:
    """A trace that was written before, up to the record from which its episode continues.

    The episode continues after `count` records. An episode that is over keeps all its records,
    unless an infrastructure error has ended it after that record. `read` reads the trace in
    batches; the attributes are complete when it returns nothing. Of an open episode only the last
    part is read, or the last two: the header, and then the records from the beginning of the part.
    """

    header: Header
    """The header."""

    def __init__(self, path: Path, count: int) -> None:
        end = read_end(path)
        whole = end is not None and not end.interrupted
        part = (
            None if whole else find_part(path, lambda each: each.records <= count - ANSWERED_AGAIN)
        )
        self._path = path
        self._written = iterate_written(path, part)
        self._end = end
        self._count = count
        self._kept = None if whole else count
        self._number = part.record.records if part else 0
        self.recorder = Recorder.of_written(path, part)
        """The recorder that continues the trace after it has been reopened."""
        self.timesteps = part.record.timestep if part else 0
        """Number of steps among the records that stay."""
        self.fork: ForkRecord | None = None
        """The last fork among them; None if there is none."""
        self.messages: deque[EventRecord] = deque(maxlen=ANSWERED_AGAIN)
        """The last messages among them."""
        self.later: list[EventRecord] = []
        """The events among the records that do not stay."""

    @property
    def end(self) -> End | None:
        """The record that ends the episode; None if the episode goes on."""
        return self._end if self._kept is None or self._number == self._kept else None

    def read(self) -> Batch:
        """Return the next records that stay, at most AT_ONCE; none at the end.

        Raise MissingError, or TraceError if the file is damaged or ends before `count` records.
        """
        batch: list[AnyRecord] = []
        for line, record in self._written:
            if isinstance(record, Header):
                self.header = record
                if self._number:
                    batch.append(record)
                    continue
            self._number += 1
            if self._kept is None or self._number <= self._kept:
                self.recorder.take(line, record)
                self._take(record)
                batch.append(record)
            elif isinstance(record, EventRecord):
                self.later.append(record)
            if len(batch) == AT_ONCE:
                return batch
        if self._number < self._count:
            expected = f"the checkpoint expects {self._count}"
            raise TraceError(f"{self._path}: has {self._number} lines, {expected}")
        return batch

    def _take(self, record: AnyRecord) -> None:
        match record:
            case ForkRecord():
                self.fork = record
            case StepRecord():
                self.timesteps += 1
            case EventRecord(injected=True):
                self.messages.append(record)


def check_begun(path: Path, kept: int) -> None:
    """Raise TraceError if a trace without a checkpoint has more than one superstep.

    A checkpoint is written before the second superstep, so the checkpoints of such a trace must
    have been lost. To begin again would lose the trace too. In a fork the first `kept` lines belong
    to the parent.
    """
    with suppress(MissingError):
        own = islice(iterate_whole_lines(path), kept, None)
        if sum(line.startswith(_SUPERSTEP) for line in own) > 1:
            raise TraceError(
                f"{path}: was played, but its checkpoints are not there; restore them, or "
                "continue from the trace with 'cookmas fork'"
            )
