"""Trial import of a user-supplied module in a child process, since an import can end a process."""

from __future__ import annotations

import contextlib
import sys
from functools import lru_cache

from cookmas.episodes.failure import FailedError
from cookmas.files.errors import CookMASError
from cookmas.sandbox.child import Child, Limits
from cookmas.sandbox.host import Ask
from cookmas.worlds.base.loading import load_domain

LONGEST_IMPORT = 60.0
"""Maximum seconds for the import of a world."""


class Trial:
    """The child process's side of the trial."""

    def __init__(self, ask: Ask) -> None:
        """Ignore `ask`, since the trial asks for nothing."""

    async def load(self, spec: str) -> None:
        """Load a world. Ignore a CookMASError, because the parent process loads the world too, and
        raises the error.
        """
        with contextlib.suppress(CookMASError):
            load_domain(spec)


def try_world(spec: str) -> None:
    """Raise FailedError if loading a user-supplied world ends the process or does not end.

    A world whose module is already imported is not tried.
    """
    if spec.partition(":")[0] not in sys.modules:
        _try(spec, tuple(sys.path))


@lru_cache(maxsize=8)
def _try(spec: str, path: tuple[str, ...]) -> None:
    """Load a world in a child process, once for each import path."""
    child = Child(f"{__name__}:{Trial.__name__}", Limits(seconds=LONGEST_IMPORT))
    with contextlib.closing(child):
        try:
            child.ask("load", spec)
        except FailedError as error:
            raise FailedError(f"world {spec!r}: {error}", error.traceback) from None
