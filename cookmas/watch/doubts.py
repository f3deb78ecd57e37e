"""What a planner did not understand, told once while an episode goes on."""

from __future__ import annotations

from episodes.trace import PlanRecord


class Doubts:
    """Remembers what it has told: a planner says the same of a line at each of its calls."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def new(self, record: PlanRecord) -> list[str]:
        """The doubts of an answer that were not told before, in its order, a line each."""
        fresh = [each for each in dict.fromkeys(record.doubts or ()) if each not in self._told]
        self._told.update(fresh)
        return [f"in doubt about {each}" for each in fresh]
