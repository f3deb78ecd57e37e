"""Reworking: some lines of a schedule are planned again while all others stay unchanged.

This is large neighbourhood search (Shaw 1998). The lines that are planned again use the free time
of workers and stations, between planned work and after it.

| constraint | method |
|---|---|
| other lines stay unchanged | `_repeat` places their modes again before the search |
| a stage may use a station until its next stage | `_keep_stations`, `Resources.release` |
| the schedule must not become longer | `FillingGaps.score` prunes a longer one |
| a task must not hold a station for longer than it needs | `FillingGaps.slack`, drawn at random |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

from worlds.restaurant.scheduling.filling_gaps import FillingGaps
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.search import Search
from worlds.restaurant.scheduling.states import PartialSchedule, Placed, Solution

FREED = (1, 2, 2, 3, 3, 4)
"""Numbers of lines that are planned again at a time, drawn evenly from these."""

LATEST_END = 0.9
"""Latest timestep from which the end of a schedule is planned again, as a share of its length."""

NEIGHBOURS, LAST = 0.3, 0.2
"""How often the lines that are planned again are served one after the other: anywhere in the
schedule; at its end.
"""

ANY = 0.2
"""How often other lines are planned again without the line that is served last."""

FORESIGHTS = (0, 1, 1, 2)
"""Numbers of timesteps that tasks are planned ahead, drawn evenly from these."""

NOISES = (2.0, 6.0, 12.0)
"""Greatest noise, in timesteps, on the order of tasks."""

SLACKS = (None, 0, 2, 4, 8)
"""Values of `FillingGaps.slack`, drawn for each search."""

MOST_RUNS = 2000
"""Greatest number of times that lines are planned again."""


class Reworking:
    """A search that shortens a schedule by planning some of its lines again.

    A share `ends` of the attempts instead plans all tasks again that begin at some timestep or
    later. A stage may use a station until another, already planned stage needs it.
    """

    def __init__(self, problem: Problem, ends: float = 0.0) -> None:
        self.problem = problem
        self.strategy = FillingGaps(problem, "lines planned anew")
        self.search = Search(problem, self.strategy)
        self.tasks, self.resources = problem.tasks, problem.resources
        self.resources.fills_gaps = True
        self.ends = ends
        self.chance = Random(len(problem.entries))
        self._bits = {name: line.bits for name, line in self.strategy.lines.items()}

    def shorten(self, found: Solution, most: float, good: float) -> Solution:
        """Return the best schedule found from a given one, for a cost of about `most`.

        The search stops at a schedule of at most `good` timesteps.
        """
        run = 0
        while run < MOST_RUNS and self.search.cost < most and found.length > good and self._bits:
            run += 1
            if self.ends and self.chance.random() < self.ends:
                until = self.chance.randrange(max(1, int(LATEST_END * found.length)))
                state = self.plan_until(found, until)
            else:
                freed = self._choose_lines(found)
                state = self.plan_without(found, freed) or self.plan_without(
                    found, freed, lift_first=True
                )
            if state is not None:
                self.strategy.longest = found.length
                self.search.foresight = self.chance.choice(FORESIGHTS)
                self.strategy.blur = self.chance.choice(NOISES)
                self.strategy.slack = self.chance.choice(SLACKS)
                new = self.search.best(1, opening=[state], run=run)
                if new and new.length <= found.length:
                    found = new
        return found

    def _choose_lines(self, found: Solution) -> set[str]:
        """Return the lines that are planned again next."""
        number, how = self.chance.choice(FREED), self.chance.random()
        lines = [line for line in self._as_served(found) if line in self._bits]
        if how < NEIGHBOURS:
            begin = self.chance.randrange(max(1, len(lines) - number + 1))
            return set(lines[begin : begin + number])
        if how < NEIGHBOURS + LAST:
            return set(lines[-number:])
        freed = set(self.chance.sample(lines, min(len(lines), number)))
        return freed if self.chance.random() < ANY else {*freed, lines[-1]}

    def _as_served(self, found: Solution) -> list[str]:
        """Return the lines in the order in which they are served."""
        served = [
            (placed.start + placed.mode.served, self.line_of(placed))
            for placed in found.placed
            if placed.mode.served is not None
        ]
        return [line for _, line in sorted(served)]

    def line_of(self, placed: Placed) -> str:
        """Return the line that a placed mode is for; "" if it is for none."""
        return self.tasks.line(placed.mode.task) if placed.mode.task else ""

    def plan_without(
        self, found: Solution, freed: Collection[str], lift_first: bool = False
    ) -> PartialSchedule | None:
        """Return the state in which a schedule is planned without the lines `freed`; None if that
        is impossible.

        The work in progress of these lines, and the tasks in which they take reused food, stay
        planned at the same timesteps. They get their stations after everything else; but with
        `lift_first`, the tasks that take food get theirs in the old order.
        """
        bits = sum(self._bits[line] for line in freed)
        return self._plan_all_but(found, bits, freed, lift_first)

    def plan_until(self, found: Solution, t: int) -> PartialSchedule | None:
        """Return the state with the modes of a schedule that begin before `t`; None if that is
        impossible.

        Work in progress and the taking of reused food stay planned, too.
        """
        bits = 0
        for placed in found.placed:
            if placed.mode.task and placed.start >= t:
                bits |= self.problem.bits.get(placed.mode.task, 0)
        return self._plan_all_but(found, bits)

    def _plan_all_but(
        self, found: Solution, bits: int, freed: Collection[str] = (), lift_first: bool = False
    ) -> PartialSchedule | None:
        """Return the state in which a schedule is planned without the tasks of `bits`; None if that
        is impossible.

        See `plan_without` for `freed` and `lift_first`.
        """
        state = self.problem.root()
        state.levels = state.levels.copy()
        emptied: dict[int, int] = {}
        kept: list[Placed] = []
        after: list[Placed] = []
        for placed in found.placed:
            mode, task = placed.mode, placed.mode.task
            if task and self.problem.bits.get(task, 0) & bits and not mode.lifted:
                for stage, when in mode.leaves:
                    if stage in state.open_at:
                        emptied[stage] = placed.start + when
                        station = state.open_at[stage].station
                        self.resources.release(state.levels, station, emptied[stage])
            elif self.line_of(placed) in freed and not (mode.lifted and lift_first):
                after.append(placed)
            else:
                kept.append(placed)
        owner: dict[int, Placed] = {}
        for placed in found.placed:
            for block in placed.blocks:
                owner.setdefault(block, placed)
        repeated = self._repeat(state, (*kept, *after), owner)
        return repeated and self._keep_stations(repeated, emptied)

    def _repeat(
        self, state: PartialSchedule, some: Sequence[Placed], owner: Mapping[int, Placed]
    ) -> PartialSchedule | None:
        """Return the state after `some` modes are placed at the timesteps that they had; None if
        that is impossible.

        `owner` maps a block to the mode that began it; any other mode with this block continues the
        block.
        """
        blocks: dict[int, int] = {}
        for placed in some:
            mode, first = placed.mode, placed.blocks[0]
            self.search.placings += 1
            if state.lacks(mode):
                return None
            link = None
            if owner[first] is not placed or (first < 0 and all(block for block, _ in mode.hands)):
                link = blocks.get(first, first)
                if not any(t == placed.start and block == link for t, _, block in state.ends):
                    return None
            chosen = [placed.spots[room.spot] for room in mode.rooms]
            took = self.resources.place(state.levels, mode, placed.start, state.open_at, chosen)
            if took is None:
                return None
            bit = self.problem.bits.get(mode.task, 0) if mode.task else 0
            state = state.start(mode, placed.start, *took, link, bit)
            assert state.placed is not None
            *_, numbers = state.placed
            blocks.update(zip(placed.blocks, numbers, strict=True))
        return state

    def _keep_stations(
        self, state: PartialSchedule, emptied: Mapping[int, int]
    ) -> PartialSchedule | None:
        """Return the state in which stages keep their stations although the tasks that emptied them
        are no longer planned; None if one of them cannot.

        `emptied` has for each of these stages the timestep at which it was emptied. From then on,
        other stages may have its station.
        """
        for stage, t in emptied.items():
            known = state.open_at[stage]
            can, until = self.resources.keep_on(state.levels, known.station, t)
            if not can:
                return None
            state.open_at[stage] = known._replace(until=until)
        return state
