"""Schedules to and fro: what is under way is shown, and an answer may keep a part of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from episodes.world import Commands, World
from orchestrator.dialogue.answers import ScheduleAnswer
from orchestrator.dialogue.schedules import TIMESTEP, Row, columns_of
from orchestrator.planner import Entry

SCHEDULE = "SCHEDULE"
"""The block of what is left of the schedule, laid out as in an answer."""

UNDERWAY = "UNDERWAY"
"""The block of what is to be known about that schedule."""

LONGEST_SCHEDULE = 10_000
"""Timesteps from the present one on for which an answer may write actions."""


def rows_of(
    underway: Sequence[Commands], timestep: int, world: World[Any]
) -> list[dict[str, int | str]]:
    """Return the rest of a schedule from a timestep on as rows; idle workers are left out."""
    return [
        {TIMESTEP: now, **{worker: action for worker, action in entry if action != world.idle}}
        for now, entry in enumerate(underway, start=timestep)
    ]


def laid_out(rows: Sequence[Row], workers: Sequence[str], *, columns: bool) -> Any:
    """Return a schedule in the layout of an answer: its rows as they are, or its columns."""
    return columns_of(rows, workers) if columns else list(rows)


def written_out(
    answer: ScheduleAnswer, underway: Sequence[Entry], timestep: int
) -> tuple[list[dict[str, str]], list[str]]:
    """Return the whole schedule that an answer means from a timestep on, and what is wrong with it.

    A row before `keep_until` changes the actions that it names, and leaves the others. From there
    on everybody idles at a timestep that is left out; a row without a timestep follows the one
    before it.
    """
    end = timestep + len(underway)
    keep = min(max(timestep, answer.keep_until or 0), end)
    schedule = [dict(entry) for entry in underway[: keep - timestep]]
    named: set[int] = set()
    problems = []
    following = keep
    for row in answer.rows:
        now = following if row.t is None else row.t
        if now < timestep:
            problems.append(f"t {now}: it is timestep {timestep} already.")
        elif now >= timestep + LONGEST_SCHEDULE:
            problems.append(f"t {now}: a schedule has {LONGEST_SCHEDULE} timesteps at most.")
        elif now < keep:
            schedule[now - timestep].update(row.actions)
        elif now in named:
            problems.append(f"t {now}: there are two rows of this timestep.")
        else:
            named.add(now)
            schedule += [{} for _ in range(now + 1 - timestep - len(schedule))]
            schedule[now - timestep] = dict(row.actions)
            following = now + 1
    return schedule, problems


class Draft:
    """The schedule of a dialogue: an answer may keep a part of it, and then takes its place.

    It begins as what is under way; after that it is the last answer that could be read, so that a
    repair has to write only what changes. `meant` is the action that an action in an answer means.
    """

    def __init__(
        self,
        underway: Sequence[Commands],
        timestep: int,
        workers: Sequence[str],
        meant: Callable[[str], str],
    ) -> None:
        self._timestep = timestep
        self._workers = frozenset(workers)
        self._meant = meant
        self._kept: Sequence[Entry] = underway
        self.schedule: list[dict[str, str]] | None = None
        """What the last answer means, from the present timestep on; None before the first."""

    @property
    def end(self) -> int:
        """The timestep after the last one that an answer can keep."""
        return self._timestep + len(self._kept)

    def take(self, answer: ScheduleAnswer) -> list[str]:
        """Put the schedule that an answer means in the place of this one.

        Returns what is wrong with its rows. Actions of workers that do not exist are not kept.
        """
        entries, problems = written_out(answer, self._kept, self._timestep)
        self.schedule = [{w: self._meant(a) for w, a in entry.items()} for entry in entries]
        self._kept = [
            {worker: action for worker, action in entry.items() if worker in self._workers}
            for entry in self.schedule
        ]
        return problems
