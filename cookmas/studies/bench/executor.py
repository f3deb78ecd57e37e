"""Executors: where the episodes of a sweep are played."""

from __future__ import annotations

from typing import Protocol, Self

from cookmas.studies.bench.spec import EpisodeJob, JobResult


class Executor(Protocol):
    """An object that plays episodes, `capacity` of them at a time.

    The sweep enters the executor, as a context manager, before the first job, and leaves it after
    the last. The result of a job must depend on the job alone.
    """

    async def __aenter__(self) -> Self:
        """Prepare to play."""
        ...

    async def __aexit__(self, *error: object) -> None:
        """Release everything and cancel the jobs in progress."""
        ...

    @property
    def capacity(self) -> int:
        """Number of jobs that should be in progress at a time."""
        ...

    async def play(self, job: EpisodeJob) -> JobResult:
        """Play an episode and return its result.

        If the infrastructure fails, for example because the process that plays the episode dies,
        the result has the reason as `failed`. Raise CookMASError if another attempt cannot help.
        """
        ...


class LocalExecutor:
    """An executor in this process that plays `at_a_time` episodes together."""

    def __init__(self, at_a_time: int = 1) -> None:
        self.capacity = at_a_time

    async def __aenter__(self) -> Self:
        """Import the modules that play episodes, before the first episode is timed."""
        import cookmas.studies.bench.play  # noqa: F401

        return self

    async def __aexit__(self, *error: object) -> None:
        """Do nothing."""

    async def play(self, job: EpisodeJob) -> JobResult:
        """Play an episode. Raise CookMASError."""
        from cookmas.studies.bench.play import play

        return await play(job)
