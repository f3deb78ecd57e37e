"""The recorder: it writes the trace line by line while the episode runs, and reads from it.

A trace that was written before is read line by line too, for an episode that continues: the trace
of an open episode may be larger than the memory, so it is never held as a whole.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from cookmas.episodes.conversation import NOTHING_SPENT, Spent
from cookmas.episodes.parts import RunningRecord
from cookmas.episodes.trace import (
    AnyRecord,
    Chain,
    End,
    EventRecord,
    ForkRecord,
    Header,
    Lookup,
    MemoryRecord,
    MessageRecord,
    ModelCall,
    PartRecord,
    PlanRecord,
    StepRecord,
    Superstep,
    begin_line,
    to_line,
)
from cookmas.episodes.trace_file import (
    TracePart,
    find_part,
    iterate_whole_lines,
    iterate_written,
    read_end,
    read_record,
)
from cookmas.files.errors import MissingError, TraceError
from cookmas.files.opening import opener
from cookmas.files.writing import guard_block, open_replacement, write_whole
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.observing import Observers

_log = logging.getLogger(__name__)

TRACEBACK = "traceback.txt"
"""The file next to a trace with the traceback of a failed planner."""

Referred = PlanRecord | MemoryRecord | MessageRecord
"""The types of records that the state refers to by number instead of holding their text."""

_ONLY_WRITTEN = frozenset({Superstep, StepRecord})
"""The types of records that every timestep has, and that are never read again."""

_SUPERSTEP = begin_line("superstep")

_EVENT = begin_line("event").encode()
"""The beginning of the line of an event in a trace."""

REFERRED_KEPT = 16
"""Number of records of type Referred that stay in memory if the trace has a file.

More stay only if `Recorder.hold` holds them, or if they are not written yet.
"""


ANSWERED_AGAIN = 1000
"""Number of last messages whose senders are told the outcome again.

