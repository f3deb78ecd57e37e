"""The entries of a running episode, for any number of pages. A page may connect at any time.

Every entry has an id: its number and the digest of the trace up to it. A page that connects again
sends the last id that it has, and gets the later entries. If that id is unknown, because the trace
has been replaced or goes back too far, the page must begin again. A page that does not see the
whole trace gets digests with a secret of the server instead: otherwise it could confirm a guess
about what it does not see.

The trace of an open episode has parts. The server reads the last two, and those that come; a page
that connects gets the last two, and asks for earlier ones. So the page, and the memory and the
start of its server, do not grow with the age of a run. Beyond a bound the text of the entries is in
a file.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
import tempfile
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from cookmas.display.live.tail import ReplacedRecords, Tail, TailRecord
from cookmas.display.page.document import line_of
from cookmas.display.page.feed import Entry, Feed
from cookmas.display.page.verdict import verdict_entry
from cookmas.episodes.chain import Chain
from cookmas.episodes.secrets import secrets_of
from cookmas.episodes.trace import End, Header, PartRecord, PlanRecord
from cookmas.episodes.trace_file import find_part, iterate_written
from cookmas.evals.verdict import Judged
from cookmas.files.errors import CookMASError

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
        """Begin the next part; entries of parts before the last two are no longer found by id."""
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
        found = last - 1 if part is None else part - self.first
        return self._parts[max(0, min(found, last))]

    def read(self, place: int) -> bytes:
        """Return whole entries from a place on, about AT_ONCE bytes; nothing at the end."""
        self._text.seek(place)
        found = self._text.read(AT_ONCE)
        while found and not found.endswith(b"\n\n"):
            found += self._text.readline()
        return found

    def pieces(self) -> Iterator[bytes]:
        """Yield all entries in pieces of about AT_ONCE bytes."""
        place = 0
        while found := self.read(place):
            place += len(found)
            yield found


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
        async for told in tail.follow():
            if isinstance(told, ReplacedRecords):
                self._events = Events()
                continue
            feed = self._add(self._events, feed, told)
            if isinstance(told.record, End):
                verdict = await asyncio.to_thread(self._verdict_entry)
                self._events.add(verdict, self._digest(told.chain))
            self._tell()

    def _add(self, events: Events, feed: Feed | None, told: TailRecord) -> Feed:
        """Add the entries of a record, and return the feed that makes them.

        A part after the first begins with an entry of its own, which takes the place of the header.
        """
        record = told.record
        if isinstance(record, Header):
            feed = Feed(record, self._world, self._worker)
            if not events.first:
                events.add(feed.opening(), self._digest(told.chain))
            return feed
        assert feed
        if isinstance(record, PartRecord):
            events.begin_part()
        if self._suggestions or not isinstance(record, PlanRecord):
            for entry in feed.take(record):
                events.add(entry, self._digest(told.chain))
        return feed

    def _read_earlier(self, number: int) -> Events:
        """Return the entries from an earlier part on, up to the first part that was read.

        At most MOST_EARLIER parts are read. If the trace cannot be read, there are no entries.
        """
        first = self._events.first
        number = max(number, first - MOST_EARLIER)
        events, feed = Events(number), None
        with suppress(CookMASError):
            part = find_part(self._path, lambda each: each.number == number)
            for line, record in iterate_written(self._path, part):
                if isinstance(record, PartRecord) and record.number == first:
                    break
                told = TailRecord(record=record, chain=Chain.continue_after(line).last)
                feed = self._add(events, feed, told)
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
                for found in earlier.pieces():
                    yield found
        while True:
            news = self._news
            if events is not self._events:
                events, place = self._events, 0
                yield AGAIN
            while events is self._events and (found := events.read(place)):
                place += len(found)
                yield found
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
