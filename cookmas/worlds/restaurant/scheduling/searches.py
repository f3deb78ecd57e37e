"""The searches of one call of the scheduler, and what they cost.

The effort is a number that limits the modes tried and the cost of all searches together. It does
not depend on the machine: `_pay_for` counts the cost, `_remaining_cost` and `_remaining_tries`
limit it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random

from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.scheduling.effort import (
    COST_OF_A_TRY,
    FEW_TASKS,
    PREPARING,
    WAIT_BUDGET,
    WHOLE_COST,
    WIDEST,
)
from cookmas.worlds.restaurant.scheduling.found import Found
from cookmas.worlds.restaurant.scheduling.handling import Handling
from cookmas.worlds.restaurant.scheduling.inserting import Inserting
from cookmas.worlds.restaurant.scheduling.permutations import best_permutation
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.reinserting import Reinserting
from cookmas.worlds.restaurant.scheduling.repairing import Repairing, handling_of
from cookmas.worlds.restaurant.scheduling.reuse import Remaining, find_remaining
from cookmas.worlds.restaurant.scheduling.rolling import RollingSearch
from cookmas.worlds.restaurant.scheduling.search import SEED, Search
from cookmas.worlds.restaurant.scheduling.serial import SerialGeneration
from cookmas.worlds.restaurant.scheduling.states import HOPELESS, PlacementError, Solution
from cookmas.worlds.restaurant.scheduling.tracking import Tracked
from cookmas.worlds.restaurant.scheduling.urging import Urging


class Searches:
    """The searches for a schedule that serves some lines from a state on.

    The lines in `later` are not served, but keep their work in progress. `bound` is a lower bound
    of the schedule, `underway` has the products of the schedule under way. `spent` is the cost of
    all searches so far, `expanded` the number of states that they expanded.
    """

    def __init__(
        self,
        kitchen: Kitchen,
        state: KitchenState,
        wanted: Mapping[str, Sequence[Component]],
        later: frozenset[str],
        effort: int,
        bound: float = HOPELESS,
        underway: Tracked | None = None,
    ) -> None:
        self.kitchen = kitchen
        self.state = state
        self.wanted = wanted
        self.later = later
        self.effort = effort
        self.bound = bound
        self.underway = underway
        self.lines = len(wanted) - len(later)
        self.spent = 0.0
        self.expanded = 0
        self._latest: Problem | None = None
        self._chance = Random(SEED + state.timestep)

    def components_to_serve(self) -> dict[str, tuple[Component, ...]]:
        """Return the components of the lines that are to be served now."""
        return {line: tuple(self.wanted[line]) for line in self.wanted if line not in self.later}

    def _work(self, handling: Handling) -> Remaining:
        return find_remaining(self.kitchen, self.state, self.wanted, self.later, handling)

    def _repair(self) -> Found | None:
        """Return the schedule that plans the lines as the schedule under way; None if there is
        none.
        """
        if self.underway is None:
            return None
        work = self._work(handling_of(self.underway, self.components_to_serve(), self.kitchen))
        if work.exceeds(self.state.stock):
            return None
        try:
            repairing = Repairing(self._problem(work), self.underway, self._chance)
            return self._pay_for(repairing.serial, repairing.best)
        except PlacementError:
            return None

    def _all_at_once(self, work: Remaining, share: float = 1.0) -> Found | None:
        """Return the schedule of a beam search that plans all lines at once, with a share of the
        full width; None if it finds none. Raises PlacementError.
        """
        search = Search(self._problem(work))
        tasks = max(1, len(search.entries))
        width = max(1, int(share * min(WIDEST, self.effort / tasks**1.5)))
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

    def _insert(
        self, work: Remaining, most: float, good: float, shorter_than: float
    ) -> Found | None:
        """Return the best schedule that plans the lines one after the other; None if there is none
        with fewer than `shorter_than` timesteps. The search costs about `most`. Raises
        PlacementError.
        """
        inserting = Inserting(self._problem(work), self._chance)
        run = partial(inserting.best, most, good, shorter_than)
        return self._pay_for(inserting.serial, run)

    def _reinsert(
        self, found: Found, most: float, good: float, patience: float = HOPELESS
    ) -> Found:
        """Plan some lines of a schedule again, several times, and return the best schedule. The
        search costs about `most`, or `patience` after the last shorter schedule.
        """
        reinserting = Reinserting(self._problem(found.work), self._chance)
        shorten = partial(reinserting.shorten, found.solution, most, good, patience)
        return self._pay_for(reinserting.serial, shorten) or found

    def _problem(self, work: Remaining) -> Problem:
        last = self._latest
        modes = last.modes if last and last.tasks.work is work else None
        self._latest = problem = Problem(self.kitchen, self.state, work, modes)
        if modes is None:
            self.spent += PREPARING * len(problem.entries)
        return problem

    def _pay_for(
        self, search: Search | SerialGeneration, run: Callable[[], Solution | None]
    ) -> Found | None:
        """Run a search, count its cost, and return its schedule; None if it finds none."""
        try:
            solution = run()
        finally:
            self.spent += search.cost
            self.expanded += search.expanded
        return Found(search.problem.tasks.work, solution) if solution else None

    def _remaining_tries(self, tries: float) -> float:
        """Return the modes that a search may try: `tries` per unit of effort, within the remaining
        cost.
        """
        return max(0.0, min(tries * self.effort, self._remaining_cost() / COST_OF_A_TRY))

    def _remaining_cost(self) -> float:
        """Return the cost that all further searches may have together."""
        return WHOLE_COST * self.effort - self.spent
