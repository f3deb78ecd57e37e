"""The scheduler: components wanted by the open lines in, a schedule out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from kitchen.actions import Wait
from kitchen.bounds import workload_bound
from kitchen.components import Component
from kitchen.layout import Kitchen
from kitchen.stages import Infeasible, Workload, unfold_dish
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.bound import present
from worlds.restaurant.scheduling.decode import decode, until_missed
from worlds.restaurant.scheduling.orders import best_of_orders
from worlds.restaurant.scheduling.resources import PAUSE
from worlds.restaurant.scheduling.reuse import Remaining, remaining
from worlds.restaurant.scheduling.rolling import RollingSearch
from worlds.restaurant.scheduling.search import Search
from worlds.restaurant.scheduling.states import Solution, Unplaceable
from worlds.restaurant.scheduling.tighten import tightened
from worlds.restaurant.scheduling.urging import Urging

EFFORT = 6000
"""How hard is searched, whatever the machine: width of the beam times tasks to the power 3/2."""

WIDEST = 120
"""Widest beam."""

FEW_TASKS = 40
"""Up to so many tasks it is worth trying to let a task wait on purpose."""

HOLD = 2
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
"""Up to so many lines are searched with urgencies."""

URGED_TRIES = 7
"""For each unit of effort, how many modes may be tried on the searches with urgencies."""

IF_NOTHING_IS_FOUND = 0.3
"""What share of these tries is left where the other searches found nothing."""

ALONE = 0.25
"""What share of the effort is spent on each line alone where all together lead nowhere."""

FEWEST_IN_TURN_AGAIN = 5
"""From so many lines on they are searched in turn once more, with foresight."""

TRIES_AGAIN = 3.5
"""For each unit of effort, how many modes may be tried on that."""

TRIES = 3.5
"""For each unit of effort, how many modes may be tried on all the searches for many lines."""

Schedule = list[dict[str, str]]
"""For each timestep from now on, the action of each worker in text."""

Wanted = Mapping[str, Sequence[Component]]
"""What each open order line wants."""


def makeable(
    kitchen: Kitchen, wanted: Wanted
) -> tuple[dict[str, Sequence[Component]], dict[str, str]]:
    """The lines that some kitchen can make, and for each other line why it cannot be made."""
    can: dict[str, Sequence[Component]] = {}
    problems: dict[str, str] = {}
    for line, components in wanted.items():
        try:
            if not components:
                raise Infeasible("no component was understood")
            unfold_dish(Workload(), line, components, kitchen.larder)
        except Infeasible as problem:
            problems[line] = str(problem)
        else:
            can[line] = components
    return can, problems


def make_schedule(
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Wanted,
    *,
    later: frozenset[str] = frozenset(),
    effort: int = EFFORT,
) -> Schedule:
    """A short schedule that serves what the lines of `wanted` want, from a state on.

    Lines in `later` are left for another time, but what is under way for them is kept. What is
    under way is gone on with; where that cannot be it is given up. A line for which something has
    run out is left alone. If all lines together lead nowhere, one of them is scheduled alone. Where
    a kind of station is out of service altogether the schedule ends before it is needed. If nothing
    can be done at present it is to wait for a while. Raises Infeasible if a component cannot be
    made at all.
    """
    if not all(worker in state.out for worker in kitchen.workers):
        lines = _in_stock(kitchen, state, wanted, later)
        for some, share in ((lines, 1), *(([line], ALONE) for line in lines)):
            left = frozenset(wanted).difference(some)
            tried = int(share * effort)
            schedule = _serving(kitchen, state, wanted, left, tried) if some else None
            if schedule:
                return schedule
    return [dict.fromkeys(kitchen.workers, str(Wait())) for _ in range(PAUSE)]


def _in_stock(
    kitchen: Kitchen, state: KitchenState, wanted: Wanted, later: frozenset[str]
) -> list[str]:
    """The lines that are not `later` and for which there is enough left, the first ones first."""
    asked = [line for line in wanted if line not in later]
    if not state.stock:
        return asked
    lines: list[str] = []
    for line in asked:
        others = frozenset(wanted).difference([*lines, line])
        work = remaining(kitchen, state, wanted, others)
        if not work.exceeds(state.stock):
            lines.append(line)
    return lines


def _serving(
    kitchen: Kitchen, state: KitchenState, wanted: Wanted, later: frozenset[str], effort: int
) -> Schedule | None:
    """A schedule for the lines that are not `later`; None if the search ends nowhere."""
    given_up: frozenset[str] = frozenset()
    everything = frozenset((*state.contents, *kitchen.workers))
    while True:
        work = remaining(kitchen, state, wanted, later, given_up)
        if work.exceeds(state.stock):
            return None
        giving_up = everything
        try:
            found = _found(kitchen, state, work, effort)
        except Unplaceable as failure:
            found = None
            if failure.name and failure.name not in given_up:
                giving_up = given_up | {failure.name}
        if found is None:
            if given_up == everything:
                return None
            given_up = giving_up
        else:
            rows = decode(kitchen, state, work.stages, found)
            if found.missing:
                rows = rows[: until_missed(found)]
            else:
                served = {line: tuple(wanted[line]) for line in wanted if line not in later}
                rows = tightened(kitchen, state, rows, served)
            return [dict(zip(kitchen.workers, map(str, row), strict=True)) for row in rows]


def _found(kitchen: Kitchen, state: KitchenState, work: Remaining, effort: int) -> Solution | None:
    """Return the best schedule for a workload: of all lines at once, in turn, or of both searches.

    What is still far from the lower bound is searched for again with foresight. Return None if
    there is no schedule. Raises Unplaceable.
    """
    lines = len(work.deliveries)
    bound = workload_bound(work, present(kitchen, state)).value
    found = _all_at_once(kitchen, state, work, effort) if lines <= MOST_AT_ONCE else None
    if found is None or lines > FEW_LINES or found.length > CLOSE * bound:
        rolling = RollingSearch(kitchen, state, work)
        found = _better(found, lambda: best_of_orders(rolling, TRIES * effort))
    if (found is None or found.length > CLOSE * bound) and lines <= MOST_URGED:
        tries = URGED_TRIES * effort * (1 if found else IF_NOTHING_IS_FOUND)
        urging, known = Urging(kitchen, state, work), found
        found = _better(found, lambda: urging.best_urged(tries, NEAR * bound, known))
    for fills_gaps in (False, True):
        if found and found.length > CLOSE * bound and lines >= FEWEST_IN_TURN_AGAIN:
            again = RollingSearch(kitchen, state, work, foresight=1, fills_gaps=fills_gaps)
            found = _better(found, partial(best_of_orders, again, TRIES_AGAIN * effort))
    return found


def _better(found: Solution | None, search: Callable[[], Solution | None]) -> Solution | None:
    """Return what a search finds if that is shorter than what was `found`, else that.

    Raises Unplaceable if the search does and nothing was found before.
    """
    try:
        other = search()
    except Unplaceable:
        if found is None:
            raise
        return found
    if found is None or (other is not None and other.length < found.length):
        return other
    return found


def _all_at_once(
    kitchen: Kitchen, state: KitchenState, work: Remaining, effort: int
) -> Solution | None:
    """What the search with all lines at once finds; None if it ends nowhere."""
    search = Search(kitchen, state, work)
    tasks = max(1, len(search.entries))
    width = max(1, min(WIDEST, int(effort / tasks**1.5)))
    return search.best(width, hold=HOLD if tasks <= FEW_TASKS else 0)
