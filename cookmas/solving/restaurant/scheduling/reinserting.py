"""Reinserting: some lines of a schedule, or their ends, are taken out and planned again.

This is large neighbourhood search (Shaw 1998). The lines that are planned again use the free time
of workers and stations, between planned work and after it.

| constraint | method |
|---|---|
| other lines stay unchanged | `Packing.take_out` takes out only tasks of some lines |
| the schedule becomes hardly longer than the best one | `SerialGeneration.plan`, LONGER |
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter
from random import Random

from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.profile import give_back, span, take
from cookmas.solving.restaurant.scheduling.serial import SerialGeneration
from cookmas.solving.restaurant.scheduling.states import HOPELESS, PartialSchedule, Placed, Solution

Booking = tuple[int, int, int]
"""One unit of a resource that is taken: the indices of the resource's first and last level, and the
bits of the timesteps.
"""


@dataclass(frozen=True, slots=True)
class LinePlan:
    """The planned modes of a line, what they take, and the timestep after the last of them."""

    placed: Sequence[Placed]
    bookings: Sequence[Booking]
    end: int


class Packing:
    """A schedule as the plans of its lines.

    `plans` has the plan of each line that has tasks.
    """

    def __init__(self, problem: Problem, found: Solution) -> None:
        self.problem = problem
        staying = {self._line_of(p) for p in found.placed if p.mode.lifted and p.mode.leaves}
        fixed = [self._is_fixed(p) or self._line_of(p) in staying for p in found.placed]
        self._fixed_modes = list(compress(found.placed, fixed))
        self._fixed = self._plan_fixed()
        self._levels = self._fixed.levels.copy()
        self.plans: dict[str, LinePlan] = {}
        self._insert(p for p, stays in zip(found.placed, fixed, strict=True) if not stays)
        for plan in self.plans.values():
            for booking in plan.bookings:
                take(self._levels, *booking)
        self._blocks = max((block for p in found.placed for block in p.blocks), default=0)

    @property
    def length(self) -> int:
        """Number of timesteps of the schedule."""
        return max([self._fixed.last, *(plan.end for plan in self.plans.values())])

    def take_out(self, lines: Collection[str], since: int = 0) -> PartialSchedule | None:
        """Return the state without those tasks of some lines that begin at timestep `since` or
        later; None if a stage cannot keep its station then.
        """
        state = self._fixed.copy()
        levels = state.levels = self._levels.copy()
        for line in lines:
            for booking in self.plans[line].bookings:
                give_back(levels, *booking)
        early = [p for line in lines for p in self.plans[line].placed if p.start < since]
        self._plan(state, early)
        opened, state.open_at = state.open_at, {}
        for stage, kept in opened.items():
            if self.problem.tasks.stages[stage].line in lines:
                can, until = self.problem.resources.keep_on(levels, kept.station, kept.since)
                if not can:
                    return None
                state.open_at[stage] = kept._replace(until=until)
        others = [plan for line, plan in self.plans.items() if line not in lines]
        state.last = max([state.last, *(plan.end for plan in others)])
        state.blocks = self._blocks
        used = {block for plan in others for placed in plan.placed for block in placed.blocks}
        state.ends = tuple([end for end in state.ends if end[2] not in used])
        return state

    def put_in(self, state: PartialSchedule) -> Packing:
        """Return the schedule in which lines that were taken out are planned as in a state."""
        new = copy(self)
        new.plans = dict(self.plans)
        new._insert(state.placements())
        new._levels, new._blocks = state.levels, state.blocks
        return new

    def solution(self, configuration: str) -> Solution:
        """Return the schedule; `configuration` names the search."""
        planned = [placed for plan in self.plans.values() for placed in plan.placed]
        return self.problem.solution([*self._fixed_modes, *planned], self.length, configuration)

    def find_followers(self, lines: Collection[str]) -> set[str]:
        """Return the lines, and those in which a worker continues where it worked for one of
        them.

        Return no line if a fixed task continues there.
        """
        found: set[str] = set()
        new = set(lines)
        while new:
            found |= new
            new = set().union(*(self._next.get(line, ()) for line in new)) - found
        return set() if "" in found else found

    def _find_next(self) -> dict[str, set[str]]:
        """Return for each line the lines in which a worker continues where it worked for it; ""
        stands for the fixed tasks.
        """
        owners: dict[int, str] = {}
        following: dict[str, set[str]] = {}
        planned = [(p, line) for line, plan in self.plans.items() for p in plan.placed]
        planned += [(p, "") for p in self._fixed_modes]
        for placed, line in sorted(planned, key=lambda one: one[0].start):
            for block in placed.blocks:
                following.setdefault(owners.setdefault(block, line), set()).add(line)
        return following

    def _is_fixed(self, placed: Placed) -> bool:
        """Return whether a mode stays planned: its work cannot wait, it removes a thing, or it
        takes up food that lies in another station.
        """
        task = placed.mode.task
        forced = task is None or task not in self.problem.bits
        return forced or bool(placed.mode.lifted) or not self._line_of(placed)

    def _line_of(self, placed: Placed) -> str:
        """Return the line that a mode is for; "" if it is for none."""
        return self.problem.tasks.line(placed.mode.task) if placed.mode.task else ""

    def _plan_fixed(self) -> PartialSchedule:
        """Return the state after the fixed modes. Stages that they do not empty have no station
        booked.
        """
        state = self.problem.root()
        levels = state.levels = state.levels.copy()
        for kept in state.open_at.values():
            lying = self.problem.resources.lying_levels[kept.station]
            give_back(levels, *lying, -1 << kept.since)
        self._plan(state, self._fixed_modes)
        state.placed = None
        return state

    def _plan(self, state: PartialSchedule, modes: Iterable[Placed]) -> None:
        """Add planned modes to a state. Stages that they do not empty have no station booked."""
        levels, resources = state.levels, self.problem.resources
        slots, lying = resources.slot_levels, resources.lying_levels
        for placed in sorted(modes, key=attrgetter("start")):
            start, mode, blocks = placed.start, placed.mode, placed.blocks
            for booking in self._book(placed):
                take(levels, *booking)
            for name, _, when in mode.lifted:
                give_back(levels, *lying[name], -1 << start + when)
            for stage, when in mode.leaves:
                kept = state.open_at[stage]
                take(levels, *slots[kept.station], span(kept.since, start + when))
            state.fill(mode, start, placed.stations, None)
            if mode.task:
                state.todo &= ~self.problem.bits.get(mode.task, 0)
            state.placed = (state.placed, start, mode, placed.stations, blocks)
            state.ends = tuple([end for end in state.ends if end[2] not in blocks])
            state.last = max(state.last, start + mode.end)

    def _insert(self, modes: Iterable[Placed]) -> None:
        """Set the plans of some lines, which have these planned modes."""
        of_line: dict[str, list[Placed]] = {}
        for placed in modes:
            of_line.setdefault(self._line_of(placed), []).append(placed)
        for line, own in of_line.items():
            bookings = [booking for placed in own for booking in self._book(placed)]
            bookings += self._book_stays(own)
            end = max(placed.start + placed.mode.end for placed in own)
            self.plans[line] = LinePlan(own, bookings, end)
        self._next = self._find_next()

    def _book(self, placed: Placed) -> Iterable[Booking]:
        """Yield what a mode takes, except the stations of gathering stages."""
        resources, start = self.problem.resources, placed.start
        for layer in placed.mode.workers:
            yield 0, resources.workers - 1, layer << start
        for room, name in zip(placed.mode.rooms, placed.stations, strict=True):
            if stand := resources.stand_levels.get(name):
                for layer in room.visits:
                    yield *stand, layer << start
            if room.stay:
                yield *resources.slot_levels[name], room.stay << start

    def _book_stays(self, modes: Sequence[Placed]) -> Iterable[Booking]:
        """Yield the stations that gathering stages take until one of these modes empties them."""
        since = {stage: (k.station, k.since) for stage, k in self._fixed.open_at.items()}
        for placed in modes:
            for stage, put, room, passes in placed.mode.fillings:
                if room is not None and not passes:
                    at = placed.start + put
                    station, first = since.get(stage, (placed.stations[room], at))
                    since[stage] = station, min(first, at)
        for placed in modes:
            for stage, when in placed.mode.leaves:
                station, first = since[stage]
                slots = self.problem.resources.slot_levels[station]
                yield *slots, span(first, placed.start + when)


NAME = "lines inserted again"
"""Name of the search in a result."""

TAKING_OUT = 700
"""Cost of taking lines out, in modes that a search tries. It measures time: if it is too low,
planning short lines again takes longer than the effort says.
"""

TAKEN_OUT = (1, 2, 2, 3, 3, 4)
"""Numbers of lines that are taken out at a time, drawn evenly from these. More lines leave more
room for a better order, and are put in less often.
"""

NEIGHBOURS, LAST = 0.3, 0.2
"""How often the lines that are taken out are served one after the other: anywhere in the schedule;
at its end. Neighbours compete for the same stations; the others may use gaps far away.
"""

PARTLY = 0.7
"""How often only the tasks of these lines from a timestep on are taken out, which keeps a good
beginning but cannot mend it.
"""

LONGER = (0, 0, 0, 1, 2)
"""Timesteps by which the next schedule may be longer than the best one, drawn evenly from these. A
longer one leads out of a dead end, and away from the best.
"""

ANY = 0.2
"""How often other lines are taken out without the line that is served last. Only that line decides
the length, but it may be others that it waits for.
"""


class Reinserting:
    """A search that shortens a schedule by planning some of its lines again."""

    def __init__(self, problem: Problem, chance: Random) -> None:
        self.problem = problem
        self.chance = chance
        self.serial = SerialGeneration(problem, chance)

    def insert_all(self, opening: PartialSchedule, most: float) -> Solution | None:
        """Return the first schedule in which all lines are planned one after the other, in a random
        order, for a cost of about `most`; None if none is found.

        In the state `opening` the work that cannot wait is planned.
        """
        problem, start = self.problem, opening.copy()
        start.forget_ends()
        while self.serial.cost <= most:
            self.serial.cost += TAKING_OUT
            state = self.serial.plan(start, list(self.serial.lines), HOPELESS)
            if state:
                return problem.solution(state.placements(), state.last, NAME)
        return None

    def shorten(self, found: Solution, most: float, good: float) -> Solution:
        """Return the best schedule found from a given one, for a cost of about `most`.

        The search stops at a schedule of at most `good` timesteps.
        """
        packing = best = Packing(self.problem, found)
        while packing.plans and self.serial.cost <= most and best.length > good:
            self.serial.cost += TAKING_OUT
            lines = sorted(packing.find_followers(self._choose_lines(packing)))
            partly = self.chance.random() < PARTLY
            since = self.chance.randrange(packing.length) if partly else 0
            state = packing.take_out(lines, since)
            before = best.length + self.chance.choice(LONGER) + 1
            after = state and self.serial.plan(state, lines, before)
            if after:
                packing = packing.put_in(after)
                best = min(packing, best, key=attrgetter("length"))
        return best.solution(NAME) if best.length < found.length else found

    def _choose_lines(self, packing: Packing) -> list[str]:
        """Return the lines that are taken out next."""
        number, how = self.chance.choice(TAKEN_OUT), self.chance.random()
        lines = sorted(packing.plans, key=lambda line: packing.plans[line].end)
        if how < NEIGHBOURS:
            begin = self.chance.randrange(max(1, len(lines) - number + 1))
            return lines[begin : begin + number]
        if how < NEIGHBOURS + LAST:
            return lines[-number:]
        some = self.chance.sample(lines, min(len(lines), number))
        if self.chance.random() >= ANY and lines[-1] not in some:
            some[0] = lines[-1]
        return some
