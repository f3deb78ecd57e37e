"""The scheduler: the components that the open lines want in, a schedule out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from cookmas.episodes.parts import SearchStatus
from cookmas.kitchen.actions import Serve, Wait
from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.stages import Infeasible, Workload, unfold_dish
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.scheduling.bound import state_bound
from cookmas.worlds.restaurant.scheduling.decode import Rows, decode, until_missed
from cookmas.worlds.restaurant.scheduling.handling import Handling
from cookmas.worlds.restaurant.scheduling.improving import NOT_ENOUGH, Improving
from cookmas.worlds.restaurant.scheduling.left_shift import shift_left
from cookmas.worlds.restaurant.scheduling.resources import PAUSE
from cookmas.worlds.restaurant.scheduling.result import Fallback, ScheduleResult
from cookmas.worlds.restaurant.scheduling.reuse import find_remaining
from cookmas.worlds.restaurant.scheduling.tracking import track
from cookmas.worlds.restaurant.scheduling.underway import read_rows, still_serving

EFFORT = 6000
"""The fixed effort on every machine: width of the beam times tasks to the power 3/2."""

UNDERWAY = "the schedule under way"
"""The configuration of a schedule that is continued."""

NOBODY = "no worker is in service"

ALONE = 0.5
"""Share of the effort for all lines, each alone, if no schedule is found for all lines together."""

Wanted = Mapping[str, Sequence[Component]]
"""What each open order line wants."""


def find_problem(kitchen: Kitchen, components: Sequence[Component]) -> str | None:
    """Return the reason why a dish cannot be made from the ingredients of a kitchen; None if it
    can.

    Which stations the kitchen has does not matter.
    """
    if not components:
        return "no component was understood"
    try:
        unfold_dish(Workload(), "", components, kitchen.larder)
    except Infeasible as problem:
        return str(problem)
    return None


def make_schedule(
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Wanted,
    *,
    later: frozenset[str] = frozenset(),
    underway: Sequence[Mapping[str, str]] = (),
    effort: int = EFFORT,
) -> ScheduleResult:
    """Return a short schedule that serves the lines of `wanted` from a state on.

    Lines in `later` are not served, but their work in progress is kept. Other work in progress
    continues, or is abandoned if it cannot. A schedule `underway` continues if it still serves the
    same lines and no shorter one is found; if it does not serve them, it is repaired. A line whose
    ingredients have run out is not served. If no schedule for all lines is found, one line is
    scheduled alone. If all stations of a kind are out of service, the schedule ends before one is
    needed. If nothing can be done now, the schedule waits. Raises Infeasible if a component cannot
    be made.
    """
    if all(worker in state.out for worker in kitchen.workers):
        return _schedule_waiting(
            kitchen, ScheduleResult(status="infeasible", schedule=[], blocked=(NOBODY,))
        )
    lines, lacking = _in_stock(kitchen, state, wanted, later)
    if not lines:
        served: SearchStatus = "infeasible" if lacking else "optimal"
        return _schedule_waiting(
            kitchen, ScheduleResult(status=served, schedule=[], blocked=tuple(lacking))
        )
    asked = {line: tuple(wanted[line]) for line in lines}
    least = state_bound(kitchen, state, asked).value
    rows = read_rows(kitchen, underway)
    continued = _Served(still_serving(kitchen, state, rows, asked), UNDERWAY)
    blocked, expanded = tuple(lacking), 0
    tried: SearchStatus = "unknown"
    alone = [([line], ALONE / len(lines)) for line in lines] if len(lines) > 1 else []
    for some, share in ((lines, 1.0), *alone):
        left = frozenset(wanted).difference(some)
        repairs = rows and some is lines and not continued.rows
        before = track(kitchen, state, rows) if repairs else None
        improving = Improving(kitchen, state, wanted, left, int(share * effort), least, before)
        found = _schedule_serving(improving)
        expanded += improving.expanded
        if some is lines and continued.rows:
            found = continued.unless_shorter(found)
        if found and found.rows:
            bound = _bound_of_others(found.apart, kitchen, state, asked) if found.apart else least
            return ScheduleResult(
                status=_status(found, bound, whole=not blocked),
                schedule=[dict(zip(kitchen.workers, map(str, r), strict=True)) for r in found.rows],
                bound=bound,
                configuration=found.configuration,
                effort=expanded,
                fallback=found.fallback if some is lines else "one line alone",
                blocked=blocked + found.missing,
            )
        why = ", ".join(found.missing) if found else improving.blocked
        blocked += (f"{', '.join(some)}: {why}",)
        if found:
            tried = "infeasible"
    nothing = ScheduleResult(
        status=tried, schedule=[], bound=least, effort=expanded, blocked=blocked
    )
    return _schedule_waiting(kitchen, nothing)


def _bound_of_others(
    apart: Collection[str], kitchen: Kitchen, state: KitchenState, asked: Wanted
) -> int | None:
    """Return the bound of the lines that are not `apart`; None if there are none.

    In the lines `apart` some food cooks alone first; the bound does not hold for such lines.
    """
    others = {line: components for line, components in asked.items() if line not in apart}
    return state_bound(kitchen, state, others).value if others else None


def _status(found: _Served, bound: int | None, *, whole: bool) -> SearchStatus:
    """Return the status of a schedule; `whole` is true if no line was left out."""
    if not whole or found.missing:
        return "partial"
    return "optimal" if bound and found.served_after <= bound else "feasible"


def _schedule_waiting(kitchen: Kitchen, result: ScheduleResult) -> ScheduleResult:
    """Return a result with a schedule that waits for a while."""
    wait = [dict.fromkeys(kitchen.workers, str(Wait())) for _ in range(PAUSE)]
    return replace(result, schedule=wait, fallback="waiting")


def _in_stock(
    kitchen: Kitchen, state: KitchenState, wanted: Wanted, later: frozenset[str]
) -> tuple[list[str], list[str]]:
    """Return the lines for which the stock suffices, in order, and a sentence for each other line.

    Lines in `later` are in neither list.
    """
    asked = [line for line in wanted if line not in later]
    if not state.stock:
        return asked, []
    lines: list[str] = []
    lacking: list[str] = []
    for line in asked:
        others = frozenset(wanted).difference([*lines, line])
        work = find_remaining(kitchen, state, wanted, others)
        if work.exceeds(state.stock):
            lacking.append(f"{line}: {NOT_ENOUGH}")
        else:
            lines.append(line)
    return lines, lacking


class _Served(NamedTuple):
    """A schedule as actions, with the names of its search and of its fallback.

    `missing` has the reasons why the schedule stops before everything is served, `apart` the lines
    that cook some foods alone first.
    """

    rows: Rows
    configuration: str
    fallback: Fallback | None = None
    missing: tuple[str, ...] = ()
    apart: frozenset[str] = frozenset()

    @property
    def served_after(self) -> int:
        """Number of timesteps after which the last line is served."""
        for number in range(len(self.rows), 0, -1):
            if any(isinstance(action, Serve) for action in self.rows[number - 1]):
                return number
        return 0

    def unless_shorter(self, found: _Served | None) -> _Served:
        """Return `found` if it serves everything no later than this schedule, else this one."""
        if found is None or found.missing or found.served_after > self.served_after:
            return self._replace(apart=found.apart if found else self.apart)
        return found


def _schedule_serving(improving: Improving) -> _Served | None:
    """Return a schedule for the lines that are to be served; None if the search finds none."""
    kitchen, state = improving.kitchen, improving.state
    everything = frozenset((*state.contents, *kitchen.workers))
    attempts: tuple[tuple[Handling, Fallback | None], ...] = (
        (Handling(), None),
        (Handling(given_up=everything), "begun anew"),
    )
    for handling, fallback in attempts:
        best = improving.best(handling)
        if best:
            solution = best.solution
            rows = decode(kitchen, state, best.work.stages, solution)
            if solution.missing:
                rows = rows[: until_missed(solution)]
            else:
                rows = shift_left(kitchen, state, rows, improving.components_to_serve())
            kinds = {kitchen.stations[name].kind.name for name in solution.find_visited_missing()}
            missing = tuple(f"no {kind} is in service" for kind in sorted(kinds))
            return _Served(
                rows, solution.configuration, fallback, missing, best.work.handling.apart
            )
    return None
