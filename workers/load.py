"""User-supplied workers, loaded by their name `package.module:Class`."""

from __future__ import annotations

from typing import Any

from episodes.errors import InputError
from episodes.importing import imported, made
from workers.protocol import Worker


def load_worker(spec: str) -> Worker:
    """Create the user-supplied worker that `spec` names.

    Raises InputError, which says what is wrong with the class, or FailedError if its code fails.
    """
    where = f"worker {spec!r}"
    return made(imported(spec, where), {}, where, _check)


def _check(thing: Any, where: str) -> Worker:
    if not callable(getattr(thing, "act", None)):
        raise InputError(where, "is no worker: it has no method act")
    worker: Worker = thing
    return worker
