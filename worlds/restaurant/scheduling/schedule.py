"""The scheduler: components wanted by the open lines in, a schedule out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kitchen.actions import Wait
from kitchen.components import Component
from kitchen.layout import Kitchen
from kitchen.stages import Infeasible, Workload, unfold_dish
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.decode import decode, until_missed
from worlds.restaurant.scheduling.handling import Handling
from worlds.restaurant.scheduling.improving import Improving
from worlds.restaurant.scheduling.resources import PAUSE
from worlds.restaurant.scheduling.reuse import remaining
from worlds.restaurant.scheduling.tighten import tightened

EFFORT = 6000
"""How hard is searched, whatever the machine: width of the beam times tasks to the power 3/2."""

ALONE = 0.25
"""What share of the effort is spent on each line alone where all together lead nowhere."""

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
    improving = Improving(kitchen, state, wanted, later, effort)
    everything = frozenset((*state.contents, *kitchen.workers))
    for handling in (Handling(), Handling(given_up=everything)):
        best = improving.best(handling)
        if best:
            rows = decode(kitchen, state, best.work.stages, best.solution)
            if best.solution.missing:
                rows = rows[: until_missed(best.solution)]
            else:
                served = {line: tuple(wanted[line]) for line in wanted if line not in later}
                rows = tightened(kitchen, state, rows, served)
            return [dict(zip(kitchen.workers, map(str, row), strict=True)) for row in rows]
    return None
