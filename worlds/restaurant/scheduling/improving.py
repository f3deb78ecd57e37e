"""Improving: the searches of one call of the scheduler, within its effort.

The effort is a number that limits the modes tried and the cost of the searches. Some searches learn
the urgencies of tasks (`urging`). A search with foresight plans tasks some timesteps ahead. Lines
can be planned one after the other (`inserting`), and some of them again (`reinserting`). A handling
says how work in progress is treated.

| constraint | method |
|---|---|
| the effort of a call is fixed, whatever the machine | `_pay_for` and `_remaining_tries` |
| no more is fetched than is in stock | `Remaining.exceeds`, before each search |
| work that cannot continue must not stop the rest | `_insert`, `Handling.make_gentler` |
| a line that cannot be cooked as usual is still served | `Handling.apart`, in `best` |
| a schedule far from its bound is improved | `_vary_handling`, `_search_on` |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random

from kitchen.bounds import workload_bound
from kitchen.components import Component
from kitchen.layout import Kitchen
from kitchen.stages import Stage
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.bound import present
from worlds.restaurant.scheduling.effort import (
    ALONE_TRIES,
    CLOSE,
    COST_OF_A_TRY,
    FAR,
    FEW,
    FEW_LINES,
    FEW_TASKS,
    FEWEST_NARROWED,
    FEWEST_ROLLED,
    GLANCE,
    INSERTING_BRIEFLY,
    INSERTING_GLANCE,
    MANY,
    MOST_AT_ONCE,
    MOST_COST,
    MOST_RIVALS,
    MOST_URGED,
    NARROW,
    NEAR,
    PREPARING,
    RIVALS_SHARE,
    WAIT_BUDGET,
    WIDEST,
)
from worlds.restaurant.scheduling.found import Found, better, length_of
from worlds.restaurant.scheduling.handling import Handling, sort_cooking_first
from worlds.restaurant.scheduling.inserting import Inserting
from worlds.restaurant.scheduling.permutations import best_by_rule, best_permutation
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.reinserting import Reinserting
from worlds.restaurant.scheduling.repairing import Repairing, handling_of
from worlds.restaurant.scheduling.reuse import Remaining, find_remaining
from worlds.restaurant.scheduling.rolling import RollingSearch
from worlds.restaurant.scheduling.search import SEED, Search
from worlds.restaurant.scheduling.serial import SerialGeneration
from worlds.restaurant.scheduling.sharing import best_withheld
from worlds.restaurant.scheduling.states import (
    HOPELESS,
    NoModeError,
    PlacementError,
    Solution,
    WorkInProgressError,
)
from worlds.restaurant.scheduling.tracking import Tracked
from worlds.restaurant.scheduling.urging import Urging

NOTHING_FOUND = "no schedule was found within the effort"
NOT_ENOUGH = "too little is in stock"


class Improving:
    """The searches for a schedule that serves some lines from a state on.

    The lines in `later` are not served, but keep their work in progress. If the lower bound of a
    workload is greater than `bound`, the lines share the things in the kitchen in another way
    (`best_withheld`). `underway` has the products of the schedule under way. `spent` is the cost of
    all searches so far, `expanded` the number of states that they expanded, `blocked` the reason
    why the last search found nothing.
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
        self.underway = underway
        self.kitchen = kitchen
        self.bound = bound
        self.state = state
        self.wanted = wanted
        self.later = later
        self.effort = effort
        self.lines = len(wanted) - len(later)
        self.shares = FEW if self.lines <= MOST_URGED else MANY
        self.spent = 0.0
        self.expanded = 0
        self.blocked = NOTHING_FOUND
        self._latest: Problem | None = None
        self._chance = Random(SEED + state.timestep)

    def best(self, handling: Handling) -> Found | None:
        """Return the best schedule found, beginning with a handling; None if there is none.

        If work in progress cannot continue, the handling changes. A schedule that is still far from
        the lower bound is improved by further searches.
        """
        repaired = None if handling.given_up else self._repair()
        work = self._work(handling)
        bound = self.bound
        if len(self.wanted) > 1:
            bound = workload_bound(work, present(self.kitchen, self.state)).value
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
        nothing = found is None and repaired is None
        if (
            nothing
            and handling.put_by - handling.given_up
            and self._remaining_tries(self.shares.tries)
        ):
            gone = handling.put_by | handling.given_up
            return self.best(Handling(given_up=gone))
        starts = [start for start in (found, repaired) if start]
        found = min(starts, key=length_of, default=None)
        if found is None or found.length > CLOSE * bound:
            varied = self._vary_handling(handling, NEAR * bound)
            others = sorted([*starts, *varied], key=length_of)
            found = others[0] if others else None
            if found and found.length > CLOSE * bound:
                found = self._search_on(found, others, NEAR * bound)
        return found

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

    def components_to_serve(self) -> dict[str, tuple[Component, ...]]:
        """Return the components of the lines that are to be served now."""
        return {line: tuple(self.wanted[line]) for line in self.wanted if line not in self.later}

    def _work(self, handling: Handling) -> Remaining:
        put_by, given_up, withheld, apart = handling
        return find_remaining(
            self.kitchen, self.state, self.wanted, self.later, given_up, put_by, withheld, apart
        )

    def _remaining_tries(self, tries: float) -> float:
        """Return the modes that a search may try: `tries` per unit of effort, within the remaining
        cost.
        """
        return max(0.0, min(tries * self.effort, self._remaining_cost() / COST_OF_A_TRY))

    def _search_without_foresight(self, work: Remaining, bound: float) -> Found | None:
        """Return the best schedule of the searches without foresight. Raises PlacementError."""
        found: Found | None = None
        if self.lines <= MOST_AT_ONCE:
            if self.lines >= FEWEST_NARROWED:
                with suppress(PlacementError):
                    found = self._all_at_once(work, NARROW)
            if found is None or found.length <= FAR * bound:
                found = min(self._all_at_once(work), found, key=length_of)
        if found is None or self.lines > FEW_LINES or found.length > CLOSE * bound:
            rolling = self._make_rolling_search(work)
            tries = self._remaining_tries(self.shares.tries)
            stuck: WorkInProgressError | None = None
            try:
                found = better(found, lambda: self._in_turn(rolling, tries))
            except WorkInProgressError as failure:
                stuck = failure
            if found is None:
                most = INSERTING_GLANCE * self.effort
                found = self._insert(work, most, NEAR * bound, HOPELESS)
            if found is None and stuck:
                raise stuck
        return found

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

    def _vary_handling(self, handling: Handling, good: float) -> list[Found]:
        """Return the best schedule of each of some handlings, the shortest first; each handling
        differs from the best one before by one change.

        The search stops at a schedule of at most `good` timesteps, and after half of the remaining
        cost if it finds none. If it finds none with the given handling, and lines are neither few
        nor many, it tries each change of this handling briefly.
        """
        begin, most = self.spent, self._remaining_cost() / 2
        work = self._work(handling)
        best = self._glance(work, good)
        if not best and FEWEST_ROLLED < self.lines <= MOST_URGED:
            return self._try_changes(handling, good, begin + most)
        found = [best] if best else []
        seen = [work.stages]
        changes = handling.changes(self.kitchen, self.state)
        number = latest = 0
        while changes and number < latest + len(changes):
            cost = self.shares.handling * self.effort if best else most
            if self.spent - begin >= cost or (best and best.length <= good):
                break
            other = handling.change(*changes[number % len(changes)])
            number += 1
            unseen = self._find_unseen(other, seen)
            if unseen and (new := self._glance(unseen, good)):
                found.append(new)
                if new.length < length_of(best):
                    best, handling, latest = new, other, number
        return sorted(found, key=length_of)

    def _try_changes(self, handling: Handling, good: float, most: float) -> list[Found]:
        """Return the schedule of each change of a handling for which a brief search finds one, the
        shortest first.

        The search stops at a schedule of at most `good` timesteps, or when `most` is spent.
        """
        found: list[Found] = []
        seen = [self._work(handling).stages]
        cost = INSERTING_BRIEFLY * self.lines * self.effort
        for change in sort_cooking_first(handling.changes(self.kitchen, self.state), self.state):
            if self.spent >= most or any(each.length <= good for each in found):
                break
            work = self._find_unseen(handling.change(*change), seen)
            with suppress(PlacementError):
                if work and (new := self._insert(work, cost, good, HOPELESS)):
                    found.append(new)
        return sorted(found, key=length_of)

    def _find_unseen(self, handling: Handling, seen: list[list[Stage]]) -> Remaining | None:
        """Return the workload of a handling, and add its stages to `seen`; None if they are there
        already or exceed the stock.
        """
        work = self._work(handling)
        if work.stages in seen or work.exceeds(self.state.stock):
            return None
        seen.append(work.stages)
        return work

    def _glance(self, work: Remaining, good: float) -> Found | None:
        """Return the best schedule of quick searches; None if they find none."""
        found: Found | None = None
        try:
            if self.lines <= MOST_URGED:
                found = self._urge(work, GLANCE * self.effort, good, None)
            if found is None or self.lines > FEWEST_ROLLED:
                rolling = self._make_rolling_search(work, foresight=1)
                search = partial(best_by_rule, rolling, length_of(found))
                found = better(found, lambda: self._pay_for(rolling.search, search))
            if self._is_far(found) and self.lines > FEWEST_ROLLED:
                most = INSERTING_GLANCE * self.effort
                found = better(found, partial(self._insert, work, most, good, length_of(found)))
        except PlacementError:
            pass
        return found

    def _is_far(self, found: Found | None) -> bool:
        """Return whether no schedule is found yet, or only one that is far from the lower bound."""
        return found is None or found.length > FAR * self.bound

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

    def _search_on(self, found: Found, others: Sequence[Found], good: float) -> Found:
        """Improve a schedule that is far from the lower bound; return the best schedule.

        The searches stop at a schedule of at most `good` timesteps. A single line is planned again
        with other urgencies. If the schedule of several lines is far from the bound, all of them
        are planned one after the other. Then some lines at a time are planned again; for a while,
        also in the best `others`.
        """
        if self.lines == 1:
            tries = self._remaining_tries(ALONE_TRIES)
            urged = partial(self._urge, found.work, tries, good, found.solution)
            return better(found, urged) or found
        if self._is_far(found):
            most = self.shares.inserting * self._remaining_cost()
            insert = partial(self._insert, found.work, most, good, found.length)
            found = better(found, insert) or found
        others = [other for other in others if other is not found]
        if others:
            most = RIVALS_SHARE * self._remaining_cost()
            rivals = [self._reinsert(each, most, good) for each in (found, *others[:MOST_RIVALS])]
            found = min(rivals, key=length_of)
        return self._reinsert(found, self._remaining_cost(), good)

    def _reinsert(self, found: Found, most: float, good: float) -> Found:
        """Plan some lines of a schedule again, several times, and return the best schedule. The
        search costs about `most`.
        """
        reinserting = Reinserting(self._problem(found.work), self._chance)
        shorten = partial(reinserting.shorten, found.solution, most, good)
        return self._pay_for(reinserting.serial, shorten) or found

    def _remaining_cost(self) -> float:
        """Return the cost that all further searches may have together."""
        return MOST_COST * self.effort - self.spent
