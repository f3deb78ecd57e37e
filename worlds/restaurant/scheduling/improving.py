"""Improving: the searches of one call of the scheduler, within its effort.

| constraint | method |
|---|---|
| the effort of a call is fixed, whatever the machine | `_paid` counts it, `_left` is the rest |
| no more is fetched than is in stock | `Remaining.exceeds`, before each search |
| work that cannot continue must not stop the rest | `Handling.without`, in `best` |
| a line that cannot be cooked as usual is still served | `Handling.apart`, in `best` |
| what is far from its bound is searched for again | `_handled_best`, `_reworked`, `_anew` |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from kitchen.bounds import workload_bound
from kitchen.components import Component
from kitchen.layout import Kitchen
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.bound import present
from worlds.restaurant.scheduling.handling import Handling
from worlds.restaurant.scheduling.permutations import BY_RULE, CONFIGURATIONS, best_permutation
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.reuse import Remaining, find_remaining
from worlds.restaurant.scheduling.reworking import Reworking
from worlds.restaurant.scheduling.rolling import RollingSearch
from worlds.restaurant.scheduling.search import Search
from worlds.restaurant.scheduling.sharing import best_withheld
from worlds.restaurant.scheduling.states import (
    HOPELESS,
    NoModeError,
    PlacementError,
    Solution,
    WorkInProgressError,
)
from worlds.restaurant.scheduling.urging import Urging

WIDEST = 120
"""Widest beam."""

FEW_TASKS = 40
"""Greatest number of tasks for which searches let a task wait on purpose."""

WAIT_BUDGET = 2
"""How often a state may wait on purpose at one timestep."""

MOST_AT_ONCE = 12
"""Greatest number of lines that one search plans at once."""

FEW_LINES = 8
"""Greatest number of lines for which that search alone suffices if its schedule is CLOSE."""

CLOSE = 1.15
"""Ratio to the lower bound up to which no second search is made."""

WIDE = 1.18
"""Ratio to the lower bound up to which the result of all searches is accepted."""

NEAR = 1.05
"""Ratio to the lower bound at which further searches stop."""

MOST_URGED = 9
"""Greatest number of lines for searches with urgencies, and for sharing reused things again."""

URGED_TRIES, ALONE_TRIES = 1.5, 7
"""Modes per unit of effort for the searches with urgencies; the second number is for a single line,
for which no lines can be planned again.
"""

FEW_TRIES = 0.5
"""The same as TRIES, after a search that planned all lines at once."""

TRIES = 3.5
"""Modes per unit of effort for each search for many lines."""

HANDLING_COST, FEW_HANDLING_COST = 14, 3
"""Cost per unit of effort for trying other handlings; the second number is for at most MOST_URGED
lines.
"""

GLANCE = 0.25
"""Modes per unit of effort for the quick search that tries a handling."""

GLANCE_WIDTH = 1
"""Width of the beam of such a search for many lines."""

MOST_COST = 42
"""Cost per unit of effort for all searches together."""

MOST_COST_OF_WIDE, AGAIN_TRIES = 57, 3
"""The same if the schedule is not within WIDE of its bound, and the modes of each turn then."""

FEW_WIDE_LINES, MOST_COST_OF_MANY = 6, 53
"""The same cost for more lines than the first number, where each try takes longer."""

ENDS = 0.6
"""How often the end of such a schedule is planned again, instead of some of its lines."""

COST_OF_A_TRY = 4
"""Average cost of trying a mode, everything included."""

NOTHING_FOUND = "no schedule was found within the effort"
NOT_ENOUGH = "too little is in stock"


class Found(NamedTuple):
    """A schedule for a workload."""

    work: Remaining
    solution: Solution

    @property
    def length(self) -> int:
        """Return how many timesteps the schedule takes."""
        return self.solution.length


class Improving:
    """The searches for a schedule that serves some lines from a state on.

    `spent` is what all of them cost so far, `expanded` how many states they expanded, `blocked` why
    the last one found nothing.
    """

    def __init__(
        self,
        kitchen: Kitchen,
        state: KitchenState,
        wanted: Mapping[str, Sequence[Component]],
        later: frozenset[str],
        effort: int,
        bound: float = HOPELESS,
    ) -> None:
        self.kitchen = kitchen
        self.bound = bound
        self.state = state
        self.wanted = wanted
        self.later = later
        self.effort = effort
        self.lines = len(wanted) - len(later)
        self.spent = 0.0
        self.expanded = 0
        self.blocked = NOTHING_FOUND

    def best(self, handling: Handling) -> Found | None:
        """Return the best schedule that is found, from a handling on; None if there is none.

        Work that cannot continue is handled otherwise. A schedule that is still far from the
        lower bound is searched for again.
        """
        work = self._work(handling)
        bound: float = workload_bound(work, present(self.kitchen, self.state)).value
        if bound > self.bound and self.lines <= MOST_URGED:
            withheld = best_withheld(self.kitchen, self.state, self.wanted, self.later)
            handling = handling._replace(withheld=withheld)
            work, bound = self._work(handling), self.bound
        found: Found | None = None
        while True:
            if work.exceeds(self.state.stock):
                self.blocked = NOT_ENOUGH
                return None
            try:
                found = self._search_without_foresight(work, bound)
                break
            except NoModeError as failure:
                self.blocked = str(failure) if self.lines == 1 else f"{failure.line}: {failure}"
                if failure.line in handling.apart:
                    break
                self.blocked = NOTHING_FOUND
                apart = handling.apart | {failure.line}
                handling = Handling(withheld=handling.withheld, apart=apart)
                work = self._work(handling)
            except WorkInProgressError as failure:
                self.blocked = str(failure)
                if not (after := handling.make_gentler(failure.holder)):
                    break
                handling, work = after, self._work(after)
        if found is None and handling.put_by - handling.given_up and self._remaining_tries(TRIES):
            gone = handling.put_by | handling.given_up
            return self.best(Handling(given_up=gone))
        if found is None or found.length > CLOSE * bound:
            found = _better(found, lambda: self._vary_handling(handling, NEAR * bound))
            if found and found.length > CLOSE * bound:
                found = self._rework(found, NEAR * bound)
                if found.length > WIDE * bound:
                    found = self._search_again(found, NEAR * bound)
        return found

    def components_to_serve(self) -> dict[str, tuple[Component, ...]]:
        """Return what the lines want that are to be served now."""
        return {line: tuple(self.wanted[line]) for line in self.wanted if line not in self.later}

    def _work(self, handling: Handling) -> Remaining:
        put_by, given_up, withheld, apart = handling
        return find_remaining(
            self.kitchen, self.state, self.wanted, self.later, given_up, put_by, withheld, apart
        )

    def _remaining_tries(self, tries: float, wide: bool = False) -> float:
        """Return how many of some tries for each unit of effort are left."""
        most = self._most_of_wide() if wide else MOST_COST
        rest = (most * self.effort - self.spent) / COST_OF_A_TRY
        return max(0.0, min(tries * self.effort, rest))

    def _most_of_wide(self) -> float:
        """Return what may be spent, for each unit of effort, where the schedule is WIDE."""
        return MOST_COST_OF_WIDE if self.lines <= FEW_WIDE_LINES else MOST_COST_OF_MANY

    def _search_without_foresight(self, work: Remaining, bound: float) -> Found | None:
        """Return what the searches without foresight find. Raises PlacementError."""
        found = self._all_at_once(work) if self.lines <= MOST_AT_ONCE else None
        if found is None or self.lines > FEW_LINES or found.length > CLOSE * bound:
            rolling = self._make_rolling_search(work)
            tries = FEW_TRIES if found and self.lines <= FEW_LINES else TRIES
            found = _better(found, lambda: self._in_turn(rolling, self._remaining_tries(tries)))
        return found

    def _all_at_once(self, work: Remaining) -> Found | None:
        search = Search(self._problem(work))
        tasks = max(1, len(search.entries))
        width = max(1, min(WIDEST, int(self.effort / tasks**1.5)))
        return self._pay_for(
            search, lambda: search.best(width, WAIT_BUDGET if tasks <= FEW_TASKS else 0)
        )

    def _in_turn(self, rolling: RollingSearch, tries: float) -> Found | None:
        return self._pay_for(rolling.search, lambda: best_permutation(rolling, tries))

    def _urge(
        self, work: Remaining, tries: float, good: float, known: Solution | None
    ) -> Found | None:
        urging = Urging(self._problem(work))
        return self._pay_for(urging.search, lambda: urging.best_urged(tries, good, known))

    def _make_rolling_search(self, work: Remaining, foresight: int = 0) -> RollingSearch:
        return RollingSearch(self._problem(work), foresight)

    def _problem(self, work: Remaining) -> Problem:
        return Problem(self.kitchen, self.state, work)

    def _pay_for(self, search: Search, run: Callable[[], Solution | None]) -> Found | None:
        """Return what a search finds, and count what it costs."""
        try:
            solution = run()
        finally:
            self.spent += search.cost
            self.expanded += search.expanded
        return Found(search.problem.tasks.work, solution) if solution else None

    def _vary_handling(self, handling: Handling, good: float) -> Found | None:
        """Return the best schedule of handlings that differ from each other by one thing."""
        cost = FEW_HANDLING_COST if self.lines <= MOST_URGED else HANDLING_COST
        most = MOST_COST * self.effort
        until = min(self.spent + cost * self.effort, most)
        work = self._work(handling)
        found = self._glance(work, good, HOPELESS)
        seen = [work.stages]
        changes = handling.changes(self.kitchen, self.state)
        number = latest = 0
        while changes and number < latest + len(changes):
            if self.spent >= (until if found else most) or (found and found.length <= good):
                break
            other = handling.change(*changes[number % len(changes)])
            number += 1
            work = self._work(other)
            if work.stages in seen or work.exceeds(self.state.stock):
                continue
            seen.append(work.stages)
            new = self._glance(work, good, found.length if found else HOPELESS)
            if new and (found is None or new.length < found.length):
                found, handling, latest = new, other, number
        return found

    def _glance(self, work: Remaining, good: float, shorter_than: float) -> Found | None:
        """Return what a quick search finds."""
        try:
            if self.lines <= MOST_URGED:
                return self._urge(work, GLANCE * self.effort, good, None)
            rolling = self._make_rolling_search(work, foresight=1)
            return self._pay_for(
                rolling.search, lambda: _search_configurations(rolling, shorter_than)
            )
        except PlacementError:
            return None

    def _rework(self, found: Found, good: float) -> Found:
        """Return the best schedule of searches that plan some of its lines again."""
        if self.lines <= MOST_URGED:
            tries = self._remaining_tries(URGED_TRIES if self.lines > 1 else ALONE_TRIES)
            urged = partial(self._urge, found.work, tries, good, found.solution)
            found = _better(found, urged) or found
        return self._plan_anew(found, MOST_COST, good)

    def _search_again(self, found: Found, good: float) -> Found:
        """Return the best schedule of searches from what is done at the end of others on.

        Many lines are searched for in turn before, with foresight.
        """
        if self.lines >= MOST_URGED:
            rolling = self._make_rolling_search(found.work, foresight=1)
            tries = self._remaining_tries(AGAIN_TRIES, wide=True)
            found = _better(found, lambda: self._in_turn(rolling, tries)) or found
        return self._plan_anew(found, self._most_of_wide(), good, ENDS)

    def _plan_anew(self, found: Found, most: float, good: float, ends: float = 0.0) -> Found:
        """Return the best schedule after parts of one are planned again, with `most` modes per unit
        of effort.
        """
        reworking = Reworking(self._problem(found.work), ends)
        rest = most * self.effort - self.spent
        search = partial(reworking.shorten, found.solution, rest, good)
        return self._pay_for(reworking.search, search) or found


def _better(found: Found | None, search: Callable[[], Found | None]) -> Found | None:
    """Return what a search finds if that is shorter than what was `found`, else that.

    Raises PlacementError if the search does and nothing was found before.
    """
    try:
        other = search()
    except PlacementError:
        if found is None:
            raise
        return found
    if found is None or (other is not None and other.length < found.length):
        return other
    return found


def _search_configurations(rolling: RollingSearch, shorter_than: float) -> Solution | None:
    """Return the best schedule of the narrowest searches with the first configurations."""
    best = None
    for configuration in CONFIGURATIONS[:BY_RULE]:
        new = rolling.best_along(configuration, GLANCE_WIDTH, shorter_than)
        if new and new.length < shorter_than:
            best, shorter_than = new, new.length
    return best
