"""What a worker is."""

from __future__ import annotations

from typing import Protocol


class Worker(Protocol):
    """Carries out assignments, one for each timestep."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """The action that `worker` carries out at `timestep`, given the one it was assigned.

        An error, or taking too long, means that there is no action, which is a FAIL.
        """
        ...
