"""Patience with an endpoint that is away: its calls wait until it is back.

Away is an address that cannot be reached by any call, after it has answered once. A single call
that fails beside others that are answered is no outage, and neither is an address that has never
answered.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Protocol

from pydantic import BaseModel

from cookmas.files.errors import EndpointAwayError
from cookmas.orchestrator.models.message import Answered, Model, Request

SHORTEST_PAUSE = 1.0
"""Seconds until an endpoint that is away is asked again; each further pause is twice the last."""

PAUSE_CAP = 60.0
"""Maximum seconds until an endpoint that is away is asked again."""

PROBE_SECONDS = 60.0
"""Seconds that a call has to find out whether the endpoint is back, before another one tries."""

LOOK_SECONDS = 1.0
"""Seconds after which a waiting call looks again whether the endpoint is back."""

TRIES = 3
"""Greatest number of times that a call is repeated that fails while others are answered."""

_TOLD = " ({} tries)"
_TOLD_ANYWHERE = re.compile(re.escape(_TOLD).replace(r"\{\}", r"\d+"))

_log = logging.getLogger(__name__)


def tell_tries(number: int) -> str:
    """Return how often a call was tried, as the end of a reason; empty for one time."""
    return _TOLD.format(number) if number > 1 else ""


def drop_tries(reason: str) -> str:
    """Return a reason without how often a call was tried (`tell_tries`)."""
    return _TOLD_ANYWHERE.sub("", reason)


_hurried: ContextVar[bool] = ContextVar("hurried", default=False)


@contextmanager
def check_quickly(quickly: bool = True) -> Iterator[None]:
    """Let the calls in the block fail after one more attempt, if `quickly` and if they fail."""
    token = _hurried.set(quickly)
    try:
        yield
    finally:
        _hurried.reset(token)


def is_hurried() -> bool:
    """Return whether calls fail quickly if their endpoint is away."""
    return _hurried.get()


class Reach(BaseModel):
    """What is known of the address of an endpoint. Times are seconds since 1970."""

    answered: float | None = None
    """Time of the last answer; None if there was none."""
    since: float | None = None
    """Time since which the endpoint is away; None if it is not."""
    pause: float = 0.0
    """Seconds of the pause before the next attempt."""
    probe: float = 0.0
    """Time of the next attempt."""

    def fail(self, now: float, limit: float = math.inf) -> None:
        """Note a failed attempt: the pauses double, and the last one ends at the `limit`."""
        self.since = self.since or now
        self.pause = min(PAUSE_CAP, 2 * self.pause or SHORTEST_PAUSE)
        self.probe = min(now + self.pause, max(now, self.since + limit - LOOK_SECONDS))

    def recover(self, now: float) -> None:
        """Note an answer."""
        self.answered, self.since, self.pause = now, None, 0.0


class ReachBoard(Protocol):
    """The place where the calls of an address share what is known of it."""

    def update(self, address: str, change: Callable[[Reach], None]) -> Reach:
        """Change what is known of an address, as one step, and return it."""
        ...


class LocalBoard:
    """A board for the calls of one process, which tells the log of outages."""

    def __init__(self) -> None:
        self._known: dict[str, Reach] = {}

    def update(self, address: str, change: Callable[[Reach], None]) -> Reach:
        reach = self._known.setdefault(address, Reach())
        before = reach.since
        change(reach)
        if (before is None) != (reach.since is None):
            told = describe_outage(address, reach) if before is None else f"{address} is back"
            _log.warning("%s", told)
        return reach


def describe_outage(address: str, reach: Reach) -> str:
    """Return the sentence that an endpoint is away."""
    since = time.strftime("%H:%M", time.localtime(reach.since))
    return f"{address} is away since {since}"


class PatientModel:
    """A model whose calls wait for at most `limit` seconds while its endpoint is away.

    `now` returns the seconds since 1970, and `sleep` waits some seconds.
    """

    def __init__(
        self,
        model: Model,
        address: str,
        board: ReachBoard,
        limit: float,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.name = model.name
        self._model = model
        self._address = address
        self._board = board
        self._limit = limit
        self._now = now
        self._sleep = sleep

    async def answer(self, request: Request) -> Answered:
        failed = 0
        while True:
            began = self._now()
            try:
                answered = await self._model.answer(request)
            except EndpointAwayError as error:
                if not error.unreachable:
                    raise
                reach = self._board.update(self._address, partial(self._fail, began))
                failed += reach.since is None
                if reach.answered is None or failed > TRIES:
                    raise
                await self._wait(error)
            else:
                self._board.update(self._address, lambda known: known.recover(self._now()))
                return answered

    def _fail(self, began: float, reach: Reach) -> None:
        """Note a failed call, unless it only failed together with the first one of an outage."""
        noted = reach.since is not None and began <= reach.since
        if reach.answered is not None and reach.answered < began and not noted:
            reach.fail(self._now(), self._limit)

    async def _wait(self, error: EndpointAwayError) -> None:
        """Wait until the endpoint is back, or until this call is the one to find out.

        Raise EndpointAwayError once the outage has lasted for the limit.
        """
        while not self._may_ask(error):
            await self._sleep(LOOK_SECONDS)

    def _may_ask(self, error: EndpointAwayError) -> bool:
        now = self._now()
        probing = False

        def claim(reach: Reach) -> None:
            nonlocal probing
            if reach.since is not None and reach.probe <= now:
                probing, reach.probe = True, now + PROBE_SECONDS

        reach = self._board.update(self._address, claim)
        if reach.since is not None and now - reach.since >= self._limit:
            lasts = f"for {self._limit:g} seconds, the --outage-limit"
            raise EndpointAwayError(f"{error}; it was away {lasts}", unreachable=True) from error
        return probing or reach.since is None
