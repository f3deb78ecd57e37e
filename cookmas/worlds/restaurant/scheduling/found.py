"""Schedules that searches find, and the choice of the shorter one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cookmas.worlds.restaurant.scheduling.reuse import Remaining
from cookmas.worlds.restaurant.scheduling.states import HOPELESS, PlacementError, Solution


class Found(NamedTuple):
    """A schedule that a search found, with its workload."""

    work: Remaining
    solution: Solution

    @property
    def length(self) -> int:
        """Number of timesteps of the schedule."""
        return self.solution.length


def length_of(found: Found | None) -> float:
    """Return the number of timesteps of a schedule; HOPELESS if there is none."""
    return found.length if found else HOPELESS


def better(found: Found | None, search: Callable[[], Found | None]) -> Found | None:
    """Return the schedule of a search if it is shorter than `found`, else `found`.

    Raises PlacementError if the search does and `found` is None.
    """
    try:
        other = search()
    except PlacementError:
        if found is None:
            raise
        return found
    if found is None or (other is not None and other.length < found.length):
        return other
    return found
