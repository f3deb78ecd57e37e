"""The entries of a running episode, for any number of pages. A page may connect at any time.

Every entry has an id: its number and the digest of the trace up to it. A page that connects again
sends the last id that it has, and gets the later entries. If that id is unknown, because the trace
has been replaced or goes back too far, the page must begin again. A page that does not see the
whole trace gets digests with a secret of the server instead: otherwise it could confirm a guess
about what it does not see.

The trace of an open episode has parts. The server reads the last two, and those that come; a page
that connects gets the last two, and asks for earlier ones. So the page, and the memory and the
start of its server, do not grow with the age of a run. Beyond a bound the text of the entries is in
a file. The process that writes the trace may be killed while it is read.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
import tempfile
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO

from cookmas.display.page.document import line_of
from cookmas.display.page.feed import Entry, Feed, verdict_entry
from cookmas.episodes.secrets import secrets_of
from cookmas.episodes.trace import AnyRecord, Chain, End, Header, PartRecord, PlanRecord
from cookmas.episodes.trace_file import TracePart, find_part, iterate_written, read_record
from cookmas.evals.verdict import Judged
from cookmas.files.errors import CookMASError, TraceError
from cookmas.files.opening import open_file

AT_ONCE = 2**18
"""Number of bytes after which the entries that are sent in one piece end."""

IN_MEMORY = 2**25
"""Maximum size of the entries' text in memory, in bytes; a larger text is in a file."""

MOST_EARLIER = 10
"""Maximum number of parts before the first one in memory that a page can ask for."""

QUIET = 15.0
"""Seconds without news after which the server sends a comment, to keep the connection open."""

RETRY = b"retry: 1000\n\n"
AGAIN = b"event: again\ndata: {}\n\n"
STILL_THERE = b": still there\n\n"


class Events:
    """The entries of a run as one text of server-sent events, from the beginning of a part on.

    `first` is the number of that part.
    """

    def __init__(self, first: int = 0) -> None:
        self._secrets = secrets_of(os.environ)
        self._text = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, self._text.close)
        self._size = 0
        self.first = first
        self._parts: list[int] = [0]
        self._ends: dict[str, int] = {}

    def begin_part(self) -> None:
        """Begin another part of the stream.

        Entries of the new part and the one before it are found by their ids; older ones are not.
        """
        if not self._size:
            return
        self._ends = {name: end for name, end in self._ends.items() if end > self._parts[-1]}
        self._parts.append(self._size)

    def add(self, entry: Entry, chain: str) -> None:
        """Add an entry; `chain` is the digest of the trace up to the record that it tells."""
        number = next(n for n in count() if f"{n}-{chain}" not in self._ends)
        name = f"{number}-{chain}"
        event = f"id: {name}\nevent: entry\ndata: {line_of(entry, self._secrets)}\n\n".encode()
        self._text.seek(self._size)
        self._text.write(event)
        self._size += len(event)
        self._ends[name] = self._size

    def end_of(self, name: str) -> int | None:
        """Return the place after the entry with an id; None if it is not known."""
        return self._ends.get(name)

    def place_of(self, part: int | None) -> int:
        """Return the place at which a part begins, or by default the last part but one."""
        last = len(self._parts) - 1
        index = last - 1 if part is None else part - self.first
        return self._parts[max(0, min(index, last))]

    def read(self, place: int) -> bytes:
        """Return whole entries from a place on, about AT_ONCE bytes; nothing at the end."""
        self._text.seek(place)
        text = self._text.read(AT_ONCE)
        while text and not text.endswith(b"\n\n"):
            text += self._text.readline()
        return text

    def pieces(self) -> Iterator[bytes]:
        """Yield all entries in pieces of about AT_ONCE bytes."""
        place = 0
        while piece := self.read(place):
            place += len(piece)
            yield piece


