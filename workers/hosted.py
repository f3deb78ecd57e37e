"""The subprocess side of a user-supplied worker: it loads the worker and calls it."""

from __future__ import annotations

import inspect
from typing import Any

from cookmas.episodes.failure import failure_of
from cookmas.files.errors import InputError
from cookmas.files.lines import with_article
from cookmas.sandbox.host import Ask
from cookmas.sandbox.importing import construct, import_named
from cookmas.workers.protocol import Worker


class HostedWorker:
    """The host of a user-supplied worker; it creates the worker when the worker is first needed."""

    def __init__(self, ask: Ask) -> None:
        """Create a host without a worker.

        `ask` sends requests to the parent process; it is unused, because a worker sends no
        requests.
        """
        self._worker: Worker | None = None

    async def load(self, spec: str) -> None:
        """Create the worker that `spec` names, once. Raise as `load_worker` does."""
        self._worker = self._worker or load_worker(spec)

    async def act(self, asked: list[Any]) -> str:
        """Return the worker's action.

        `asked` has four entries: the worker's spec, the timestep, the worker's name and its
        assignment. Raise FailedError if the worker raises an error or does not return text.
        """
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
            raise failure_of(error, act) from error
        return action


def load_worker(spec: str) -> Worker:
    """Create the user-supplied worker that `spec` names.

    Raise InputError if the class is no worker, FailedError if its code fails.
    """
    where = f"worker {spec!r}"
    return construct(import_named(spec, where), {}, where, _check)


def _check(found: Any, where: str) -> Worker:
    if not callable(getattr(found, "act", None)):
        raise InputError(where, "is no worker: it has no method act")
    worker: Worker = found
    return worker
