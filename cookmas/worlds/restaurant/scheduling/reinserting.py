"""Reinserting: some lines of a schedule, or their ends, are taken out and planned again.

This is large neighbourhood search (Shaw 1998). The lines that are planned again use the free time
of workers and stations, between planned work and after it.

| constraint | method |
|---|---|
| other lines stay unchanged | `Packing.take_out` takes out only tasks of some lines |
| the schedule becomes hardly longer than the best one | `SerialGeneration.plan`, LONGER |
"""

from __future__ import annotations

from operator import attrgetter
from random import Random

from cookmas.worlds.restaurant.scheduling.packing import Packing
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.serial import SerialGeneration
from cookmas.worlds.restaurant.scheduling.states import Solution

NAME = "lines inserted again"
"""Name of the search in a result."""

TAKING_OUT = 700
"""Cost of taking lines out, in modes that a `Search` tries."""

TAKEN_OUT = (1, 2, 2, 3, 3, 4)
"""Numbers of lines that are taken out at a time, drawn evenly from these."""

NEIGHBOURS, LAST = 0.3, 0.2
"""How often the lines that are taken out are served one after the other: anywhere in the schedule;
at its end.
"""

PARTLY = 0.7
"""How often only the tasks of these lines from a timestep on are taken out."""

LONGER = (0, 0, 0, 1, 2)
"""Timesteps by which the next schedule may be longer than the best one, drawn evenly from these."""

ANY = 0.2
"""How often other lines are taken out without the line that is served last."""

REINSERTIONS = 4000
"""Greatest number of times that lines are taken out."""


class Reinserting:
    """A search that shortens a schedule by planning some of its lines again."""

    def __init__(self, problem: Problem, chance: Random) -> None:
        self.problem = problem
        self.chance = chance
        self.serial = SerialGeneration(problem, chance)

    def shorten(self, found: Solution, most: float, good: float) -> Solution:
        """Return the best schedule found from a given one, for a cost of about `most`.

        The search stops at a schedule of at most `good` timesteps.
        """
        packing = best = Packing(self.problem, found)
        for _ in range(REINSERTIONS if packing.plans else 0):
            if self.serial.cost > most or best.length <= good:
                break
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
