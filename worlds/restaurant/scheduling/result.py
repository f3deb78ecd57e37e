"""The result of scheduling, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from episodes.parts import SearchRecord, SearchStatus

Schedule = list[dict[str, str]]
"""For each timestep from now on, the action of each worker in text."""

Fallback = Literal["begun anew", "one line alone", "waiting"]
"""What is scheduled where the searches for everything find no schedule: everything, made anew
without what is in progress; one order line; nothing, for a few timesteps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleResult:
    """What scheduling found.

    `bound` is a lower bound of the timesteps until everything that can be served now is served,
    `configuration` the search that found the schedule, `effort` how many partial schedules were
    expanded, `blocked` what keeps the rest from being scheduled.
    """

    status: SearchStatus
    schedule: Schedule
    bound: int | None = None
    configuration: str | None = None
    effort: int = 0
    fallback: Fallback | None = None
    blocked: tuple[str, ...] = ()

    def record(self) -> SearchRecord:
        """Return what stands of it in the record of a plan."""
        return SearchRecord(
            status=self.status,
            bound=self.bound,
            configuration=self.configuration,
            effort=self.effort,
            fallback=self.fallback,
            blocked=[*self.blocked] or None,
        )
