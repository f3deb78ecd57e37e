"""A worker that a person plays: each decision is sent to the person's seat."""

from __future__ import annotations

import asyncio
import math
import time
from typing import Protocol

from typing_extensions import TypedDict

from workers.protocol import AwayError
from workers.remote import Channel, RemoteWorker


class Asked(TypedDict):
    """The question to a person at a timestep, as plain data."""

    timestep: int
    """The present timestep."""
    worker: str
    """The worker whom the person plays."""
    assignment: str
    """The action that the schedule suggests for the worker."""
    legal: list[str]
    """The actions that would not FAIL if no other worker moved, as far as the worker knows.

    Empty if the state that the worker sees may not be simulated.
    """


class Answered(TypedDict, total=False):
    """The answer of a person: an action, or why there is none."""

    action: str
    """The person's action."""
    away: str
    """Why the person is unavailable."""


class PersonChannel(Channel, Protocol):
    """The place of a person: a channel, as to a remote worker, that also shows possible answers."""

    def offer(self, asked: Asked) -> None:
        """Show the person what can be answered to the next assignment."""
        ...


class Person:
    """A person at a seat, who has `limit` seconds for each action.

    A person who exceeds the limit is unavailable for that timestep and is asked again at the next
    one. People who share a place share `turn`, a lock, so that one of them is asked at a time.
    """

    def __init__(
        self, seat: PersonChannel, limit: float = math.inf, turn: asyncio.Lock | None = None
    ) -> None:
        self._seat = seat
        self._limit = limit
        self._turn = turn or asyncio.Lock()
        self.seconds: list[float] = []

    async def answer(self, asked: Asked) -> Answered:
        """Ask the person and return the answer. Add the seconds it took to `seconds`."""
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
