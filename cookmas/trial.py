"""Trial of somebody's module: it is first imported in a process of its own, which it may end."""

from __future__ import annotations

import contextlib
import sys
from functools import lru_cache

from episodes.failure import FailedError
from files.errors import CookMASError
from sandbox.child import Child, Limits
from sandbox.host import Ask
from worlds.loading import load_domain

LONGEST_IMPORT = 60.0
"""Seconds that the import of a world may take."""


class Trial:
    """The side of the trial that runs apart."""

    def __init__(self, ask: Ask) -> None:
        """The trial has nothing to ask for."""

    async def load(self, spec: str) -> None:
        """Load a world; an error that it raises is raised again where it is loaded in earnest."""
        with contextlib.suppress(CookMASError):
            load_domain(spec)


def try_world(spec: str) -> None:
    """Raise FailedError if to load a world from outside ends the process, or does not end.

    A module that is imported already has shown that it does neither.
    """
    if spec.partition(":")[0] not in sys.modules:
        _try(spec, tuple(sys.path))


@lru_cache(maxsize=8)
def _try(spec: str, path: tuple[str, ...]) -> None:
    """Load a world apart, once for each path on which its module is looked for."""
    child = Child(f"{__name__}:{Trial.__name__}", Limits(seconds=LONGEST_IMPORT))
    with contextlib.closing(child):
        try:
            child.ask("load", spec)
        except FailedError as error:
            raise FailedError(f"world {spec!r}: {error}", error.traceback) from None
