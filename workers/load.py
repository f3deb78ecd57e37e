"""Workers by what a person calls them: `package.module:Class`."""

from __future__ import annotations

from episodes.errors import InputError
from episodes.importing import imported
from workers.protocol import Worker
from workers.scripted import ScriptedWorker


def load_worker(spec: str | None) -> Worker:
    """The worker of one's own that `spec` says, or one that does what it is assigned.

    Raises InputError with what is wrong with it.
    """
    if spec is None:
        return ScriptedWorker()
    where = f"worker {spec!r}"
    factory = imported(spec, where)
    try:
        found = factory()
    except TypeError as error:
        raise InputError(where, f"cannot be made without arguments ({error})") from None
    if not callable(getattr(found, "act", None)):
        raise InputError(where, "is no worker: it has no method act")
    worker: Worker = found
    return worker
