"""The part of a run's lease in a place that several folders share.

A folder's lock does not exclude a process with a copy of the folder. Such a process shares the
database of the checkpoints, or the episode in Redis; the lease is there too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple

BEAT = 1.0
"""Seconds between two heartbeats, and the timeout of one heartbeat."""

PATIENCE = 4 * BEAT
"""Seconds without a heartbeat after which another process may take the lease."""

Renew = Callable[[], Coroutine[Any, Any, None]]
"""Renews a lease. Raises LeaseLostError if another process has it."""


class LeaseState(NamedTuple):
    """The state of a lease."""

    fence: int
    """The last fencing number."""
    holder: str | None
    """The process that holds the lease; None if none does."""
    beat: str
    """The last heartbeat: a text that each heartbeat changes, compared only for equality."""


class SharedLease(ABC):
    """The lease of a run outside its folder."""

    @abstractmethod
    async def read_lease(self) -> LeaseState:
        """Return the state of the lease."""

    @abstractmethod
    async def claim(self, fence: int, holder: str) -> None:
        """Take the lease under a fencing number above all earlier ones.

        Raises LeaseLostError if there is a higher number.
        """

    @abstractmethod
    def start_renewing(self, fence: int, holder: str) -> AbstractAsyncContextManager[Renew]:
        """Yield a function that renews the lease, on its own connection, in the loop that enters
        this.
        """
