"""Improving: which searches one call of the scheduler makes, within its effort.

Some searches learn the urgencies of tasks (`urging`). A search with foresight plans tasks some
timesteps ahead. Lines can be planned one after the other (`inserting`), and some of them again
(`reinserting`). A handling says how work in progress is treated.

| constraint | method |
|---|---|
| the effort of a call is fixed, whatever the machine | `Searches` |
| no more is fetched than is in stock | `Remaining.exceeds`, before each search |
| work that cannot continue must not stop the rest | `_insert`, `Handling.make_gentler` |
| a line that cannot be cooked as usual is still served | `Handling.apart`, in `best` |
| a schedule far from its bound is improved | `_vary_handling`, `_search_on` |
| few stations must not wait long for a slow food | `_free_stations` |
| planning a few lines again soon finds nothing new | `_search_handlings` |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from cookmas.kitchen.bounds import workload_bound
from cookmas.kitchen.stages import Stage
from cookmas.worlds.restaurant.scheduling.blocking import find_blocked
from cookmas.worlds.restaurant.scheduling.bound import present
from cookmas.worlds.restaurant.scheduling.effort import (
    ALONE_TRIES,
    CLOSE,
    FAR,
    FEW,
    FEW_LINES,
    FEWEST_NARROWED,
    FEWEST_ROLLED,
    FREED_STATIONS,
    GLANCE,
    INSERTING_BRIEFLY,
    INSERTING_GLANCE,
    LINES_AT_ONCE,
    MANY,
    MOST_RIVALS,
    NARROW,
    NEAR,
    PATIENCE,
    RIVALS_SHARE,
    URGED_LINES,
    VARIED_LINES,
    Shares,
)
from cookmas.worlds.restaurant.scheduling.found import Found, better, length_of
from cookmas.worlds.restaurant.scheduling.handling import Handling, sort_cooking_first
from cookmas.worlds.restaurant.scheduling.permutations import best_by_rule
from cookmas.worlds.restaurant.scheduling.reuse import Remaining
from cookmas.worlds.restaurant.scheduling.searches import Searches
from cookmas.worlds.restaurant.scheduling.sharing import best_withheld
from cookmas.worlds.restaurant.scheduling.states import (
    HOPELESS,
    NoModeError,
    PlacementError,
    WorkInProgressError,
)

NOTHING_FOUND = "no schedule was found within the effort"
NOT_ENOUGH = "too little is in stock"


class Improving(Searches):
    """The choice of searches for a schedule, one of which improves what another one found.

    If the lower bound of a workload is greater than `bound`, the lines share the things in the
    kitchen in another way (`best_withheld`). `blocked` is the reason why the last search found
    nothing.
    """

    blocked = NOTHING_FOUND

    @property
    def shares(self) -> Shares:
        """The effort of the searches that depends on the number of lines."""
        return FEW if self.lines <= URGED_LINES else MANY

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
        if bound > self.bound and self.lines <= URGED_LINES:
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
        return found if length_of(found) <= CLOSE * bound else self._improve(starts, work, bound)

    def _improve(self, starts: list[Found], work: Remaining, bound: float) -> Found | None:
        """Return the best schedule of further searches; None if there is none.

        `starts` are the schedules found so far, `work` is the workload of the last search.
        """
        good = NEAR * bound
        found = min(starts, key=length_of, default=None)
        for freed in self._free_stations(found, good) if found else ():
            starts.append(freed)
            if freed.length < length_of(found):
                found, work = freed, freed.work
        if found is None or not 1 < self.lines <= VARIED_LINES:
            starts += self._vary_handling(work.handling, good)
        elif glanced := self._glance(work, good):
            starts.append(glanced)
        others = sorted(starts, key=length_of)
        found = others[0] if others else None
        if found is None or found.length <= CLOSE * bound:
            return found
        return self._search_on(found, others, good)

    def _search_without_foresight(self, work: Remaining, bound: float) -> Found | None:
        """Return the best schedule of the searches without foresight. Raises PlacementError."""
        found: Found | None = None
        if self.lines <= LINES_AT_ONCE:
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

    def _free_stations(self, found: Found, good: float) -> list[Found]:
        """Return the schedules of quick searches that abandon the foods of blocked stations."""
        schedules = [found]
        for name in find_blocked(found)[:FREED_STATIONS]:
            handling = min(schedules, key=length_of).work.handling.change((name,), counter=False)
            work = self._find_unseen(handling, [])
            if work and (new := self._glance(work, good)):
                schedules.append(new)
        return schedules[1:]

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
        if not best and FEWEST_ROLLED < self.lines <= URGED_LINES:
            return self._try_changes(handling, good, begin + most)

        def is_enough(best: Found | None) -> bool:
            cost = self.shares.handling * self.effort if best else most
            return self.spent - begin >= cost or length_of(best) <= good

        def glance(work: Remaining) -> Found | None:
            return self._glance(work, good)

        found = self._change_step_by_step(handling, best, glance, is_enough, [work.stages])
        return sorted([best, *found] if best else found, key=length_of)

    def _change_step_by_step(
        self,
        handling: Handling,
        best: Found | None,
        plan: Callable[[Remaining], Found | None],
        is_enough: Callable[[Found | None], bool],
        seen: list[list[Stage]],
    ) -> list[Found]:
        """Return the schedules that `plan` finds for some handlings; each handling differs from the
        best one before by one change.

        The first one is that of the schedule `best`. The search stops when all changes of the best
        handling are tried, or `is_enough` for the best schedule. It adds stages to `seen`.
        """
        found: list[Found] = []
        changes = handling.changes(self.kitchen, self.state)
        number = latest = 0
        while number < latest + len(changes) and not is_enough(best):
            unseen = self._find_unseen(handling.change(*changes[number % len(changes)]), seen)
            number += 1
            if unseen and (new := plan(unseen)):
                found.append(new)
                if new.length < length_of(best):
                    best, handling, latest = new, unseen.handling, number
        return found

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
            if self.lines <= URGED_LINES:
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

    def _search_on(self, found: Found, others: Sequence[Found], good: float) -> Found:
        """Improve a schedule that is far from the lower bound; return the best schedule.

        The searches stop at a schedule of at most `good` timesteps. A single line is planned again
        with other urgencies. If the schedule of several lines is far from the bound, all of them
        are planned one after the other. Then some lines at a time are planned again; for a while,
        also in the best `others`, and for a few lines with other handlings.
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
        if self.lines <= VARIED_LINES:
            found = self._search_handlings([found, *others], good)
        elif others:
            most = RIVALS_SHARE * self._remaining_cost()
            rivals = [self._reinsert(each, most, good) for each in (found, *others[:MOST_RIVALS])]
            found = min(rivals, key=length_of)
        return self._reinsert(found, self._remaining_cost(), good)

    def _search_handlings(self, starts: Sequence[Found], good: float) -> Found:
        """Return the best schedule of a few lines, after each start and each change of the best
        handling was improved for a while.
        """

        def improve(found: Found) -> Found:
            return self._reinsert(found, self._remaining_cost(), good, PATIENCE * self.effort)

        def plan(work: Remaining) -> Found | None:
            with suppress(PlacementError):
                most = INSERTING_BRIEFLY * self.lines * self.effort
                if new := self._insert(work, most, good, HOPELESS):
                    return improve(new)
            return None

        def is_enough(best: Found | None) -> bool:
            return self._remaining_cost() <= PATIENCE * self.effort or length_of(best) <= good

        best = min(map(improve, starts), key=length_of)
        seen = [start.work.stages for start in starts]
        changed = self._change_step_by_step(best.work.handling, best, plan, is_enough, seen)
        return min([best, *changed], key=length_of)
