"""A seat: one person answers questions there, one after the other."""

from __future__ import annotations

import asyncio
from typing import Any

from cookmas.files.errors import InputError
from cookmas.people.working.asked import MoveQuestion, PersonQuestion
from cookmas.people.working.talk import Talk
from cookmas.people.working.view import View
from cookmas.workers.person import Asked
from cookmas.workers.remote import Reported


class PersonSeat:
    """The seat of the person who plays a worker. `limit` is the time for an action in seconds.

    The orchestrator calls `offer`, and then `assign`, `reports` and `ask` as for a remote worker.
    The person's side uses `question`, `wait_for_change` and `answer`. `view` is the part of the
    trace that the person can see. `number` grows whenever a question is asked, answered or
    withdrawn; an answer names the number of its question. The planned action is shown only if the
    seat `suggests` it. `over` is the reason why no more questions follow, and None until then.
    """

    def __init__(
        self, worker: str, view: View, limit: float | None = None, *, suggests: bool = True
    ) -> None:
        self.worker = worker
        self.suggests = suggests
        self.view = view
        self.number = 0
        self.question: PersonQuestion | None = None
        self.over: str | None = None
        self._limit = limit
        self._asked: Asked | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._news = asyncio.Event()

    def put(self, question: PersonQuestion) -> asyncio.Future[Any]:
        """Replace the present question by this one, and return the future of its answer."""
        self._answer = asyncio.get_running_loop().create_future()
        self._change(question)
        return self._answer

    def close(self, why: str) -> None:
        """End the questions, and tell the person why."""
        self.over = self.over or why
        self._change(None)

    def withdraw(self) -> None:
        """Withdraw the present question, if there is one."""
        if self.question is not None:
            self._change(None)

    def answer(self, number: int, said: object) -> None:
        """Answer the present question. Raises InputError if the answer is invalid or the number
        outdated.
        """
        if self.question is None or number != self.number:
            raise InputError("answer", "it is too late: this question was withdrawn")
        checked = self.question.check(said)
        assert self._answer
        self._answer.set_result(checked)
        self._change(None)

    async def wait_for_change(self, seen: int) -> None:
        """Return as soon as `number` differs from `seen`."""
        while self.number == seen:
            await self._news.wait()

    def _change(self, question: PersonQuestion | None) -> None:
        self.question = question
        self.number += 1
        self._news.set()
        self._news = asyncio.Event()

    def offer(self, asked: Asked) -> None:
        """Take the legal actions that the next call of `assign` offers to the person."""
        self._asked = asked

    async def assign(self, timestep: int, assignment: str) -> str:
        """Ask for the worker's action; return the number of the question."""
        asked = self._asked
        assert asked
        now = asyncio.get_running_loop().time()
        self.put(self.make_move(asked, None if self._limit is None else now + self._limit))
        return str(self.number)

    def make_move(
        self,
        asked: Asked,
        until: float | None,
        *,
        talk: Talk | None = None,
        chosen: str | None = None,
    ) -> MoveQuestion:
        """Return the question for an action; its other arguments are as in `MoveQuestion`."""
        legal = asked["legal"]
        keys, forms = self.view.keys, self.view.forms
        shown = (asked["assignment"], *legal) if self.suggests else legal
        return MoveQuestion(
            asked=asked,
            until=until,
            words={action: self.view.words(action) for action in (*shown, *keys.actions.values())},
            suggests=self.suggests,
            forms=forms,
            refusal=self.view.refusal if forms else None,
            talk=talk,
            chosen=chosen,
            keys=keys,
        )

    async def ask(self) -> None:
        """Withdraw the question: the deadline of the person's assignment has passed."""
        self.withdraw()

    async def reports(self, seconds: float) -> list[Reported]:
        assert self._answer
        asked = str(self.number)
        done, _ = await asyncio.wait({self._answer}, timeout=seconds)
        return [{"assignment": asked, "action": answered.result()} for answered in done]
