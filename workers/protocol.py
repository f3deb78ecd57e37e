"""What a worker is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from files.errors import CookMASError


class AwayError(CookMASError):
    """A worker does not answer; its sentence says which, and what is known of it."""


class Worker(Protocol):
    """Carries out assignments, one for each timestep."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """The action that `worker` carries out at `timestep`, given the one it was assigned.

        An error, or taking too long, means that there is no action, which is a FAIL. AwayError says
        that it will be away until it answers again: the orchestrator plans without it.
        """
        ...


@runtime_checkable
class Returning(Protocol):
    """A worker that may be away, and says when it is there again."""

    async def back(self) -> None:
        """Return as soon as it answers again."""
        ...