A process that was killed after a checkpoint may not have told them. It had told all earlier ones
before that checkpoint.
"""

AT_ONCE = 500
"""Maximum number of records in a batch."""

COPIED_AT_ONCE = 2**20
"""Number of bytes of a trace that are copied at once."""

NumberOf = Callable[[EventRecord], int]
"""A function that numbers some events of a trace in their order; 0 stands for the others."""

Batch = Sequence[AnyRecord]
"""The records of a superstep, in order."""


class Recorder:
    """The recorder of one episode: it collects records, and writes them when `write` is called.

    With the path of a trace file, only records that may be read again stay in memory. Records are
    numbered from 0. All file access happens in a thread, never on the event loop.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._count = 0
        self._written = 0
        self._size = 0
        self._chain = Chain()
        self._fresh: list[AnyRecord] = []
        self._settled = 0
        self._again: list[tuple[int, AnyRecord]] = []
        self._unwritten: list[str] = []
        self._referred: dict[int, Referred] = {}
        self._held: frozenset[int] = frozenset()
        self._events: list[EventRecord] = []
        self._spent: dict[str, Spent] = {}
        self._texts: dict[str, str] = {}
        self._parts = 0
        self._file: TextIO | None = None
        self.durable = False
        """True if what is written is on the disk when `write` returns."""
        self.observers = Observers()
        """The observers, which get each record that is appended."""
        if path:
            write_whole(path, "")
            self._file = _append_to(path)

    @classmethod
    def of_written(cls, path: Path, part: TracePart | None = None) -> Recorder:
        """Return a recorder that `take`s the lines of a trace file, to continue after them.

        With a `part`, the lines before the part count as taken.
        """
        recorder = cls()
        recorder._path = path
        if part:
            recorder._count = recorder._written = part.record.records
            recorder._size = part.place
            recorder._texts = dict(part.record.texts)
            recorder._spent = dict(part.record.spent)
        return recorder

    def take(self, line: str, record: AnyRecord) -> None:
        """Take the next line of the trace file, which has this record."""
        number = self._count
        self._count = self._written = number + 1
        self._size += len(line.encode()) + 1
        self._chain = Chain.continue_after(line)
        if type(record) not in _ONLY_WRITTEN:
            self._note(number, record)

    def reopen(self) -> None:
        """Continue after the lines that were taken.

        Later lines are cut off. The file is replaced by a new one, so a paused process that still
        writes to the old file does not change this trace. Raise OSError.
        """
        assert self._path
        path = self._path
        traceback = path.with_name(TRACEBACK)
        with guard_block(traceback):
            traceback.unlink(missing_ok=True)
        with path.open("rb") as before, open_replacement(path) as draft:
            for place in range(0, self._size, COPIED_AT_ONCE):
                draft.write(before.read(min(COPIED_AT_ONCE, self._size - place)))
        self._file = _append_to(path)

    @property
    def count(self) -> int:
        """Number of records."""
        return self._count

    @property
    def spent(self) -> Spent:
        """Calls and tokens spent on models so far."""
        return reduce(Spent.and_also, self._spent.values(), NOTHING_SPENT)

    @property
    def spent_by(self) -> Mapping[str, Spent]:
        """Calls and tokens spent on models so far, by agent of a team."""
        return {agent: spent for agent, spent in self._spent.items() if agent}

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts that planners have looked up in this episode, by the key of the look-up."""
        return dict(self._texts)

    def begin_part(
        self, timestep: int, state: dict[str, Any], running: Mapping[str, RunningRecord]
    ) -> None:
        """Append the record with which a part of the trace begins at a timestep.

        `state` is the state of the world there, as plain data; `running` are the actions that
        outlast their timestep.
        """
        part = PartRecord(
            timestep=timestep,
            number=self._parts + 1,
            records=self._count,
            state=state,
            spent=dict(self._spent),
            texts=dict(self._texts),
            running=dict(running) or None,
        )
        self.append(part)

    def append(self, record: AnyRecord, measured: CallMeasurements | None = None) -> int:
        """Add a record to the trace, and return its number.

        A record that an interrupted node has added already keeps its number. Observers get the
        measurements of a model call too; the trace does not.
        """
        for each in self._again:
            if each[1] == record:
                self._again.remove(each)
                return each[0]
        number = self._count
        self._count += 1
        self._fresh.append(record)
        if type(record) not in _ONLY_WRITTEN:
            self._note(number, record)
        if self._file:
            self._unwritten.append(self._chain.close(to_line(record)))
        self.observers.note(record, measured)
        return number

    def _note(self, number: int, record: AnyRecord) -> None:
        """Store the parts of a record that may be read again."""
        match record:
            case ModelCall():
                agent = record.agent or ""
                self._spent[agent] = self._spent.get(agent, NOTHING_SPENT).plus(record.usage)
            case Lookup():
                self._texts[record.key] = record.text
            case EventRecord() if not self._path:
                self._events.append(record)
            case PlanRecord() | MemoryRecord() | MessageRecord():
                self._keep(number, record)
            case PartRecord():
                self._parts = record.number

    def settle(self) -> None:
        """Take note that a node has run to its end."""
        self._settled = self._count
        self._again = []

    def expect_again(self) -> None:
        """Expect that an interrupted node runs again from its beginning.

        The records that it has appended come again, and are not added twice.
        """
        number = min(self._count - self._settled, len(self._fresh))
        first = self._count - number
        self._again = list(enumerate(self._fresh[len(self._fresh) - number :], start=first))

    async def write(self) -> None:
        """Write all records so far; the caller does this before a checkpoint counts these records.

        Raises OSError if the file cannot be written.
        """
        if self._unwritten:
            await asyncio.to_thread(self._write)

    def _write(self) -> None:
        lines, self._unwritten = self._unwritten, []
        assert self._path
        assert self._file
        with guard_block(self._path):
            self._file.write("".join(f"{line}\n" for line in lines))
            self._file.flush()
            if self.durable:
                os.fsync(self._file.fileno())
        self._written += len(lines)

    def fresh(self) -> Batch:
        """Return the records that were appended since the last call."""
        fresh, self._fresh = self._fresh, []
        return fresh

    @property
    def lets_go(self) -> bool:
        """True if records that `hold` does not hold may leave the memory."""
        return self._path is not None

    async def hold(self, numbers: Iterable[int]) -> None:
        """Keep the records with these numbers in memory until this method is called again.

        Those that are not in memory are read again. Without a file all records stay in memory.
        """
        if not self._path:
            return
        self._held = frozenset(numbers)
        if missing := sorted(self._held - self._referred.keys()):
            for number, record in await asyncio.to_thread(_read, self._path, missing):
                self._keep(number, record)

    def find_referred(self, number: int) -> Referred | None:
        """Return the record with a number, if the state may refer to it and it is in memory; else
        None.
        """
        return self._referred.get(number)

    def records_since(self, number: int, number_of: NumberOf) -> Iterator[AnyRecord]:
        """Return the records from the event with this number on, in order; none without a file."""
        return records_since(self._path, number, number_of) if self._path else iter(())

    def find_event(self, number: int, number_of: NumberOf) -> EventRecord | None:
        """Return the event with this number; None if there is none."""
        first = islice(self.records_since(number, number_of), 1)
        events = (each for each in (*first, *self._events) if isinstance(each, EventRecord))
        return next((each for each in events if number_of(each) == number), None)

    def _keep(self, number: int, record: Referred) -> None:
        self._referred[number] = record
        if self._path and len(self._referred) > REFERRED_KEPT:
            spare = (n for n in self._referred if n not in self._held and n < self._written)
            for each in list(islice(spare, len(self._referred) - REFERRED_KEPT)):
                del self._referred[each]

    async def keep_traceback(self, traceback: str) -> None:
        """Store a failed planner's traceback next to the trace; log it if the trace has no file."""
        if not self._path:
            _log.error("a planner failed:\n%s", traceback)
        elif traceback:
            await asyncio.to_thread(write_whole, self._path.with_name(TRACEBACK), traceback)

    def close(self) -> None:
        """Close the file, and tell the observers that nothing more comes."""
        self.observers.end()
        file, self._file = self._file, None
        if file:
            with contextlib.suppress(OSError):
                file.close()


