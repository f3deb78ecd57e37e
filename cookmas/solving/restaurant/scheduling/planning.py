"""Planning: which searches one call of the scheduler makes, within a fixed effort.

| constraint | method |
|---|---|
| the effort of a call is fixed on every machine | width of the beams, `REINSERTING_COST` |
| no more is fetched than is in stock | `Remaining.exceeds`, before each search |
| work that cannot continue must not stop the rest | `Handling.make_gentler` |
| many dishes must not fill the kitchen half-made | the searches with a `Window` |
| a schedule far from its bound is improved | some lines at a time are planned again |
| if not all lines can be planned, some are | `best_of_most` |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import NamedTuple

from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.solving.restaurant.bound import workload_bound
from cookmas.solving.restaurant.scheduling.bound import present
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.reinserting import Reinserting
from cookmas.solving.restaurant.scheduling.reuse import Handling, Remaining, find_remaining
from cookmas.solving.restaurant.scheduling.search import SEED, Search
from cookmas.solving.restaurant.scheduling.states import (
    HOPELESS,
    NoModeError,
    PlacementError,
    Solution,
    WorkInProgressError,
)
from cookmas.solving.restaurant.scheduling.window import ORDERS, Dispatching, Window

POWER = 1.5
"""The width of the beam is the effort divided by the number of tasks to this power. With a higher
power many tasks cost less time, with a lower one they get better schedules.
"""

WIDEST = 120
"""Widest beam. A wider one finds shorter schedules of a few tasks, for more time."""

NARROW, FEWEST_NARROWED = 0.2, 5
"""Width of the first beam relative to the full width, and the least number of lines for it. The
full width is not searched if the first schedule is far from the lower bound, which leaves time for
the other searches; a wider first beam leaves less.
"""

LINES_AT_ONCE = 12
"""Greatest number of lines that one search plans at once. Dishes of more lines would
wait for each other; of fewer, the window plans needlessly few at a time.
"""

FEW_LINES = 8
"""Greatest number of lines for which the search of all lines at once suffices, if its schedule is
at most CLOSE times as long as the lower bound. With more lines the window finds shorter schedules
often enough to be worth its time.
"""

CLOSE, FAR, NEAR = 1.15, 1.18, 1.05
"""Ratios of a schedule's length to the lower bound: up to which no further search is made, from
which the widest beam is not searched, and at which further searches stop. Lower ratios give shorter
schedules for more time.
"""

WIDTH = 4
"""Width of the beam of a search with a window. A wider one takes longer for many lines."""

REINSERTING_COST = 350
"""Cost per unit of effort for planning some lines again, about a second in all: time against
length.
"""

NOT_ENOUGH = "too little is in stock"
NOTHING_FOUND = "no schedule was found within the effort"


class Found(NamedTuple):
    """A schedule that a search found, with its workload."""

    work: Remaining
    solution: Solution


class Planning:
    """The searches for a schedule that serves some `lines` from a state on.

    Other lines of `wanted` are not served, but keep their work in progress. With a dispatching
    `rule` a search is made only if the rule leads to a dead end. `expanded` is the number of states
    that all searches expanded, `blocked` the reason why the last one found nothing.
    """

    blocked = NOTHING_FOUND

    def __init__(
        self,
        kitchen: Kitchen,
        state: KitchenState,
        wanted: Mapping[str, Sequence[Component]],
        lines: Collection[str],
        effort: int,
        rule: str | None = None,
    ) -> None:
        self.kitchen = kitchen
        self.state = state
        self.wanted = wanted
        self.lines = tuple(lines)
        self.effort = effort
        self.rule = rule
        self.expanded = 0

    def best_of_most(self) -> Found | None:
        """Return the best schedule for all lines or, if none is found, for the first half of them,
        a quarter and so on, or for one of them; None if there is none either.

        Then `lines` are those that the schedule serves.
        """
        found, every, why = self.best(), self.lines, self.blocked
        halves = [every[: len(every) >> n] for n in range(1, len(every).bit_length())]
        fewer = iter([*halves, *((line,) for line in every[1:])])
        while not found:
            self.lines = next(fewer, ())
            if not self.lines:
                self.lines, self.blocked = every, why
                break
            found = self.best()
        return found

    def best(self) -> Found | None:
        """Return the best schedule found; None if there is none.

        Work in progress that cannot continue is put by on a counter or abandoned. A line that
        cannot be cooked as usual cooks some foods apart.
        """
        handling = Handling()
        later = frozenset(self.wanted).difference(self.lines)
        while True:
            work = find_remaining(self.kitchen, self.state, self.wanted, later, handling)
            if work.exceeds(self.state.stock):
                self.blocked = NOT_ENOUGH
                return None
            bound = workload_bound(work, present(self.kitchen, self.state)).value
            try:
                found = self._search(Problem(self.kitchen, self.state, work), bound)
                self.blocked = NOTHING_FOUND
                return Found(work, found) if found else None
            except WorkInProgressError as failure:
                self.blocked = str(failure)
                after = handling.make_gentler(failure.holder)
                if after is None:
                    return None
                handling = after
            except NoModeError as failure:
                alone = len(self.lines) == 1
                self.blocked = str(failure) if alone else f"{failure.line}: {failure}"
                if failure.line in handling.apart:
                    return None
                handling = Handling(apart=handling.apart | {failure.line})

    def _search(self, problem: Problem, bound: float) -> Solution | None:
        """Return the best schedule of all searches. Raises PlacementError."""
        found: Solution | None = None
        lines = len(self.lines)
        if self.rule and (found := self._dispatch(problem, self.rule)):
            return found
        if lines <= LINES_AT_ONCE:
            if lines >= FEWEST_NARROWED:
                with suppress(PlacementError):
                    found = self._all_at_once(problem, NARROW)
            if found is None or found.length <= FAR * bound:
                found = _shorter(found, self._all_at_once(problem, 1))
        if found is None or lines > FEW_LINES or found.length > CLOSE * bound:
            found = self._in_windows(problem, found)
        if found is None or (found.length > CLOSE * bound and lines > 1):
            again = Reinserting(problem, Random(SEED + self.state.timestep))
            most = REINSERTING_COST * self.effort
            if found is None:
                found = again.insert_all(Search(problem).open_states(1)[0], most)
            if found:
                found = again.shorten(found, most, NEAR * bound)
            self.expanded += again.serial.expanded
        return found

    def _all_at_once(self, problem: Problem, share: float) -> Solution | None:
        """Return the schedule of a beam of all lines; `share` is its share of the full width."""
        search = Search(problem)
        width = self.effort / max(1, len(search.entries)) ** POWER
        try:
            return search.best(max(1, int(share * min(WIDEST, width))))
        finally:
            self.expanded += search.expanded

    def _dispatch(self, problem: Problem, rule: str) -> Solution | None:
        """Return the schedule of a dispatching rule; None if it leads to a dead end."""
        search = Search(problem, Dispatching(problem, rule))
        try:
            return search.dispatch(search.open_states(WIDTH)[0])
        finally:
            self.expanded += search.expanded

    def _in_windows(self, problem: Problem, found: Solution | None) -> Solution | None:
        """Return the best of `found` and of one search for each order of the lines."""
        window = Window(problem)
        search = Search(problem, window)
        try:
            opening = search.open_states(WIDTH)
        except PlacementError:
            if found is None:
                raise
            return found
        for order in ORDERS:
            window.set_up(order, found.length if found else HOPELESS)
            new = search.best(WIDTH, [state.copy() for state in opening])
            found = _shorter(found, new)
        self.expanded += search.expanded
        return found


def _shorter(one: Solution | None, other: Solution | None) -> Solution | None:
    return min((x for x in (one, other) if x), key=lambda x: x.length, default=None)
