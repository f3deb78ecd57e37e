"""Schedules to and fro in rows: what is under way is shown, and an answer may keep a part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from episodes.world import Commands, World
from orchestrator.dialogue.answers import TIMESTEP, Row, ScheduleAnswer

SCHEDULE = "SCHEDULE"
"""The block of what is left of the schedule, in rows as in an answer."""


def rows_of(
    underway: Sequence[Commands], timestep: int, world: World[Any]
) -> list[dict[str, int | str]]:
    """The rest of a schedule from a timestep on as rows; who idles is left out."""
    return [
        {TIMESTEP: now, **{worker: action for worker, action in entry if action != world.idle}}
        for now, entry in enumerate(underway, start=timestep)
    ]


def written_out(
    answer: ScheduleAnswer, underway: Sequence[Commands], timestep: int
) -> tuple[list[Mapping[str, str]], list[str]]:
    """The whole schedule that an answer means from a timestep on, and what is wrong with its rows.

    A row before `keep_until` changes the actions that it names, and leaves the others; all further
    rows follow one another from there, whether they say their timestep or not.
    """
    end = timestep + len(underway)
    keep = max(timestep, answer.keep_until or 0)
    problems = []
    if keep > end:
        left = f"the schedule under way ends before {end}" if underway else "none is under way"
        problems.append(f"keep_until {keep}: {left}.")
        keep = end
    kept = [dict(entry) for entry in underway[: keep - timestep]]
    rows = answer.rows
    for row in (row for row in rows if _before(row, keep)):
        if row.t is not None and row.t >= timestep:
            kept[row.t - timestep].update(row.actions)
        else:
            problems.append(f"t {row.t}: it is timestep {timestep} already.")
    added = [row for row in rows if not _before(row, keep)]
    expected = keep
    for row in added:
        if row.t not in (None, expected):
            problems.append(f"t {row.t}: the next row should be that of t {expected}.")
            expected = row.t or 0
        expected += 1
    return [*kept, *(row.actions for row in added)], problems


def _before(row: Row, timestep: int) -> bool:
    return row.t is not None and row.t < timestep
