"""Schedules that a prompt shows to the model, and answers that keep a part of the active one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cookmas.episodes.world import AnyWorld, Commands
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.schedules import TIMESTEP, Row, columns_of
from cookmas.orchestrator.planner import Entry

SCHEDULE = "SCHEDULE"
"""Name of the block with the rest of the active schedule, in the layout of an answer."""

UNDERWAY = "UNDERWAY"
"""Name of the block with remarks on the active schedule."""

LONGEST_SCHEDULE = 10_000
"""Greatest length of a schedule in an answer, in timesteps from the present one on."""


def rows_of(
    underway: Sequence[Commands], timestep: int, world: AnyWorld[Any]
) -> list[dict[str, int | str]]:
    """Return the schedule `underway`, which begins at `timestep`, as rows without idle workers."""
    return [
        {TIMESTEP: now, **{worker: action for worker, action in entry if action != world.idle}}
        for now, entry in enumerate(underway, start=timestep)
    ]


def lay_out(rows: Sequence[Row], workers: Sequence[str], *, columns: bool) -> Any:
    """Return a schedule in the layout of an answer: as the given rows, or as columns."""
    return columns_of(rows, workers) if columns else list(rows)


def write_out(
    answer: ScheduleAnswer, underway: Sequence[Entry], timestep: int
) -> tuple[list[dict[str, str]], list[str]]:
    """Return the complete schedule that an answer stands for, and the problems of its rows.

    The schedule begins at `timestep`, and so does `underway`, the rest of the active schedule. A
    row before `keep_until` changes only the actions that it names. From `keep_until` on, all
    workers idle at a timestep without a row. A row without a timestep follows the previous row.
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


class ScheduleDraft:
    """The schedule of which the next answer in a dialogue may keep a part.

    At first it is the active schedule, afterwards that of the last readable answer. So a repair
    only has to write the changes. `meant` maps an action in an answer to the action that it means.
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
        """The schedule of the last answer, from the present timestep on; None before any answer."""

    @property
    def end(self) -> int:
        """The timestep after the last one that an answer can keep."""
        return self._timestep + len(self._kept)

    def take(self, answer: ScheduleAnswer) -> list[str]:
        """Replace the schedule by that of an answer, and return the problems of the answer's rows.

        `schedule` has the actions even of unknown workers, but a later answer cannot keep those.
        """
        entries, problems = write_out(answer, self._kept, self._timestep)
        self.schedule = [{w: self._meant(a) for w, a in entry.items()} for entry in entries]
        self._kept = [
            {worker: action for worker, action in entry.items() if worker in self._workers}
            for entry in self.schedule
        ]
        return problems
