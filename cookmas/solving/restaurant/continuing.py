"""How soon the rest of an episode can be served: a bound, and the shortest schedule that is known.

The embedded scheduler searches. Where the bound does not prove its schedule, the solver looks for a
shorter one if it is installed, within a deterministic limit. So with the same version of OR-Tools
the answer is the same on every machine, and without OR-Tools it says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.evals.disruptions import PLANNED, Continuation
from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.simulator import step
from cookmas.kitchen.state import KitchenState
from cookmas.solving.restaurant.proof import makespan_of
from cookmas.solving.restaurant.scheduling.bound import state_bound
from cookmas.solving.restaurant.scheduling.decode import Improvement, Rows
from cookmas.solving.restaurant.scheduling.planning import Found
from cookmas.solving.restaurant.scheduling.schedule import (
    EFFORT,
    Improve,
    find_served,
    make_schedule,
    read_rows,
    serves,
)
from cookmas.solving.restaurant.solver.cpsat import is_installed
from cookmas.solving.restaurant.solver.improving import NAME, improve

JUDGING_EFFORT = EFFORT // 4
"""The effort of the scheduler for each continuation. An episode needs two for each disruption, so
judging searches less than a planner does.
"""

JUDGING_UNITS = 0.02
"""The deterministic units of the solver for each continuation, about a quarter of a second. With
five times as many it finds some schedules that are one timestep shorter.
"""

SCHEDULER = "the embedded scheduler"


def find_continuation(
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Mapping[str, Sequence[Component]],
    planned: Sequence[Sequence[Mapping[str, str]]],
) -> Continuation:
    """Return what is known of the timesteps until the lines of `wanted` are served.

    Schedules are known from the searches, and from `planned`, as far as these serve everything from
    now on. All of them know when what is out of service comes back; the scheduler does not,
    so it is asked again then.
    """
    asked = {line: tuple(parts) for line, parts in wanted.items()}
    absent = state_bound(kitchen, state, asked).value
    shorten = _shorten_above(absent)
    result = make_schedule(kitchen, state, asked, effort=JUDGING_EFFORT, improve=shorten)
    known: list[tuple[int, str]] = []
    if result.status in ("optimal", "feasible"):
        name = NAME if result.configuration == NAME else SCHEDULER
        absent = result.bound or 0
        known.append((makespan_of(result.schedule), name))
    rows = read_rows(kitchen, result.schedule)
    back = _find_return(state)
    if 0 < back < len(rows):
        known += _search_again(kitchen, state, asked, rows[:back])
    known += (
        (makespan_of(rows), PLANNED)
        for rows in planned
        if serves(kitchen, state, read_rows(kitchen, rows), asked)
    )
    bound = _let_outages_end(absent, kitchen, state, asked)
    length, found = min(known, key=lambda each: each[0], default=(None, ""))
    lacking = "" if length == bound or is_installed() else NAME
    return Continuation(bound, length, found, lacking)


def _find_return(state: KitchenState) -> int:
    """Return in how many timesteps something comes back first; 0 if nothing is out of service."""
    return min((outage.until - state.timestep for outage in state.out.values()), default=0)


def _search_again(
    kitchen: Kitchen,
    state: KitchenState,
    asked: Mapping[str, tuple[Component, ...]],
    rows: Rows,
) -> list[tuple[int, str]]:
    """Return the length of the schedule that begins with `rows`, after which something comes back,
    and what found the rest; nothing if there is none.
    """
    served = find_served(kitchen, state, rows, asked)
    if served is None:
        return []
    for row in rows:
        state, _ = step(kitchen, state, row)
    left = {line: parts for line, parts in asked.items() if line not in served}
    rest = find_continuation(kitchen, state, left, ())
    return [] if rest.schedule is None else [(len(rows) + rest.schedule, rest.found)]


def _shorten_above(bound: int) -> Improve:
    """Return a function that shortens schedules longer than a bound, if OR-Tools is installed."""

    def shorten(kitchen: Kitchen, state: KitchenState, found: Found) -> Improvement:
        if found.solution.length <= bound or not is_installed():
            return Improvement(None, None, NAME)
        return improve(kitchen, state, found, JUDGING_UNITS)

    return shorten


def _let_outages_end(
    absent: int,
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Mapping[str, Sequence[Component]],
) -> int:
    """Return the bound if what is out of service comes back; `absent` is the bound if it does not.

    A schedule either ends before the first outage does, or it is longer.
    """
    if not state.out:
        return absent
    back = state_bound(kitchen, state.end_outages(), wanted).value
    return max(back, min(absent, _find_return(state) + 1))
