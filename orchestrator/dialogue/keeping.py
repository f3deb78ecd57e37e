"""The schedule that an answer stands for: what it keeps, what it moves, and what it adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.orchestrator.dialogue.answers import LONGEST_SCHEDULE, Row, ScheduleAnswer
from cookmas.orchestrator.planner import Entry

Schedule = list[dict[str, str]]
"""A schedule: for each timestep the actions by worker."""


def write_out(
    answer: ScheduleAnswer, underway: Sequence[Entry], timestep: int, idle: str = ""
) -> tuple[Schedule, list[str]]:
    """Return the complete schedule that an answer stands for, and its problems.

    The schedule begins at `timestep`, and so does `underway`, the rest of the active schedule. Of
    that each worker keeps the actions before its `keep_until`. Then the stretches in `shift` are
    moved, and the answer's own rows are added. A row before a worker's `keep_until` changes only
    the actions that it names. From there on, the worker idles at a timestep without an action. A
    row without a timestep follows the previous row. `idle` is the idle action of the world.
    """
    return _Draft(answer, [dict(entry) for entry in underway], timestep, idle).write_out()


class _Draft:
    """The schedule while it is made from the active schedule and an answer."""

    def __init__(
        self, answer: ScheduleAnswer, underway: Schedule, timestep: int, idle: str
    ) -> None:
        self._answer = answer
        self._now = timestep
        self._idle = idle
        self._end = timestep + len(underway)
        self._ends = self._find_ends(underway)
        """For each worker the first timestep that it does not keep, in the active schedule."""
        self._last = max(self._ends.values(), default=self._clip(answer.keep_until))
        """The first timestep of which nobody keeps anything."""
        self._schedule: Schedule = [
            {worker: each for worker, each in entry.items() if now < self._ends[worker]}
            for now, entry in enumerate(underway[: self._last - timestep], start=timestep)
        ]
        self._problems: list[str] = []

    def write_out(self) -> tuple[Schedule, list[str]]:
        """Return the schedule and the problems."""
        moved = self._move()
        self._add(moved)
        return self._schedule, self._problems

    def _find_ends(self, underway: Schedule) -> dict[str, int]:
        asked = self._answer.keep_until
        each: Mapping[str, int | None] = asked if isinstance(asked, Mapping) else {}
        workers = {worker for entry in underway for worker in entry} | each.keys()
        usual = self._end if isinstance(asked, Mapping) else self._clip(asked)
        numbers = {worker: each.get(worker) for worker in sorted(workers)}
        return {w: usual if number is None else self._clip(number) for w, number in numbers.items()}

    def _clip(self, number: object) -> int:
        asked = number if isinstance(number, int) else 0
        return min(max(self._now, asked), self._end)

    def _at(self, timestep: int) -> dict[str, str]:
        """Return the entry of a timestep; the schedule grows up to it if it is shorter."""
        missing = timestep + 1 - self._now - len(self._schedule)
        self._schedule += [{} for _ in range(missing)]
        return self._schedule[timestep - self._now]

    def _find_misplaced(self, timestep: int) -> str | None:
        if timestep < self._now:
            return f"t {timestep}: it is timestep {self._now} already."
        if timestep >= self._now + LONGEST_SCHEDULE:
            return f"t {timestep}: a schedule has {LONGEST_SCHEDULE} timesteps at most."
        return None

    def _move(self) -> dict[tuple[str, int], str]:
        """Move the stretches; return the moved actions by worker and new timestep."""
        taken_out: list[tuple[str, int, str]] = []
        for shift in self._answer.shift:
            worker = shift.worker
            stretch = [
                now
                for now, entry in enumerate(self._schedule, start=self._now)
                if shift.first <= now < (shift.until or self._last)
                and entry.get(worker, self._idle) != self._idle
            ]
            if not stretch:
                span = f"from {shift.first}" + (f" to {shift.until}" if shift.until else " on")
                self._problems.append(f"shift: {worker} keeps no action {span} that can be moved.")
            for now in stretch:
                taken_out.append((worker, now + shift.by, self._at(now).pop(worker)))
        moved: dict[tuple[str, int], str] = {}
        for worker, now, action in taken_out:
            problem = self._find_misplaced(now)
            there = self._idle if problem else self._at(now).get(worker, self._idle)
            if there != self._idle:
                problem = f"shift: {worker} still has {there} at timestep {now}; move that too."
            if problem:
                self._problems.append(problem)
            else:
                self._at(now)[worker] = moved[worker, now] = action
        return moved

    def _add(self, moved: Mapping[tuple[str, int], str]) -> None:
        """Add the rows of the answer."""
        named: set[int] = set()
        same = len(set(self._ends.values())) < 2
        following = self._last if same else None
        for row in self._answer.rows:
            now = following if row.t is None else row.t
            if now is None:
                self._problems.append("A row needs its timestep t if keep_until differs.")
                continue
            problem = self._find_misplaced(now)
            if problem is None and now >= self._last and now in named:
                problem = f"t {now}: there are two rows of this timestep."
            if problem is not None:
                self._problems.append(problem)
                continue
            self._problems += self._find_overwritten(row, now, moved)
            self._at(now).update(row.actions)
            if now >= self._last:
                named.add(now)
                following = now + 1

    def _find_overwritten(
        self, row: Row, now: int, moved: Mapping[tuple[str, int], str]
    ) -> list[str]:
        """Return the problems of new actions that would replace actions that `shift` has moved."""
        return [
            f"t {now}: {worker} has {moved[worker, now]} there, which shift has moved; write after "
            "it."
            for worker in row.actions
            if (worker, now) in moved and now >= self._ends.get(worker, self._last)
        ]
