"""A schedule while a person writes it: timesteps by workers, with what is wrong in each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from episodes.capabilities import movers, simulable
from episodes.engine import commands_for
from episodes.world import Command
from files.errors import InputError
from orchestrator.dialogue.look_ahead import look_ahead
from orchestrator.planner import Entry, Observation, commands_of

MOST_ROWS = 2000
"""Timesteps of a schedule that a person writes."""

LONGEST_ACTION = 200
"""Characters of an action in it."""

Row = Mapping[str, str]
"""What is done at one timestep, worker to action; who idles is left out."""


class Trouble(NamedTuple):
    """What is wrong with a schedule at a timestep, with the action of `worker`.

    One that is `unreadable` would have the whole schedule refused; any other would FAIL.
    """

    timestep: int
    worker: str
    why: str
    unreadable: bool = False


class Sheet:
    """What can be said of a schedule that begins with an observation.

    It is tried out from the observed state, as a model's is: events to come are not known. Where
    nothing may be simulated only what cannot be read is found wrong with it.
    """

    def __init__(self, observation: Observation[Any]) -> None:
        self.begin = observation.timestep
        self.world = observation.world
        self.workers = tuple(self.world.workers)
        self._state = simulable(self.world, observation.state, observation.agent)

    def rows(self, schedule: Sequence[Entry]) -> list[Row]:
        """A schedule as rows, without those at the end in which everybody idles."""
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
        """The rows with a worker doing these actions from a timestep on; an empty one is idling.

        Raises InputError where there is no such worker or cell.
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
        """All that is wrong, in order; nothing that comes after what cannot be read is tried."""
        found = [
            Trouble(now, worker, why, unreadable=True)
            for now, row in enumerate(rows, start=self.begin)
            for worker, action in row.items()
            if (why := self.world.refusal([Command(worker, action)])) is not None
        ]
        if self._state is None:
            return found
        readable = rows[: found[0].timestep - self.begin] if found else rows
        tried = look_ahead(self.world, self._state, self.begin, readable)
        return [*(Trouble(each.timestep, each.worker, each.why) for each in tried), *found]

    def legal(self, rows: Sequence[Row], timestep: int) -> dict[str, list[str]]:
        """By worker what would not FAIL at a timestep if nobody else moved, were these carried out.

        Of those whose move it is then; nothing where nothing may be simulated.
        Raises InputError if it is before the first, too far, or behind what cannot be read.
        """
        there = self.begin <= timestep <= self.begin + MOST_ROWS
        before = rows[: timestep - self.begin] if there else ()
        if not there or any(each.unreadable for each in self.troubles(before)):
            raise InputError("timestep", f"{timestep} cannot be looked at from here")
        state = self._state
        if state is None:
            return {}
        for now in range(self.begin, timestep):
            row = before[now - self.begin] if now - self.begin < len(before) else {}
            state, _, _ = self.world.step(state, commands_for(self.world, state, commands_of(row)))
        return {name: list(self.world.legal(state, name)) for name in movers(self.world, state)}
