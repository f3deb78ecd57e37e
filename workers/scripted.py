"""The scripted worker: does what the schedule says."""

from __future__ import annotations


class ScriptedWorker:
    """A worker that carries out its assignment to the letter."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """The assignment itself."""
        return assignment
