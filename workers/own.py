"""A user-supplied worker, which runs in a subprocess.

`OwnWorker` is the calling side. The subprocess calls the functions `load` and `act` of this module.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from cookmas.episodes.failure import boundary
from cookmas.files.errors import InputError
from cookmas.files.lines import with_article
from cookmas.sandbox.child import Child, Limits
from cookmas.sandbox.importing import construct, import_named
from cookmas.workers.protocol import Assigned, Report, Worker


class OwnWorker:
    """A worker of the class `spec`, written as `module:Class`, that runs in a subprocess.

    The subprocess gets the environment variables that `environment` names. Each action may take
    `seconds`. After a failure of the subprocess, the next call creates a new worker. `close` ends
    the subprocess. The constructor raises InputError if the class is no worker, FailedError if the
    worker cannot be created.
    """

    def __init__(self, spec: str, environment: tuple[str, ...] = (), seconds: float = 60.0) -> None:
        self._spec = spec
        limits = Limits(seconds=seconds, environment=environment)
        self._child = Child(__name__, limits)
        try:
            self._child.ask("load", spec)
        except BaseException:
            self._child.close()
            raise

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        """Return the worker's report. Raise FailedError if the worker gives none."""
        asked = [self._spec, timestep, worker, assignment.data()]
        return Report.of_data(await self._child.call("act", asked))

    def close(self) -> None:
        self._child.close()


async def load(spec: str) -> None:
    """Create the worker that `spec` names, once. Raise as `load_worker` does."""
    _load_once(spec)


async def act(asked: tuple[str, int, str, dict[str, Any]]) -> dict[str, Any]:
    """Return the report of a worker in this process, as plain data.

    `asked` has the worker's spec, the timestep, the worker's name and its assignment. Raise
    FailedError if the worker raises an error or does not answer with a report or text.
    """
    spec, timestep, name, data = asked
    assignment = Assigned.of_data(data, name)
    method = _load_once(spec).act
    with boundary(method, allowed=()):
        answering = method(timestep, name, assignment)
        if not inspect.isawaitable(answering):
            raise TypeError("act is not async; expected 'async def'")
        answer = await answering
        if not isinstance(answer, str | Report):
            kind = with_article(type(answer).__name__)
            raise TypeError(f"act answers {kind}; expected text or a Report")
        report = Report.of(answer)
    return report.data()


@cache
def _load_once(spec: str) -> Worker:
    return load_worker(spec)


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
