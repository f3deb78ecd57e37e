"""A worker that a person plays: what is to be decided goes to where the person sits."""

from __future__ import annotations

import asyncio
import math
import time
from typing import Protocol

from typing_extensions import TypedDict

from workers.protocol import AwayError
from workers.remote import Channel, RemoteWorker


class Asked(TypedDict):
    """What a person is asked at a timestep, as plain data.

    `assignment` is what the schedule suggests for `worker`, `legal` what would not FAIL if nobody
    else moved, as far as the worker knows; nothing where that may not be simulated.
    """

    timestep: int
    worker: str
    assignment: str
    legal: list[str]


class Answered(TypedDict, total=False):
    """The `action`, or why the person is `away`."""

    action: str
    away: str


class Seat(Channel, Protocol):
    """Where a person sits: the way there is that to a remote worker."""

    def offer(self, asked: Asked) -> None:
        """Say what can be answered to the assignment that comes next."""
        ...


class Person:
    """A person at a seat, who has `limit` seconds for each action.

    Whoever misses it is away for that timestep, and is asked again at the next one. People who take
    turns at one place share their `turn`. `seconds` is what each answer took.
    """

    def __init__(
        self, seat: Seat, limit: float = math.inf, turn: asyncio.Lock | None = None
    ) -> None:
        self._seat = seat
        self._limit = limit
        self._turn = turn or asyncio.Lock()
        self.seconds: list[float] = []

    async def answer(self, asked: Asked) -> Answered:
        """What the person does."""
        async with self._turn:
            began = time.perf_counter()
            self._seat.offer(asked)
            remote = RemoteWorker(self._seat, self._limit)
            try:
                act = remote.act(asked["timestep"], asked["worker"], asked["assignment"])
                return Answered(action=await act)
            except AwayError as error:
                return Answered(away=str(error))
            finally:
                self.seconds.append(time.perf_counter() - began)
