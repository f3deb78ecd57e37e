"""A seat on a page of its own: what is asked there is fetched, and the answer sent."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from cookmas.display.live.bodies import body_of
from cookmas.seats.people.asked import Move
from cookmas.seats.people.seat import Seat
from cookmas.seats.people.study import RefusedError
from files.errors import InputError

WHERE = "/seat"

LONGEST = 2**20
"""Bytes of an answer, whose texts may be long."""

PATIENCE = 20.0
"""Seconds after which a page that waits for a question is told that there is none yet."""


LAST_WORDS = 5.0
"""Seconds that a page has to ask what is wanted once more, when nothing is any more."""


OVER = "It is over. Thank you."
STOPPED = "It has been stopped, and may be gone on with."


class _Said(BaseModel):
    """An answer, and the number of what it is an answer to."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    number: int
    said: JsonValue


class PageSeat:
    """The page's side of a seat. `routes` are for its server, `offers` for its page."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._opened = False
        self._said_over = asyncio.Event()
        self.routes = (
            Route(WHERE, self._tell, methods=["GET"]),
            Route(WHERE, self._take, methods=["POST"]),
        )
        self.offers = {"seat": {"where": WHERE, "worker": seat.worker}}

    async def _tell(self, request: Request) -> JSONResponse:
        """What is asked, as soon as it is not what the page has `seen` last."""
        self._opened = True
        seen = request.query_params.get("seen", "")
        if seen == str(self._seat.number) and self._seat.over is None:
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._seat.changed(int(seen))
            except TimeoutError:
                pass
        if self._seat.over is not None:
            self._said_over.set()
        return JSONResponse(self._told())

    def close(self, why: str) -> None:
        """Nothing will be asked any more."""
        self._seat.close(why)

    async def told(self) -> None:
        """Return once the page knows that nothing will be asked any more, or is not there."""
        if not self._opened:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                await self._said_over.wait()

    def _told(self) -> dict[str, Any]:
        seat, question = self._seat, self._seat.question
        told = {"number": seat.number, "over": seat.over}
        if question is None:
            return told
        left: float | None = None
        if isinstance(question, Move) and question.until is not None:
            left = max(0.0, question.until - asyncio.get_running_loop().time())
        return {**told, "kind": question.kind, "seconds": left, **question.data()}

    async def _take(self, request: Request) -> JSONResponse:
        """Take an answer; one that is none is refused with a reason."""
        try:
            written = _Said.model_validate_json(await body_of(request, LONGEST))
            self._seat.answer(written.number, written.said)
        except ValidationError as error:
            return JSONResponse({"why": error.errors()[0]["msg"]}, 400)
        except InputError as error:
            return JSONResponse({"why": str(error)}, 409)
        return JSONResponse({})


@contextlib.asynccontextmanager
async def asked_at(pages: Sequence[PageSeat]) -> AsyncIterator[None]:
    """Within the block people are asked at these pages; then they are told why no more is asked."""
    why = STOPPED
    try:
        yield
        why = OVER
    except RefusedError as error:
        why = str(error)
        raise
    finally:
        for page in pages:
            page.close(why)
    await asyncio.gather(*(page.told() for page in pages))
