"""A seat: where one person is asked one thing after the other, and answers."""

from __future__ import annotations

import asyncio
from typing import Any

from cookmas.seats.people.asked import Move, Question
from cookmas.seats.people.view import View
from files.errors import InputError
from workers.person import Asked
from workers.remote import Report


class Seat:
    """The seat of the person who plays a worker, with so many seconds as `limit` for an action.

    The orchestrator's side is that of a remote worker's channel, with `offer` before; the person's
    side is `question`, `changed` and `answer`. `view` is what can be seen from here. `number`
    counts what has been asked and withdrawn: an answer says which it is to. What the schedule would
    have the worker do is told only where it `suggests` that. Once it is `over`,
    which says why, nothing will be asked any more.
    """

    def __init__(
        self, worker: str, view: View, limit: float | None = None, *, suggests: bool = True
    ) -> None:
        self.worker = worker
        self.suggests = suggests
        self.view = view
        self.number = 0
        self.question: Question | None = None
        self.over: str | None = None
        self._limit = limit
        self._asked: Asked | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._news = asyncio.Event()

    def put(self, question: Question) -> asyncio.Future[Any]:
        """Ask something, in place of what was asked before; returns the answer that will come."""
        self._answer = asyncio.get_running_loop().create_future()
        self._change(question)
        return self._answer

    def close(self, why: str) -> None:
        """Nothing will be asked any more, as the person is told."""
        self.over = self.over or why
        self._change(None)

    def withdraw(self) -> None:
        """Ask nothing any more."""
        self._change(None)

    def answer(self, number: int, said: object) -> None:
        """Answer what is asked. Raises InputError if it is no answer, or to something else."""
        if self.question is None or number != self.number:
            raise InputError("answer", "this is not what is asked any more")
        checked = self.question.checked(said)
        assert self._answer
        self._answer.set_result(checked)
        self._change(None)

    async def changed(self, seen: int) -> None:
        """Return as soon as `number` is another one than what was seen."""
        while self.number == seen:
            await self._news.wait()

    def _change(self, question: Question | None) -> None:
        self.question = question
        self.number += 1
        self._news.set()
        self._news = asyncio.Event()

    def offer(self, asked: Asked) -> None:
        """Say what can be answered to the assignment that comes next."""
        self._asked = asked

    async def assign(self, timestep: int, assignment: str) -> str:
        """Ask what the worker does."""
        asked = self._asked
        assert asked
        now = asyncio.get_running_loop().time()
        told = (assignment, *asked["legal"]) if self.suggests else asked["legal"]
        words = {each: self.view.words(each) for each in told}
        until = None if self._limit is None else now + self._limit
        forms = {} if asked["legal"] else self.view.forms
        self.put(Move(asked=asked, until=until, words=words, suggests=self.suggests, forms=forms))
        return str(self.number)

    async def ask(self) -> None:
        """It is too late for an answer."""
        self.withdraw()

    async def reports(self, seconds: float) -> list[Report]:
        """The action, if it comes within so many seconds."""
        assert self._answer
        number = str(self.number)
        done, _ = await asyncio.wait({self._answer}, timeout=seconds)
        return [Report(assignment=number, action=each.result()) for each in done]
