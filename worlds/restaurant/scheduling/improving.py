"""Improving: the searches of one call of the scheduler, within its effort."""

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
from worlds.restaurant.scheduling.permutations import (
    BY_RULE,
    CONFIGURATIONS,
    best_order,
    best_permutation,
)
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.reuse import Remaining, remaining
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
"""Up to so many tasks it is worth trying to let a task wait on purpose."""

WAIT_BUDGET = 2
"""How often a state may do so at one timestep."""

MOST_AT_ONCE = 12
"""Up to so many lines are searched for all at once."""

FEW_LINES = 8
"""Up to so many lines that search is good enough by itself if its schedule is CLOSE."""

CLOSE = 1.15
"""How many times its lower bound a schedule takes at most that is not searched for again."""

NEAR = 1.05
"""How many times its lower bound a schedule takes at most that another search stops at."""

MOST_URGED = 9
"""Up to so many lines are searched with urgencies, and what they share is shared out anew."""

URGED_TRIES, ALONE_TRIES = 1.5, 7
"""For each unit of effort, how many modes may be tried on the searches with urgencies.

The latter for a line alone, which cannot be planned anew beside others.
"""

FEWEST_ROLLED = 3
"""With more than so many lines a glance searches for them in turn, too."""

FEW_TRIES = 0.5
"""The same as TRIES, where all lines were searched for at once before."""

TRIES = 3.5
"""For each unit of effort, how many modes may be tried on each search for many lines."""

HANDLING_COST = 110
"""For each unit of effort, what may be spent to find out what to deal with otherwise."""

ORDERS_COST = 20
"""For each unit of effort, what may be spent on lines in other orders."""

GLANCE = 0.25
"""For each unit of effort, how many modes may be tried to see what a handling is good for."""

GLANCE_WIDTH = 1
"""Width of the beam of such a search for many lines."""

MOST_COST = 350
"""For each unit of effort, what may be spent on all searches together."""

ENDS = 0.3
"""How often the end of a schedule is planned anew, not some of its lines."""

