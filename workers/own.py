"""A worker that a person wrote, which acts in a process of its own."""

from __future__ import annotations

from episodes.apart.child import Child, Limits


class OwnWorker:
    """The worker `module:Class` apart; it has so many `seconds` for an action, and is closed.

    After a failure it is made anew. Raises InputError if it is none, FailedError if it cannot be
    made.
    """

    def __init__(self, spec: str, seconds: float = 60.0) -> None:
        self._spec = spec
        self._child = Child("workers.hosted:HostedWorker", Limits(seconds=seconds))
        try:
            self._child.ask("load", spec)
        except BaseException:
            self._child.close()
            raise

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """The action. Raises FailedError if there is none."""
        action = await self._child.call("act", [self._spec, timestep, worker, assignment])
        return str(action)

    def close(self) -> None:
        """End its process."""
        self._child.close()
