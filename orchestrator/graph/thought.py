"""A thought: the call of a planner that goes on while timesteps pass, by a wall clock."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from cookmas.orchestrator.planner import Plan, Planner

Answered = tuple[Plan, Planner] | None
"""An answer and the planner that gave it; None if there is none."""


class Thought:
    """At most one call of a planner in this process; it is no part of a checkpoint."""

    def __init__(self) -> None:
        self._task: asyncio.Task[Answered] | None = None

    @property
    def began(self) -> bool:
        """True if this process has called the planner."""
        return self._task is not None

    @property
    def ended(self) -> bool:
        """True if the planner has answered or failed."""
        return self._task is not None and self._task.done()

    def begin(self, call: Coroutine[Any, Any, Answered]) -> None:
        """Begin a call, in place of an earlier one."""
        if self._task is not None:
            self._task.cancel()
        self._task = asyncio.create_task(call)

    async def answer(self) -> Answered:
        """Return the answer, once. Raise what the planner raised."""
        assert self._task is not None
        task, self._task = self._task, None
        return await task

    async def close(self) -> None:
        """Cancel the call."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
