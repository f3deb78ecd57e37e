"""A run's lease in a database, for processes that use different folders.

The lock in a folder does not exclude a process that works in a copy of the folder. But the two
processes use the same database of checkpoints, or the same episode in Redis. So the lease is stored
there too.
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
"""A function that renews a lease. It raises LeaseLostError if another process holds the lease."""


class LeaseState(NamedTuple):
    """The state of a lease, as one query returns it."""

    fence: int
    """The last fencing number."""
    holder: str | None
    """The digest of the machine and the folder of the last holder; None if there has been none."""
    beat: str
    """A text that each heartbeat changes; it is compared only for equality."""


class SharedLease(ABC):
    """The lease of a run, as stored outside the run's folder: in PostgreSQL or in Redis."""

    @abstractmethod
    async def read_lease(self) -> LeaseState:
        """Return the state of the lease."""

    @abstractmethod
    async def claim(self, fence: int, holder: str) -> None:
        """Take the lease under the fencing number `fence`, which must be above all earlier ones.

        `holder` is the digest of this machine and the run's folder. Raise LeaseLostError if there
        is a higher number.
        """

    @abstractmethod
    def start_renewing(self, fence: int, holder: str) -> AbstractAsyncContextManager[Renew]:
        """Yield a function that renews the lease; the function has its own connection.

        `fence` and `holder` are as in `claim`. The function must run in the event loop that enters
        this context manager.
        """
