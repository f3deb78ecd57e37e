"""The times of a task in an earlier schedule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cookmas.worlds.restaurant.scheduling.draft import Verb
from cookmas.worlds.restaurant.scheduling.mode import Mode
from cookmas.worlds.restaurant.scheduling.tasks import Task

_FIRST_VERBS: Mapping[str, Verb] = {"input": "place", "work": "pick", "deliver": "serve"}
"""The verb of the action at `PlannedTimes.first`, by the kind of task."""


class PlannedTimes(NamedTuple):
    """The times of a task in an earlier schedule, in timesteps from now.

    `first` is the time of the first put of the task's food. For a full stage it is the time of the
    taking out, for a finished dish that of the serving. `last` is the time at which the food is put
    into the next gathering stage, or served.
    """

    task: Task
    first: int
    last: int

    def begin(self, mode: Mode) -> int:
        """Return the least timestep at which a mode can start so that it is not earlier than these
        times.
        """
        return max(self.first - self.offset(mode), self.last - _find_last(mode))

    def offset(self, mode: Mode) -> int:
        """Return the time of a mode at which what `first` stands for happens."""
        kind, stage = self.task.kind, self.task.stage
        times = [
            op.time
            for op in mode.ops
            if op.verb == _FIRST_VERBS[kind] and (kind == "deliver" or op.spot.stage == stage)
        ]
        return min(times, default=0)

    def distance(self, mode: Mode) -> int:
        """Return by how many timesteps a mode that starts now misses these times."""
        return abs(self.offset(mode) - self.first) + abs(_find_last(mode) - self.last)


def _find_last(mode: Mode) -> int:
    """Return the time of the last put of a mode, or of its serving."""
    return max((filling.put for filling in mode.fillings), default=mode.end - 1)
