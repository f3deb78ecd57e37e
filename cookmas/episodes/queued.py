"""Queued schedules: in a world whose actions last, the actions of each worker are a queue.

An action begins at its timestep if its worker can move then. Otherwise it begins as soon as the
worker can move, after the actions before it. So no action is left out because an earlier one
lasts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from cookmas.episodes.world import Command, Commands


class QueuedSchedule(NamedTuple):
    """A schedule whose actions are queues, and how much of it is begun."""

    entries: Sequence[Commands]
    """The commands of each timestep."""
    begin: int
    """Timestep of the first entry."""
    begun: Mapping[str, int]
    """Number of the actions that each worker has begun; a worker that is not named has begun none.
    """

    def list_rest(self, timestep: int) -> list[list[Command]]:
        """Return the commands of each timestep from the present one on that are not begun yet.

        An action is expected at its own timestep, or one timestep after the action before it if
        that is later. The commands of the present timestep are due now.
        """
        rows: list[list[Command]] = []
        passed: dict[str, int] = {}
        free: dict[str, int] = {}
        for planned, entry in enumerate(self.entries, start=self.begin):
            for command in entry:
                worker = command.worker
                passed[worker] = passed.get(worker, 0) + 1
                if passed[worker] <= self.begun.get(worker, 0):
                    continue
                at = max(planned, timestep, free.get(worker, 0))
                free[worker] = at + 1
                rows += [[] for _ in range(at + 1 - timestep - len(rows))]
                rows[at - timestep].append(command)
        return rows

    def count_begun(self, timestep: int, moving: Collection[str]) -> dict[str, int]:
        """Return `begun` after a timestep in which the workers in `moving` can move."""
        due: Iterable[Command] = next(iter(self.list_rest(timestep)), ())
        begun = dict(self.begun)
        for command in due:
            if command.worker in moving:
                begun[command.worker] = begun.get(command.worker, 0) + 1
        return begun
