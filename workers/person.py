"""A worker that a person plays: each decision is sent to the person's seat."""

from __future__ import annotations

import asyncio
import math
import time
from typing import NotRequired, Protocol

from typing_extensions import TypedDict

from cookmas.workers.protocol import AwayError
from cookmas.workers.remote import Channel, RemoteWorker


class Asked(TypedDict):
    """The question to a person at a timestep, as plain data."""

    timestep: int
    """The present timestep."""
    worker: str
    """The worker whom the person plays."""
    assignment: str
    """The action that the schedule suggests for the worker."""
    legal: list[str]
    """The actions that would not FAIL if no other worker moved, according to the worker's view.

    It is empty if this view may not be simulated.
    """
    refused: NotRequired[str]
    """Why the answer before was none, so that the question is asked again."""


class Answered(TypedDict, total=False):
    """The answer of a person: an action, or the reason why there is none."""

    action: str
    """The person's action."""
    away: str
    """Why the person is unavailable."""


class PersonChannel(Channel, Protocol):
    """A person's seat: the channel of a remote worker, which also shows the possible actions."""

    def offer(self, asked: Asked) -> None:
        """Show the person the question, before the assignment is sent."""
        ...


class Person:
    """A person at a seat, who has `limit` seconds for each action.

    A person who exceeds the limit is unavailable for that timestep and is asked again at the next
    one. If several people share a terminal, they share the lock `turn`, so that only one of them is
    asked at a time.
    """

    def __init__(
        self, seat: PersonChannel, limit: float = math.inf, turn: asyncio.Lock | None = None
    ) -> None:
        self._seat = seat
        self._limit = limit
        self._turn = turn or asyncio.Lock()
        self.seconds: list[float] = []

    async def answer(self, asked: Asked) -> Answered:
        """Ask the person and return the answer. Append its duration in seconds to `seconds`."""
        async with self._turn:
            began = time.perf_counter()
            self._seat.offer(asked)
            remote = RemoteWorker(self._seat, self._limit)
            try:
                act = remote.act(asked["timestep"], asked["worker"], asked["assignment"])
                return Answered(action=(await act).action or asked["assignment"])
            except AwayError as error:
                return Answered(away=str(error))
            finally:
                self.seconds.append(time.perf_counter() - began)
