"""The protocol of a worker, and the scripted worker, which carries out the schedule."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from cookmas.files.errors import CookMASError


class AwayError(CookMASError):
    """A worker does not answer. The message names the worker and the reason."""


class Worker(Protocol):
    """A worker, which carries out one assignment at each timestep."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """Return the action that `worker` carries out at `timestep`, given its assignment.

        If this method raises AwayError, the worker is unavailable until it answers again, and the
        orchestrator plans without it. If it raises any other error or takes too long, there is no
        action, which is a FAIL.
        """
        ...


@runtime_checkable
class Returning(Protocol):
    """A worker that can be unavailable, and for whose return the orchestrator can wait."""

    async def wait_until_back(self) -> None:
        """Wait until the worker answers again."""
        ...


class ScriptedWorker:
    """A worker that carries out its assignment exactly."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """Return the assignment."""
        return assignment
