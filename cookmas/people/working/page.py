"""A seat on its own page, which fetches questions and sends answers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

from pydantic import JsonValue

from cookmas.people.polling import Sent, poll, receive
from cookmas.people.working.asked import MoveQuestion, TalkQuestion
from cookmas.people.working.seat import PersonSeat
from cookmas.people.working.study import RefusedError

WHERE = "/seat"

LONGEST = 2**20
"""Maximum size of an answer in bytes. An answer may have long texts."""

LAST_WORDS = 5.0
"""Seconds that a page has, after the episode, to fetch the news that it is over."""

OVER = "It is over. Thank you."
STOPPED = "It has been stopped; it can be continued."


class _WrittenAnswer(Sent):
    number: int
    said: JsonValue


class PageSeat:
    """The server's side of a seat whose person uses a page.

    The page's server needs `routes`. `offers` tell the page's scripts where to ask.
    """

    def __init__(self, seat: PersonSeat) -> None:
        self._seat = seat
        self._opened = False
        self._said_over = asyncio.Event()
        self.routes = (
            poll(WHERE, self._wait_past, self._tell),
            receive(WHERE, _WrittenAnswer, LONGEST, self._take),
        )
        self.offers = {"seat": {"where": WHERE, "worker": seat.worker}}

    async def _wait_past(self, seen: str) -> None:
        self._opened = True
        if seen == str(self._seat.number) and self._seat.over is None:
            await self._seat.wait_for_change(int(seen))

    def _tell(self) -> dict[str, Any]:
        """Return the present question; without one, why no more follow."""
        seat, question = self._seat, self._seat.question
        if seat.over is not None:
            self._said_over.set()
        state = {"number": seat.number, "over": seat.over}
        if question is None:
            return state
        left: float | None = None
        if isinstance(question, MoveQuestion | TalkQuestion) and question.until is not None:
            left = max(0.0, question.until - asyncio.get_running_loop().time())
        return {**state, "kind": question.kind, "seconds": left, **question.data()}

    def close(self, why: str) -> None:
        """Tell the page that no more questions follow."""
        self._seat.close(why)

    async def wait_until_told(self) -> None:
        """Wait until the page knows that no more questions follow, at most `LAST_WORDS` seconds.

        Return at once if no person has opened the page.
        """
        if not self._opened:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                await self._said_over.wait()

    async def _take(self, written: _WrittenAnswer) -> dict[str, Any]:
        self._seat.answer(written.number, written.said)
        return {}


@contextlib.asynccontextmanager
async def serve_questions(pages: Sequence[PageSeat]) -> AsyncIterator[None]:
    """Let these pages ask questions within the block; at the end of the block tell the people why
    it ended.

    Wait until they know that it is over, or that a person does not agree.
    """

    async def end(why: str) -> None:
        for page in pages:
            page.close(why)
        await asyncio.gather(*(page.wait_until_told() for page in pages))

    try:
        yield
    except RefusedError as error:
        await end(str(error))
        raise
    except BaseException:
        for page in pages:
            page.close(STOPPED)
        raise
    await end(OVER)
