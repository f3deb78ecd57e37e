"""The entries of a running episode, for any number of pages. A page may connect at any time.

Every entry has an id: its number and the digest of the trace up to it. A page that connects again
sends the last id that it has, and gets the later entries. If that id is unknown, because the trace
has been replaced, the page must begin again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from cookmas.display.live.tail import ReplacedRecords, Tail
from cookmas.display.page.document import line_of
from cookmas.display.page.feed import Entry, Feed
from cookmas.display.page.verdict import verdict_entry
from cookmas.episodes.trace import End, Header, PlanRecord
from cookmas.evals.verdict import Judged
from cookmas.files.errors import CookMASError

AT_ONCE = 500
"""Maximum number of entries that are sent in one piece."""

QUIET = 15.0
"""Seconds without news after which the server sends a comment, to keep the connection open."""

RETRY = "retry: 1000\n\n"
AGAIN = "event: again\ndata: {}\n\n"
STILL_THERE = ": still there\n\n"


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
        self._sent: list[tuple[str, str]] = []
        self._age = 0
        self._over: str | None = None
        self._news = asyncio.Event()

    async def read(self) -> None:
        """Read the trace as it grows, up to its end; then add the verdict."""
        try:
            await self._read()
            self._over = "over"
        except CookMASError as error:
            self._over = str(error)
        self._tell()

    async def _read(self) -> None:
        feed: Feed | None = None
        async for told in Tail(self._path).follow():
            if isinstance(told, ReplacedRecords):
                self._sent, self._age = [], self._age + 1
                continue
            if isinstance(told.record, Header):
                feed = Feed(told.record, self._world, self._worker)
                self._add(feed.opening(), told.chain)
            elif feed:
                if isinstance(told.record, PlanRecord) and not self._suggestions:
                    continue
                for entry in feed.take(told.record):
                    self._add(entry, told.chain)
            if isinstance(told.record, End):
                self._add(await asyncio.to_thread(self._verdict_entry), told.chain)

    def _verdict_entry(self) -> Entry:
        return verdict_entry(self._judge())

    def _add(self, entry: Entry, chain: str) -> None:
        self._sent.append((f"{len(self._sent)}-{chain}", line_of(entry)))
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def events(self, last: str | None) -> AsyncIterator[str]:
        """Yield the events for a page that has all entries up to the one with the id `last`."""
        yield RETRY
        place = self._place(last)
        if last and not place:
            yield AGAIN
        age = self._age
        while True:
            news = self._news
            if age != self._age:
                age, place = self._age, 0
                yield AGAIN
            while place < len(self._sent) and age == self._age:
                part = self._sent[place : place + AT_ONCE]
                place += len(part)
                yield "".join(f"id: {name}\nevent: entry\ndata: {data}\n\n" for name, data in part)
            if self._over is not None:
                yield f"event: over\ndata: {line_of({'why': self._over})}\n\n"
                return
            if news is self._news and not await _wait_within(news, QUIET):
                yield STILL_THERE

    def _place(self, last: str | None) -> int:
        """Return the number of the first entry that a page lacks.

        `last` is the id of the last entry that the page has. If this id is unknown, return 0.
        """
        number = (last or "").partition("-")[0]
        if not number.isdecimal() or len(number) > 12:
            return 0
        known = self._sent[int(number)][0] if int(number) < len(self._sent) else None
        return int(number) + 1 if known == last else 0


async def _wait_within(news: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(news.wait(), seconds)
    except TimeoutError:
        return False
    return True
