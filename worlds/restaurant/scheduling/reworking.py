"""Reworking: some lines of a schedule are planned anew while all others stay as they are.

This is large neighbourhood search (Shaw 1998). The lines planned anew use what the others leave
open, before what is planned already and after it.

| constraint | method |
|---|---|
| other lines stay as they are | `_repeated` places their modes again before the search |
| a station that a line gave back may be used until then | `_kept_on`, `Resources.release` |
| the schedule must not become longer | `Anew.score` prunes a longer one |
| a task must not hold a station for longer than it needs | `Line.begun_now`, with a `slack` |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

from worlds.restaurant.scheduling.lines import lines_of
from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.ranking import Entry, in_order
from worlds.restaurant.scheduling.search import Search
from worlds.restaurant.scheduling.states import HOPELESS, Placed, Solution, State

FREED = (1, 2, 2, 3, 3, 4)
"""How many lines are planned anew at a time, each as likely as it is named here."""

LATEST_END = 0.9
"""At what share of a schedule the part of it begins at the latest that is planned anew."""

NEIGHBOURS, LAST = 0.3, 0.2
"""How often lines are planned anew that are served one after the other: any of them, the last."""

ANY = 0.2
"""How often other lines are, without the one that is served last among them."""

FORESIGHTS = (0, 1, 1, 2)
"""How many timesteps ahead tasks are planned, each as likely as it is named here."""

NOISES = (2.0, 6.0, 12.0)
"""By how many timesteps at most the order of tasks is blurred."""

SLACKS = (None, 0, 2, 4, 8)
"""How many timesteps later a task could begin without a delay that may begin, None for any."""

MOST_RUNS = 2000
"""How many times lines are planned anew at most."""


class Anew:
    """Plans what is left beside a schedule of `longest` timesteps; it must not become longer.

    The order of the tasks is blurred by `blur` timesteps at most. With a `slack` they are not begun
    before they must (see `Line.begun_now`).
    """

    choose = None

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.blur = 0.0
        self.slack: int | None = None
        self.longest = HOPELESS
        self.lines = lines_of(problem)
        self._clears = [entry for entry in problem.entries if entry.task.kind == "clear"]

    @property
    def name(self) -> str:
        """Return what the strategy is called in a result."""
        return "lines planned anew"

    def rank(self, state: State, noise: Random) -> list[Entry]:
        """Return the tasks that are left, about the most urgent first."""
        return in_order(
            (-entry.tail - noise.random() * self.blur, entry.bit, entry)
            for entry in self._begun_now(state)
            if entry.bit & state.todo
        )

    def _begun_now(self, state: State) -> Sequence[Entry]:
        """Return the tasks that may be begun, some of which may have been begun before."""
        if self.slack is None:
            return self.problem.entries
        entries = list(self._clears)
        for line in self.lines.values():
            if line.bits & state.todo:
                entries += line.begun_now(state, self.slack)
        return entries

    def score(self, state: State) -> float:
        """Return about when all may be served; HOPELESS if that is later than it was before."""
        end, energy = self.problem.soonest_end(state)
        return HOPELESS if end > self.longest else end + energy

    def may_open(self, state: State, mode: Mode, bit: int) -> bool:
        """Return whether a plating place may be begun (see `Problem.may_open`)."""
        return self.problem.may_open(state, mode)


class Reworking:
    """Shortens a schedule by planning some of its lines anew.

    So often as `ends` says it plans all tasks anew instead that begin at some timestep or later.
    A stage may have a station until another one, planned already, comes there.
    """

    def __init__(self, problem: Problem, ends: float = 0.0) -> None:
        self.problem = problem
        self.strategy = Anew(problem)
        self.search = Search(problem, self.strategy)
        self.tasks, self.resources = problem.tasks, problem.resources
        self.resources.fills_gaps = True
        self.ends = ends
        self.chance = Random(len(problem.entries))
        self._bits = {name: line.bits for name, line in self.strategy.lines.items()}

    def shortened(self, found: Solution, most: float, good: float) -> Solution:
        """Return the best schedule that is found from one on, for a cost of about `most`.

        One of at most `good` timesteps is not searched any further.
        """
        run = 0
        while run < MOST_RUNS and self.search.cost < most and found.length > good and self._bits:
            run += 1
            if self.ends and self.chance.random() < self.ends:
                until = self.chance.randrange(max(1, int(LATEST_END * found.length)))
                state = self.until(found, until)
            else:
                freed = self._freed(found)
                state = self.without(found, freed) or self.without(found, freed, lift_first=True)
            if state is not None:
                self.strategy.longest = found.length
                self.search.foresight = self.chance.choice(FORESIGHTS)
                self.strategy.blur = self.chance.choice(NOISES)
                self.strategy.slack = self.chance.choice(SLACKS)
                new = self.search.best(1, opening=[state], run=run)
                if new and new.length <= found.length:
                    found = new
        return found

    def _freed(self, found: Solution) -> set[str]:
        """Return the lines that are planned anew next."""
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
        """Return the line that something placed is for, "" if it is for none."""
        return self.tasks.line(placed.mode.task) if placed.mode.task else ""

    def without(
        self, found: Solution, freed: Collection[str], lift_first: bool = False
    ) -> State | None:
        """Return the state in which all is planned as it was found but the lines `freed`.

        What cannot wait is planned for these lines, too, and what was taken from where it lay:
        after all else, with `lift_first` the latter in its turn. Return None if it cannot be so.
        """
        bits = sum(self._bits[line] for line in freed)
        return self._left_alone(found, bits, freed, lift_first)

    def until(self, found: Solution, t: int) -> State | None:
        """Return the state in which all is planned as it was found that begins before `t`.

        What cannot wait stays, too, and what is taken from where it lies. Return None if it cannot.
        """
        bits = 0
        for placed in found.placed:
            if placed.mode.task and placed.start >= t:
                bits |= self.problem.bits.get(placed.mode.task, 0)
        return self._left_alone(found, bits)

    def _left_alone(
        self, found: Solution, bits: int, freed: Collection[str] = (), lift_first: bool = False
    ) -> State | None:
        """Return the state after everything is planned as it was found but the tasks of `bits`."""
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
        repeated = self._repeated(state, (*kept, *after), owner)
        return repeated and self._kept_on(repeated, emptied)

    def _repeated(
        self, state: State, some: Sequence[Placed], owner: Mapping[int, Placed]
    ) -> State | None:
        """Return the state after placing `some` where they were; None if that cannot be.

        A block with an `owner` that is another one goes on with what its owner did.
        """
        blocks: dict[int, int] = {}
        for placed in some:
            mode, first = placed.mode, placed.blocks[0]
            self.search.placings += 1
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
            state = state.started(mode, placed.start, *took, link, bit)
            assert state.placed is not None
            *_, numbers = state.placed
            blocks.update(zip(placed.blocks, numbers, strict=True))
        return state

    def _kept_on(self, state: State, emptied: Mapping[int, int]) -> State | None:
        """Return the state with stages that are under way keeping their stations, if they can.

        Each was `emptied` at a timestep before, from which on others may have its station now.
        """
        for stage, t in emptied.items():
            known = state.open_at[stage]
            can, until = self.resources.keep_on(state.levels, known.station, t)
            if not can:
                return None
            state.open_at[stage] = known._replace(until=until)
        return state
