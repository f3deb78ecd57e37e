"""Where a lease stands that orchestrators with folders of their own compete for.

The lock of a folder excludes nobody who has a copy of it elsewhere. What such a one shares with the
first is the database of the checkpoints, or the kitchen in Redis: the lease stands there too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

PATIENCE = 4.0
"""Seconds without a touch after which a lease passes on."""


class Standing(NamedTuple):
    """The fencing number that was claimed last, and who has touched the lease lately."""

    fence: int
    holder: str | None


class SharedLease(ABC):
    """The lease of a run in a place that is not in its folder."""

    @abstractmethod
    async def standing(self) -> Standing:
        """Who has it."""

    @abstractmethod
    async def claim(self, fence: int, holder: str) -> None:
        """Take it under a number above all before. Raises LeaseLostError if there is a higher."""

    @abstractmethod
    def touch(self, fence: int, holder: str) -> None:
        """The holder is alive; called from a thread of its own.

        Raises LeaseLostError if there is a higher number.
        """
