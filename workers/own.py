"""A user-supplied worker that runs in a subprocess."""

from __future__ import annotations

from cookmas.sandbox.child import Child, Limits


class OwnWorker:
    """A worker of the class `spec`, written as `module:Class`, that runs in a subprocess.

    The subprocess gets the environment variables that `environment` names. Each action may take
    `seconds`. After a failure of the subprocess, the next call creates a new worker. `close` ends
    the subprocess. The constructor raises InputError if the class is no worker, FailedError if the
    worker cannot be created.
    """

    def __init__(self, spec: str, environment: tuple[str, ...] = (), seconds: float = 60.0) -> None:
        self._spec = spec
        limits = Limits(seconds=seconds, environment=environment)
        self._child = Child("cookmas.workers.hosted:HostedWorker", limits)
        try:
            self._child.ask("load", spec)
        except BaseException:
            self._child.close()
            raise

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        """Return the worker's action. Raise FailedError if the worker gives none."""
        action = await self._child.call("act", [self._spec, timestep, worker, assignment])
        return str(action)

    def close(self) -> None:
        """End the subprocess."""
        self._child.close()
