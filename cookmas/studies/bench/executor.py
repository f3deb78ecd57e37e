"""Executors: where the episodes of a sweep are played."""

from __future__ import annotations

from typing import Protocol, Self

from cookmas.studies.bench.spec import Job, Played


class Executor(Protocol):
    """Plays episodes somewhere, `capacity` of them at a time.

    It is entered before the first job and left after the last one. What comes of a job depends on
    nothing but the job.
    """

    async def __aenter__(self) -> Self:
        """Make ready to play."""
        ...

    async def __aexit__(self, *error: object) -> None:
        """Let go of everything, jobs under way included."""
        ...

    @property
    def capacity(self) -> int:
        """How many jobs it wants to have under way."""
        ...

    async def play(self, job: Job) -> Played:
        """Play an episode; one whose process died comes back as `failed`. Raises CookMASError."""
        ...


class Here:
    """Plays episodes in this process, `at_a_time` of them together."""

    def __init__(self, at_a_time: int = 1) -> None:
        self.capacity = at_a_time

    async def __aenter__(self) -> Self:
        """Import what is needed before the first episode is timed."""
        import cookmas.studies.bench.play  # noqa: F401

        return self

    async def __aexit__(self, *error: object) -> None:
        """There is nothing to be left."""

    async def play(self, job: Job) -> Played:
        """Play an episode. Raises CookMASError."""
        from cookmas.studies.bench.play import play

        return await play(job)
