"""The modes of each task: the quickest of its drafts (see `drafting`)."""

from __future__ import annotations

from itertools import islice

from cookmas.worlds.restaurant.scheduling.drafting import MAX_MODES, Drafting
from cookmas.worlds.restaurant.scheduling.mode import Mode
from cookmas.worlds.restaurant.scheduling.tasks import Task, Tasks

DRAFTS = 4 * MAX_MODES
"""Greatest number of modes that are drafted; only the quickest of them are tried."""


class Modes:
    """The modes of the tasks of a workload, each made only once."""

    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        self._drafting = Drafting(tasks)
        self._made: dict[tuple[Task, bool], list[Mode]] = {}

    def of(self, task: Task, linked: bool = False) -> list[Mode]:
        """Return the modes of a task, quickest first.

        With `linked`, its worker already stands where the task begins.
        """
        key = (task, linked)
        if key not in self._made:
            drafts = islice(self._drafting.of(task, linked), DRAFTS)
            made = [Mode(draft, task) for draft in drafts]
            if linked:
                made = [mode for mode in made if mode.blocks[0][0] == 0]
            made.sort(key=lambda mode: (mode.end, mode.work))
            self._made[key] = made[:MAX_MODES]
        return self._made[key]
