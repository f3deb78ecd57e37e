"""People who play: what they have been asked and have not answered yet.

The graph stops with interrupts, one for each person. Each is put to its person; as soon as one has
answered the graph goes on with that, so that the answer is kept while the others still think.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from langgraph.types import Command, Interrupt

from workers.person import Answered, Person


class People:
    """People who play, by the worker of each, and what they have been asked."""

    def __init__(self, people: Mapping[str, Person]) -> None:
        self._people = people
        self._open: dict[str, asyncio.Task[Answered]] = {}

    @property
    def open(self) -> bool:
        """Whether somebody is still to answer."""
        return bool(self._open)

    def ask(self, interrupts: Iterable[Interrupt]) -> None:
        """Put to people what the graph has stopped for.

        What has been already is not put again, nor what there is nobody for any more.
        """
        for each in interrupts:
            person = self._people.get(each.value["worker"])
            if person and each.id not in self._open:
                self._open[each.id] = asyncio.create_task(person.answer(each.value))

    async def answers(self) -> Command[None]:
        """What the graph goes on with: the answers of all who have given one, at least of one."""
        await asyncio.wait(self._open.values(), return_when=asyncio.FIRST_COMPLETED)
        answered = [name for name, task in self._open.items() if task.done()]
        return Command(resume={name: self._open.pop(name).result() for name in answered})

    async def withdraw(self) -> None:
        """Ask nobody any more."""
        for task in self._open.values():
            task.cancel()
        await asyncio.gather(*self._open.values(), return_exceptions=True)
