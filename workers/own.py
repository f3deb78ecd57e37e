"""A user-supplied worker that runs in a subprocess."""

from __future__ import annotations

from sandbox.child import Child, Limits


class OwnWorker:
    """The worker `module:Class` in a subprocess.

    The subprocess gets the environment variables that `environment` names. Each action may take
    `seconds`. After a failure, a new worker is created. `close` ends the subprocess. The
    constructor raises InputError if the class is no worker, FailedError if it cannot be created.
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
        """Return the worker's action. Raises FailedError if it gives none."""
        action = await self._child.call("act", [self._spec, timestep, worker, assignment])
        return str(action)

    def close(self) -> None:
        """End the subprocess."""
        self._child.close()