class Stream:
    """The entries of the trace in a file, as server-sent events.

    If a `worker` is given, the entries tell only what that worker may know. When the trace has
    ended, `judge` is called for the verdict, which is the last entry. Without `suggestions` the
    stream has no plans.
    """

    def __init__(
        self,
        trace: Path,
        judge: Callable[[], Judged],
        world: str | None = None,
        worker: str | None = None,
        *,
        suggestions: bool = True,
    ) -> None:
        self._suggestions = suggestions
        self._path = trace
        self._judge = judge
        self._world = world
        self._worker = worker
        self._secret = None if worker is None else secrets.token_bytes(32)
        self._events = Events()
        self._reading_earlier = asyncio.Lock()
        self._over: str | None = None
        self._news = asyncio.Event()

    async def read(self) -> None:
        """Read the trace as it grows, up to its end; then add the verdict."""
        try:
            await self._read()
            self._over = "over"
        except CookMASError as error:
            self._over = str(error)
        except OSError as error:
            self._over = f"the entries cannot be kept ({error.strerror})"
        self._tell()

    async def _read(self) -> None:
        tail = Tail(self._path)
        self._events = Events(tail.part)
        feed: Feed | None = None
        async for news in tail.follow():
            if isinstance(news, ReplacedRecords):
                self._events = Events()
                continue
            feed = self._add(self._events, feed, news)
            if isinstance(news.record, End):
                verdict = await asyncio.to_thread(self._verdict_entry)
                self._events.add(verdict, self._digest(news.chain))
            self._tell()

    def _add(self, events: Events, feed: Feed | None, written: TailRecord) -> Feed:
        """Add the entries of a record, and return the feed that makes them.

        A part after the first begins with an entry of its own, which takes the place of the header.
        """
        record = written.record
        if isinstance(record, Header):
            feed = Feed(record, self._world, self._worker)
            if not events.first:
                events.add(feed.opening(), self._digest(written.chain))
            return feed
        assert feed
        if isinstance(record, PartRecord):
            events.begin_part()
        if self._suggestions or not isinstance(record, PlanRecord):
            for entry in feed.take(record):
                events.add(entry, self._digest(written.chain))
        return feed

    def _read_earlier(self, part_number: int) -> Events:
        """Return the entries from an earlier part on, up to the first part that was read.

        At most MOST_EARLIER parts are read. If the trace cannot be read, there are no entries.
        """
        first = self._events.first
        part_number = max(part_number, first - MOST_EARLIER)
        events, feed = Events(part_number), None
        with suppress(CookMASError):
            part = find_part(self._path, lambda each: each.number == part_number)
            for line, record in iterate_written(self._path, part):
                if isinstance(record, PartRecord) and record.number == first:
                    break
                written = TailRecord(record=record, chain=Chain.continue_after(line).last)
                feed = self._add(events, feed, written)
        return events

    def _digest(self, chain: str) -> str:
        """Return what stands for a digest of the trace in the ids of this stream."""
        if self._secret is None:
            return chain
        return hmac.new(self._secret, chain.encode(), "sha256").hexdigest()[: len(chain)]

    def _verdict_entry(self) -> Entry:
        return verdict_entry(self._judge())

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def events(self, last: str | None, part: int | None = None) -> AsyncIterator[bytes]:
        """Yield the events for a page that has all entries up to the one with the id `last`.

        A page without entries gets those from the beginning of a `part` on, by default of the last
        part but one.
        """
        yield RETRY
        events = self._events
        place = events.end_of(last) if last else None
        if place is None:
            if last:
                yield AGAIN
            place = events.place_of(part)
            if part is not None and part < events.first:
                async with self._reading_earlier:
                    earlier = await asyncio.to_thread(self._read_earlier, part)
                for piece in earlier.pieces():
                    yield piece
        while True:
            news = self._news
            if events is not self._events:
                events, place = self._events, 0
                yield AGAIN
            while events is self._events and (piece := events.read(place)):
                place += len(piece)
                yield piece
            if self._over is not None:
                yield f"event: over\ndata: {line_of({'why': self._over})}\n\n".encode()
                return
            if news is self._news and not await _wait_within(news, QUIET):
                yield STILL_THERE


async def _wait_within(news: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await news.wait()
    except TimeoutError:
        return False
    return True


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
        return self._first.record.number if self._first else 0

    async def follow(self) -> AsyncIterator[TailRecord | ReplacedRecords]:
        """Yield the records of the trace, and wait for new ones, until one ends the episode.

        A tail that begins late yields the header and then the last parts. Raises TraceError if the
        trace is damaged.
        """
        if self._first:
            first, header = next(iterate_written(self._path))
            yield TailRecord(record=header, chain=Chain.continue_after(first).last)
        try:
            while True:
                self._reopen()
                while line := self._next_line():
                    for news in self._take(line):
                        yield news
                        if isinstance(news, TailRecord) and isinstance(news.record, End):
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
        line_number, self._line = self._line, self._line + 1
        if line_number < self._told:
            index = line_number - self._told + len(self._known)
            if index < 0 or self._known[index] == self._chain.last:
                return []
            return self._begin_again()
        self._known.append(self._chain.last)
        self._told += 1
        return [TailRecord(record=read_record(line, where), chain=self._chain.last)]

    def _begin_again(self) -> list[TailRecord | ReplacedRecords]:
        self._known.clear()
        self._first, self._told = None, 0
        self._rewind()
        return [ReplacedRecords()]


def _find_last_two(path: Path) -> TracePart | None:
    """Return the last part but one of a trace; None if it is the first, or there is no trace."""
    last = find_part(path, lambda each: True)
    return last and find_part(path, lambda each: each.number == last.record.number - 1)
