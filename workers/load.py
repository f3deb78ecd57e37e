"""Workers by what a person calls them: `package.module:Class`."""

from __future__ import annotations

from typing import Any

from files.errors import InputError
from sandbox.importing import imported, made
from workers.protocol import Worker


def load_worker(spec: str) -> Worker:
    """The worker of one's own that `spec` says.

    Raises InputError with what is wrong with it, FailedError if it fails.
    """
    where = f"worker {spec!r}"
    return made(imported(spec, where), {}, where, _checked)


def _checked(found: Any, where: str) -> Worker:
    if not callable(getattr(found, "act", None)):
        raise InputError(where, "is no worker: it has no method act")
    worker: Worker = found
    return worker