def _read(path: Path, numbers: Sequence[int]) -> list[tuple[int, Referred]]:
    """Return the records with these numbers to which the state may refer."""
    with path.open(encoding="utf-8") as file:
        lines = [(n, line) for n, line in enumerate(islice(file, max(numbers) + 1)) if n in numbers]
    records = [(number, read_record(line.rstrip("\n"), str(path))) for number, line in lines]
    return [(number, record) for number, record in records if isinstance(record, Referred)]


def _append_to(path: Path) -> TextIO:
    """Return a file, open for more lines."""
    with guard_block(path):
        return open(path, "a", encoding="utf-8", newline="\n", opener=opener)


def records_since(path: Path, number: int, number_of: NumberOf) -> Iterator[AnyRecord]:
    """Yield the records from the event with this number on, or from the next such event, in order.

    The numbers of events increase, so a binary search finds the first event; the part of the file
    before that event is not read.
    """

    def number_in(line: bytes) -> int:
        record = _record_in(line, path) if line.startswith(_EVENT) else None
        return number_of(record) if isinstance(record, EventRecord) else 0

    with path.open("rb") as file:
        low, high = 0, path.stat().st_size
        while low < high:
            middle = (low + high) // 2
            found = _next_event(file, middle, high, number_in)
            if found is None or found[1] >= number:
                high = middle
            else:
                low = found[0]
        _to_line(file, low)
        reached = False
        for line in file:
            reached = reached or number_in(line) >= number
            if reached:
                yield _record_in(line, path)


def _record_in(line: bytes, path: Path) -> AnyRecord:
    return read_record(line.decode().rstrip("\n"), str(path))


def _next_event(
    file: BinaryIO, place: int, end: int, number_in: Callable[[bytes], int]
) -> tuple[int, int] | None:
    """Return where the line of the first numbered event after `place` ends, and its number.

    Return None if no such event begins before `end`. `number_in` returns the number in a line.
    """
    _to_line(file, place)
    while file.tell() < end:
        line = file.readline()
        if event := number_in(line):
            return file.tell(), event
    return None


def _to_line(file: BinaryIO, place: int) -> None:
    """Move to the first line that begins at a place or after it."""
    file.seek(max(0, place - 1))
    if place:
        file.readline()


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
