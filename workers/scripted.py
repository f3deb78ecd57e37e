"""The scripted worker: it does what the schedule says."""

from __future__ import annotations


class ScriptedWorker:
    """A worker that carries out its assignment exactly."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """Return the assignment."""
        return assignment
