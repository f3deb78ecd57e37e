"""What a planner did not understand, told once of an episode."""

from __future__ import annotations

from episodes.trace import PlanRecord, Trace


class Doubts:
    """Remembers what it has told: a planner says the same of a line at each of its calls."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def select_new(self, record: PlanRecord) -> list[str]:
        """Return the doubts of an answer that were not shown before, in order."""
        fresh = [each for each in dict.fromkeys(record.doubts or ()) if each not in self._told]
        self._told.update(fresh)
        return fresh


def doubts_of(trace: Trace) -> list[str]:
    """Return all doubts of an episode, in the order of their answers."""
    doubts = Doubts()
    return [doubt for record in trace.of(PlanRecord) for doubt in doubts.select_new(record)]


def in_words(doubt: str) -> str:
    """Return a doubt as a line."""
    return f"in doubt about {doubt}"
