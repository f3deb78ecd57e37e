"""The schedule editor: a schedule that a person writes, with the problems of each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cookmas.episodes.base import movers
from cookmas.episodes.engine import commands_for
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.look_ahead import look_ahead
from cookmas.orchestrator.planner import Entry, Observation, commands_of

MOST_ROWS = 2000
"""Greatest number of timesteps of a schedule that a person writes."""

LONGEST_ACTION = 200
"""Greatest length of an action in such a schedule, in characters."""

Row = Mapping[str, str]
"""The actions of one timestep by worker; idle workers are left out."""


class Trouble(NamedTuple):
    """A problem with the action of a worker at a timestep of a schedule."""

    timestep: int
    """The timestep."""
    worker: str
    """Name of the worker."""
    why: str
    """The reason in words."""
    unreadable: bool = False
    """True if the action makes the whole schedule invalid; False if the action would only FAIL."""


class Sheet:
    """The checks of a schedule that begins at the timestep of an observation.

    The checks simulate the schedule from the observed state, without future events, as the
    look-ahead does for a model. If the state cannot be simulated, they only find unreadable
    actions.
    """

    def __init__(self, observation: Observation[Any]) -> None:
        self.begin = observation.timestep
        self.world = observation.world
        self.workers = tuple(self.world.workers)
        self._running = observation.running
        self._state = self.world.simulable(observation.state, observation.agent)

    def rows(self, schedule: Sequence[Entry]) -> list[Row]:
        """Return a schedule as rows, without the last rows in which all workers idle."""
        idle = self.world.idle
        rows: list[Row] = [
            {worker: action for worker, action in commands_of(entry) if action != idle}
            for entry in schedule
        ]
        while rows and not rows[-1]:
            rows.pop()
        return rows

    def with_actions(
        self, rows: Sequence[Row], timestep: int, worker: str, actions: Sequence[str]
    ) -> list[Row]:
        """Return the rows after replacing a worker's actions from a timestep on.

        An empty action lets the worker idle. Raise InputError if the worker is unknown, or a
        timestep is outside the schedule's limits.
        """
        if worker not in self.workers:
            raise InputError("worker", f"expected one of {', '.join(self.workers)}, not {worker!r}")
        first = timestep - self.begin
        if not 0 <= first <= first + len(actions) <= MOST_ROWS:
            last = self.begin + MOST_ROWS - 1
            raise InputError("timestep", f"expected one from {self.begin} to {last}")
        after = [dict(row) for row in rows]
        after += [{} for _ in range(first + len(actions) - len(after))]
        for row, action in zip(after[first:], actions, strict=False):
            row.pop(worker, None)
            if action:
                row[worker] = action
        return list(self.rows(after))

    def troubles(self, rows: Sequence[Row]) -> list[Trouble]:
        """Return all problems of a schedule: the simulated FAILs, then the unreadable actions.

        The simulation stops before the first row with an unreadable action.
        """
        found = [
            Trouble(now, worker, why, unreadable=True)
            for now, row in enumerate(rows, start=self.begin)
            for worker, action in row.items()
            if (why := self.world.refusal([Command(worker, action)])) is not None
        ]
        if self._state is None:
            return found
        readable = rows[: found[0].timestep - self.begin] if found else rows
        tried = look_ahead(self.world, self._state, self.begin, readable, running=self._running)
        return [*(Trouble(each.timestep, each.worker, each.why) for each in tried), *found]

    def legal(self, rows: Sequence[Row], timestep: int) -> dict[str, list[str]]:
        """Return, by worker, the actions that would not FAIL at a timestep.

        The earlier rows are played first. Only workers that may move at that timestep are listed;
        if the state cannot be simulated, no worker is listed. Raise InputError if the timestep is
        too early or too late, or follows an unreadable action.
        """
        there = self.begin <= timestep <= self.begin + MOST_ROWS
        before = rows[: timestep - self.begin] if there else ()
        if not there or any(each.unreadable for each in self.troubles(before)):
            raise InputError("timestep", f"{timestep} cannot be simulated from here")
        state = self._state
        if state is None:
            return {}
        for now in range(self.begin, timestep):
            row = before[now - self.begin] if now - self.begin < len(before) else {}
            state, _, _ = self.world.step(state, commands_for(self.world, state, commands_of(row)))
        return {name: list(self.world.legal(state, name)) for name in movers(self.world, state)}
