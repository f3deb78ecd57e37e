"""The part of a run's lease that stands in a place which several folders share.

The lock of a folder excludes nobody who has a copy of the folder elsewhere. Such a process shares
the database of the checkpoints, or the episode in Redis: the lease stands there too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple

BEAT = 1.0
"""Seconds between two heartbeats, and the most that one heartbeat waits for an answer."""

PATIENCE = 4 * BEAT
"""Seconds without a heartbeat after which a lease passes on."""

Renew = Callable[[], Coroutine[Any, Any, None]]
"""Renews a lease. Raises LeaseLostError if another process has it."""


class Standing(NamedTuple):
    """How a lease stands: the last fencing number, the holder, and the last heartbeat.

    Each heartbeat changes `beat`, which is compared for equality alone and is no time.
    """

    fence: int
    holder: str | None
    beat: str


class SharedLease(ABC):
    """The lease of a run in a place that is not in its folder."""

    @abstractmethod
    async def standing(self) -> Standing:
        """Return how the lease stands."""

    @abstractmethod
    async def claim(self, fence: int, holder: str) -> None:
        """Take the lease under a number above all before.

        Raises LeaseLostError if there is a higher one.
        """

    @abstractmethod
    def renewing(self, fence: int, holder: str) -> AbstractAsyncContextManager[Renew]:
        """Give what renews the lease, on a connection of its own, in the loop that enters this."""
