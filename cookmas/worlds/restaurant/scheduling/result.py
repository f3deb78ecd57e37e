"""The result of scheduling, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cookmas.episodes.parts import SearchRecord, SearchStatus

Schedule = list[dict[str, str]]
"""For each timestep from now on, the action of each worker in text."""

Fallback = Literal["waiting"]
"""The schedule that is returned if no search finds one: it waits for a few timesteps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleResult:
    """The result of scheduling."""

    status: SearchStatus
    """How much the schedule serves, or why there is none."""
    schedule: Schedule
    """The actions of each timestep; empty if there is no schedule."""
    bound: int | None = None
    """Lower bound, in timesteps, for everything that can be served now; None if there is none."""
    configuration: str | None = None
    """Name of the search configuration that found the schedule; None if the schedule waits."""
    effort: int = 0
    """Number of partial schedules that the search expanded."""
    fallback: Fallback | None = None
    """Which fallback the schedule is; None if it is none."""
    blocked: tuple[str, ...] = ()
    """Why the rest cannot be scheduled now, one sentence for each reason."""

    def record(self) -> SearchRecord:
        """Return the part of the result that a plan's record in the trace has."""
        return SearchRecord(
            status=self.status,
            bound=self.bound,
            configuration=self.configuration,
            effort=self.effort,
            fallback=self.fallback,
            blocked=[*self.blocked] or None,
        )
