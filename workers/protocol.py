"""The protocol of a worker, and the scripted worker, which does what the schedule says."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from files.errors import CookMASError


class AwayError(CookMASError):
    """A worker does not answer. The message says which one, and what is known about it."""


class Worker(Protocol):
    """A worker carries out assignments, one for each timestep."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """Return the action that `worker` carries out at `timestep`, given its assignment.

        If it raises an error or takes too long, there is no action, which is a FAIL. If it raises
        AwayError, the worker is unavailable until it answers again, and the orchestrator plans
        without it.
        """
        ...


@runtime_checkable
class Returning(Protocol):
    """A worker that can be unavailable and that reports when it is back."""

    async def wait_until_back(self) -> None:
        """Wait until the worker answers again."""
        ...


class ScriptedWorker:
    """A worker that carries out its assignment exactly."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """Return the assignment."""
        return assignment
