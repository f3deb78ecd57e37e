"""A worker that a person wrote, which acts in a process of its own."""

from __future__ import annotations

from sandbox.child import Child, Limits


class OwnWorker:
    """The worker `module:Class` apart.

    It gets the variables with the names in `environment`, and has so many `seconds` for an action.
    After a failure it is made anew. `close` ends its process. Raises InputError if it is none,
    FailedError if it cannot be made.
    """

    def __init__(self, spec: str, environment: tuple[str, ...] = (), seconds: float = 60.0) -> None:
        self._spec = spec
        limits = Limits(seconds=seconds, environment=environment)
        self._child = Child("workers.hosted:HostedWorker", limits)
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