COST_OF_A_TRY = 25
"""What trying a mode costs with all that comes with it, on average."""

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
                found = self._first(work, bound)
                break
            except NoModeError as failure:
                self.blocked = str(failure)
                break
            except WorkInProgressError as failure:
                self.blocked = str(failure)
                if not (after := handling.without(failure.holder)):
                    break
                handling, work = after, self._work(after)
        if found is None and handling.put_by - handling.given_up and self._left(TRIES):
            gone = handling.put_by | handling.given_up
            return self.best(Handling(given_up=gone))
        if found is None or found.length > CLOSE * bound:
            found = _better(found, lambda: self._handled_best(handling, NEAR * bound))
            if found and found.length > CLOSE * bound:
                found = self._searched_on(found, NEAR * bound)
        return found

    def asked(self) -> dict[str, tuple[Component, ...]]:
        """Return what the lines want that are to be served now."""
        return {line: tuple(self.wanted[line]) for line in self.wanted if line not in self.later}

    def _work(self, handling: Handling) -> Remaining:
        put_by, given_up, withheld = handling
        return remaining(
            self.kitchen, self.state, self.wanted, self.later, given_up, put_by, withheld
        )

    def _left(self, tries: float) -> float:
        """Return how many of some tries for each unit of effort are left."""
        rest = (MOST_COST * self.effort - self.spent) / COST_OF_A_TRY
        return max(0.0, min(tries * self.effort, rest))

    def _first(self, work: Remaining, bound: float) -> Found | None:
        """Return what the searches without foresight find. Raises PlacementError."""
        found = self._all_at_once(work) if self.lines <= MOST_AT_ONCE else None
        if found is None or self.lines > FEW_LINES or found.length > CLOSE * bound:
            rolling = self._rolling(work)
            tries = FEW_TRIES if found and self.lines <= FEW_LINES else TRIES
            found = _better(found, lambda: self._in_turn(rolling, self._left(tries)))
        return found

    def _all_at_once(self, work: Remaining) -> Found | None:
        search = Search(self._problem(work))
        tasks = max(1, len(search.entries))
        width = max(1, min(WIDEST, int(self.effort / tasks**1.5)))
        return self._paid(
            search, lambda: search.best(width, WAIT_BUDGET if tasks <= FEW_TASKS else 0)
        )

    def _in_turn(self, rolling: RollingSearch, tries: float) -> Found | None:
        return self._paid(rolling.search, lambda: best_permutation(rolling, tries))

    def _urged(
        self, work: Remaining, tries: float, good: float, known: Solution | None
    ) -> Found | None:
        urging = Urging(self._problem(work))
        return self._paid(urging.search, lambda: urging.best_urged(tries, good, known))

    def _rolling(self, work: Remaining, foresight: int = 0) -> RollingSearch:
        return RollingSearch(self._problem(work), foresight)

    def _problem(self, work: Remaining) -> Problem:
        return Problem(self.kitchen, self.state, work)

    def _paid(self, search: Search, run: Callable[[], Solution | None]) -> Found | None:
        """Return what a search finds, and count what it costs."""
        try:
            solution = run()
        finally:
            self.spent += search.cost
            self.expanded += search.expanded
        return Found(search.problem.tasks.work, solution) if solution else None

    def _handled_best(self, handling: Handling, good: float) -> Found | None:
        """Return the best schedule of handlings that differ from each other by one thing."""
        most = MOST_COST * self.effort
        until = min(self.spent + HANDLING_COST * self.effort, most)
        work = self._work(handling)
        found = self._glance(work, good, HOPELESS)
        seen = [work.stages]
        changes = handling.changes(self.kitchen, self.state)
        number = latest = 0
        while changes and number < latest + len(changes):
            if self.spent >= (until if found else most) or (found and found.length <= good):
                break
            other = handling.changed(*changes[number % len(changes)])
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
        """Return what quick searches find."""
        found: Found | None = None
        try:
            if self.lines <= MOST_URGED:
                found = self._urged(work, GLANCE * self.effort, good, None)
            if found is None or self.lines > FEWEST_ROLLED:
                rolling = self._rolling(work, foresight=1)
                shortest = min(shorter_than, found.length if found else HOPELESS)
                search = partial(_configured, rolling, shortest)
                found = _better(found, lambda: self._paid(rolling.search, search))
        except PlacementError:
            pass
        return found

    def _searched_on(self, found: Found, good: float) -> Found:
        """Return the best schedule of searches from one on, that is far from the lower bound.

        First lines are searched for in other orders, or with urgencies a line alone. Then parts of
        the schedule are planned anew.
        """
        if self.lines <= MOST_URGED:
            tries = self._left(URGED_TRIES if self.lines > 1 else ALONE_TRIES)
            urged = partial(self._urged, found.work, tries, good, found.solution)
            found = _better(found, urged) or found
        if self.lines > 1:
            rolling = self._rolling(found.work)
            most = min(ORDERS_COST * self.effort, MOST_COST * self.effort - self.spent)
            run = partial(best_order, rolling, most, good)
            found = _better(found, partial(self._paid, rolling.search, run)) or found
        return self._anew(found, good)

    def _anew(self, found: Found, good: float) -> Found:
        """Return the best schedule of planning parts of one anew."""
        reworking = Reworking(self._problem(found.work), ENDS)
        rest = MOST_COST * self.effort - self.spent
        search = partial(reworking.shortened, found.solution, rest, good)
        return self._paid(reworking.search, search) or found


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


def _configured(rolling: RollingSearch, shorter_than: float) -> Solution | None:
    """Return the best schedule of the narrowest searches with the first configurations.

    Where one leads nowhere the others are not tried.
    """
    best = None
    for configuration in CONFIGURATIONS[:BY_RULE]:
        new = rolling.best_along(configuration, GLANCE_WIDTH, shorter_than)
        if new is None:
            break
        if new.length < shorter_than:
            best, shorter_than = new, new.length
    return best
