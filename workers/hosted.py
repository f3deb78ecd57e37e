"""The home of a worker that a person wrote: the side of the process in which it acts."""

from __future__ import annotations

import inspect
from typing import Any

from episodes.failure import failed
from files.errors import InputError
from files.lines import with_article
from sandbox.host import Ask
from sandbox.importing import imported, made
from workers.protocol import Worker


class HostedWorker:
    """A worker, made when it is first needed."""

    def __init__(self, ask: Ask) -> None:
        """It has nothing to ask for."""
        self._worker: Worker | None = None

    async def load(self, spec: str) -> None:
        """Make the worker of a spec. Raises InputError or FailedError."""
        self._worker = self._worker or load_worker(spec)

    async def act(self, asked: list[Any]) -> str:
        """The action of a worker of a spec, given timestep, name and assignment."""
        spec, timestep, name, assignment = asked
        await self.load(spec)
        assert self._worker
        act = self._worker.act
        try:
            answering = act(timestep, name, assignment)
            if not inspect.isawaitable(answering):
                raise TypeError("act is not async; expected 'async def'")
            action = await answering
            if not isinstance(action, str):
                raise TypeError(f"act answers {with_article(type(action).__name__)}; expected text")
            action.encode()
        except (Exception, SystemExit) as error:
            raise failed(error, act) from error
        return action


def load_worker(spec: str) -> Worker:
    """Return the worker that `spec` names.

    Raises InputError with what is wrong with it, FailedError if it fails.
    """
    where = f"worker {spec!r}"
    return made(imported(spec, where), {}, where, _checked)


def _checked(found: Any, where: str) -> Worker:
    if not callable(getattr(found, "act", None)):
        raise InputError(where, "is no worker: it has no method act")
    worker: Worker = found
    return worker
