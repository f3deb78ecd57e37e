"""The entries of a running episode, for any number of pages. A page may connect at any time.

Every entry has an id: its number and the digest of the trace up to it. A page that connects again
sends the last id that it has, and gets the later entries. If that id is unknown, because the trace
has been replaced or goes back too far, the page must begin again.

A long run has parts. A page that connects gets the last two, and asks for earlier ones. So neither
the page nor the memory of its server grows with the age of a run: the text of the entries is in a
file beyond a bound, and of all parts but the last two only their places are known.
"""

from __future__ import annotations

import asyncio
import tempfile
import weakref
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from cookmas.display.live.tail import ReplacedRecords, Tail
from cookmas.display.page.document import line_of
from cookmas.display.page.feed import Entry, Feed
from cookmas.display.page.verdict import verdict_entry
from cookmas.episodes.trace import End, Header, PlanRecord, StepRecord
from cookmas.evals.verdict import Judged
from cookmas.files.errors import CookMASError

PART = 2000
"""Number of entries after which a part ends, with the next timestep."""

AT_ONCE = 2**18
"""Number of bytes after which the entries that are sent in one piece end."""

IN_MEMORY = 2**25
"""Maximum size of the entries' text in memory, in bytes; a larger text is in a file."""

QUIET = 15.0
"""Seconds without news after which the server sends a comment, to keep the connection open."""

RETRY = b"retry: 1000\n\n"
AGAIN = b"event: again\ndata: {}\n\n"
STILL_THERE = b": still there\n\n"


class Events:
    """The entries of a run as one text of server-sent events, in parts."""

    def __init__(self) -> None:
        self._text = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, self._text.close)
        self._size = 0
        self._parts: list[int] = [0]
        self._ends: dict[str, int] = {}
        self._count = 0
        self._first = 0

    @property
    def part(self) -> int:
        """Number of the last part."""
        return len(self._parts) - 1

    @property
    def is_full(self) -> bool:
        """Whether the last part has enough entries."""
        return self._count - self._first >= PART

    def begin_part(self) -> None:
        """Begin the next part; entries of parts before the last two are no longer found by id."""
        self._ends = {name: end for name, end in self._ends.items() if end > self._parts[-1]}
        self._parts.append(self._size)
        self._first = self._count

    def add(self, entry: Entry, chain: str) -> None:
        """Add an entry; `chain` is the digest of the trace up to it."""
        name = f"{self._count}-{chain}"
        event = f"id: {name}\nevent: entry\ndata: {line_of(entry)}\n\n".encode()
        self._text.seek(self._size)
        self._text.write(event)
        self._size += len(event)
        self._count += 1
        self._ends[name] = self._size

    def end_of(self, name: str) -> int | None:
        """Return the place after the entry with an id; None if it is not known."""
        return self._ends.get(name)

    def place_of(self, part: int | None) -> int:
        """Return the place at which a part begins, or by default the last part but one."""
        last = self.part - 1 if part is None else part
        return self._parts[max(0, min(last, self.part))]

    def read(self, place: int) -> bytes:
        """Return whole entries from a place on, about AT_ONCE bytes; nothing at the end."""
        self._text.seek(place)
        found = self._text.read(AT_ONCE)
        while found and not found.endswith(b"\n\n"):
            found += self._text.readline()
        return found


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
        self._events = Events()
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
        feed: Feed | None = None
        async for told in Tail(self._path).follow():
            if isinstance(told, ReplacedRecords):
                self._events = Events()
                continue
            record = told.record
            if isinstance(record, Header):
                feed = Feed(record, self._world, self._worker)
                self._add(feed.opening(), told.chain)
            elif feed:
                if isinstance(record, PlanRecord) and not self._suggestions:
                    continue
                for entry in feed.take(record):
                    self._add(entry, told.chain)
                if isinstance(record, StepRecord) and self._events.is_full:
                    self._events.begin_part()
                    part = feed.begin_part(self._events.part, record.timestep + 1)
                    self._add(part, told.chain)
            if isinstance(record, End):
                self._add(await asyncio.to_thread(self._verdict_entry), told.chain)

    def _verdict_entry(self) -> Entry:
        return verdict_entry(self._judge())

    def _add(self, entry: Entry, chain: str) -> None:
        self._events.add(entry, chain)
        self._tell()

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
        await asyncio.wait_for(news.wait(), seconds)
    except TimeoutError:
        return False
    return True
