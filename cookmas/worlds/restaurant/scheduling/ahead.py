"""A lower bound of the rest of a partial schedule."""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.worlds.restaurant.scheduling.ranking import RankedTask
from cookmas.worlds.restaurant.scheduling.states import PartialSchedule

PUT_APART = 2
"""Timesteps between two puts into one place."""


class Ahead:
    """A lower bound of the time that a partial schedule still needs, cached by the remaining tasks.

    `needed` has the bits of the tasks that must be done. `after` has for each stage the least time
    from the moment when all its foods are in to the serving of its dish. `workers` is the number of
    workers in service.
    """

    def __init__(
        self, entries: Sequence[RankedTask], needed: int, after: Sequence[int], workers: int
    ) -> None:
        self._entries = entries
        self._needed = needed
        self._after = after
        self._workers = workers
        self._known: dict[int, tuple[float, int]] = {}

    def of(self, state: PartialSchedule) -> tuple[float, int]:
        """Return the least time that the remaining tasks take, and their total work (timesteps)."""
        known = self._known.get(state.todo)
        if known is None:
            workers, longest, work, todo = self._workers, 0.0, 0, state.todo & self._needed
            for entry in self._entries:
                if entry.bit & todo:
                    work += entry.work
                    if work / workers + entry.after > longest:
                        longest = work / workers + entry.after
                    if entry.tail > longest:
                        longest = entry.tail
            for stage, left in state.left.items():
                if left:
                    longest = max(longest, PUT_APART * left + self._after[stage])
            known = self._known[state.todo] = longest, work
        return known
