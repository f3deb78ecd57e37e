"""The scheduler: the components that the open lines want in, a schedule out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from cookmas.episodes.parts import SearchStatus
from cookmas.files.errors import NotationError
from cookmas.kitchen.actions import Navigate, Serve, Wait, parse_action
from cookmas.kitchen.components import Component, pair_off
from cookmas.kitchen.foods import Dish
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.simulator import step
from cookmas.kitchen.stages import Infeasible, Workload, unfold_dish
from cookmas.kitchen.state import KitchenState
from cookmas.solving.restaurant.scheduling.bound import Wanted, state_bound
from cookmas.solving.restaurant.scheduling.decode import (
    Improvement,
    Rows,
    Schedule,
    ScheduleResult,
    decode,
    until_missed,
)
from cookmas.solving.restaurant.scheduling.planning import (
    NOT_ENOUGH,
    NOTHING_FOUND,
    Found,
    Planning,
)
from cookmas.solving.restaurant.scheduling.resources import PAUSE
from cookmas.solving.restaurant.scheduling.reuse import find_remaining
from cookmas.solving.restaurant.scheduling.window import arrange

EFFORT = 6000
"""The fixed effort on every machine: more effort gives shorter schedules for more time."""

PLANNED_LINES = 40
"""Greatest number of lines that are planned at a time. With more lines the last ones would be
planned better, for more time.
"""

UNDERWAY = "the schedule under way"
"""The configuration of a schedule that is continued."""

NOBODY = "no worker is in service"

Asked = Mapping[str, tuple[Component, ...]]
"""The components that each of some lines wants."""

Improve = Callable[[Kitchen, KitchenState, Found], Improvement]
"""A solver that looks for a shorter schedule than a known one."""


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
    improve: Improve | None = None,
    rule: str | None = None,
) -> ScheduleResult:
    """Return a short schedule that serves the lines of `wanted` from a state on.

    Lines in `later` are not served, but their work in progress is kept. Other work in progress
    continues, or is abandoned if it cannot. A schedule `underway` continues if it still serves the
    same lines and no shorter one is found. If more than PLANNED_LINES lines are open, the others
    wait, and a schedule `underway` continues until few of its lines are left. A line whose
    ingredients have run out is not served. If no schedule for all lines is found, one for fewer
    lines is. If all stations of a kind are out of service, the schedule ends before one is needed.
    If nothing can be done now, the schedule waits. A shorter schedule of `improve` takes the place
    of the one that the searches found. A `rule` is the name of a dispatching rule that takes the
    place of the searches. Raises Infeasible if a component cannot be made.
    """
    if rule:
        wanted = arrange(state, wanted, rule)
    lines, blocked = _find_servable(kitchen, state, wanted, later)
    if not lines:
        status: SearchStatus = "infeasible" if blocked else "optimal"
        return _wait(kitchen, ScheduleResult(status=status, schedule=[], blocked=tuple(blocked)))
    rest = read_rows(kitchen, underway)
    asked = {line: tuple(wanted[line]) for line in lines}
    if len(lines) > PLANNED_LINES:
        blocked.append(f"{len(lines) - PLANNED_LINES} lines wait until fewer are open")
        served = find_served(kitchen, state, rest, asked) or set()
        if len(served) > PLANNED_LINES // 2:
            return _continue(kitchen, state, rest, asked, served, blocked)
        asked = {line: asked[line] for line in lines[:PLANNED_LINES]}
    goes_on = serves(kitchen, state, rest, asked)
    planning = Planning(kitchen, state, wanted, asked, effort, rule)
    found = planning.best() if goes_on else planning.best_of_most()
    new = _Actions([])
    if found:
        left = ", ".join(line for line in asked if line not in planning.lines)
        blocked += [f"{left}: {NOTHING_FOUND}"] if left else []
        asked = {line: asked[line] for line in planning.lines}
        new = _write_out(kitchen, state, found, asked, improve)
    if goes_on and (not found or new.missing or _last_serve(new.rows) > _last_serve(rest)):
        new = new._replace(rows=rest, configuration=UNDERWAY, missing=())
    bound = _bound_of_others(found.work.handling.apart if found else (), kitchen, state, asked)
    if not new.rows:
        why = ", ".join(new.missing) if found else planning.blocked
        nothing = ScheduleResult(
            status="infeasible" if found else "unknown",
            schedule=[],
            bound=bound,
            effort=planning.expanded,
            blocked=(*blocked, f"{', '.join(asked)}: {why}"),
        )
        return _wait(kitchen, nothing)
    blocked += new.missing
    proven = bound is not None and _last_serve(new.rows) <= bound
    return ScheduleResult(
        status="partial" if blocked else "optimal" if proven else "feasible",
        schedule=_write_rows(kitchen, new.rows),
        bound=bound,
        model_bound=new.model_bound,
        configuration=new.configuration,
        effort=planning.expanded,
        blocked=tuple(blocked),
    )


class _Actions(NamedTuple):
    """The actions of a schedule, and what found it.

    `missing` says which stations out of service the schedule stops before, `model_bound` is the
    bound of a solver that was asked.
    """

    rows: Rows
    configuration: str = ""
    missing: Sequence[str] = ()
    model_bound: int | None = None


def _write_out(
    kitchen: Kitchen, state: KitchenState, found: Found, asked: Asked, improve: Improve | None
) -> _Actions:
    """Return the actions of a schedule that was found, or those of a shorter one of `improve`.

    They end before the first visit to a station out of service.
    """
    solution = found.solution
    rows = decode(kitchen, state, found.work.stages, solution)
    if names := solution.find_visited_missing():
        kinds = {kitchen.stations[name].kind.name for name in names}
        missing = [f"no {kind} is in service" for kind in sorted(kinds)]
        return _Actions(rows[: until_missed(solution)], solution.configuration, missing)
    rows = _begin_at_once(kitchen, state, rows, asked)
    new = _Actions(rows, solution.configuration)
    if improve is None:
        return new
    better = improve(kitchen, state, found)
    if (
        better.rows
        and _last_serve(better.rows) < _last_serve(rows)
        and serves(kitchen, state, better.rows, asked)
    ):
        new = _Actions(better.rows, better.name)
    return new._replace(model_bound=better.bound)


def _continue(
    kitchen: Kitchen,
    state: KitchenState,
    rest: Rows,
    asked: Asked,
    served: Collection[str],
    blocked: Sequence[str],
) -> ScheduleResult:
    """Return the schedule under way, which serves some of the lines; the others wait."""
    kept = {line: parts for line, parts in asked.items() if line in served}
    return ScheduleResult(
        status="partial",
        schedule=_write_rows(kitchen, rest),
        bound=state_bound(kitchen, state, kept).value,
        configuration=UNDERWAY,
        blocked=tuple(blocked),
    )


def find_dead_end(state: KitchenState, result: ScheduleResult) -> str | None:
    """Return why waiting does not help, in a sentence for a planner that gives up; None if it may.

    It may if a schedule was found, or if a worker or a station is out of service.
    """
    if result.status != "unknown" or state.out:
        return None
    return "; ".join(["the search found no schedule", *result.blocked])


def _bound_of_others(
    apart: Collection[str], kitchen: Kitchen, state: KitchenState, asked: Asked
) -> int | None:
    """Return the bound of the lines that are not `apart`; None if there are none.

    In the lines `apart` some food cooks alone first; the bound does not hold for such lines.
    """
    others = {line: parts for line, parts in asked.items() if line not in apart}
    return state_bound(kitchen, state, others).value if others else None


def _wait(kitchen: Kitchen, result: ScheduleResult) -> ScheduleResult:
    """Return a result with a schedule that waits for a while."""
    wait = [dict.fromkeys(kitchen.workers, str(Wait())) for _ in range(PAUSE)]
    return replace(result, schedule=wait, fallback="waiting")


def _find_servable(
    kitchen: Kitchen, state: KitchenState, wanted: Wanted, later: frozenset[str]
) -> tuple[list[str], list[str]]:
    """Return the lines that can be served now, in order, and a sentence for each reason why others
    cannot: nobody works, or too little is in stock.

    Lines in `later` are not among them.
    """
    if all(worker in state.out for worker in kitchen.workers):
        return [], [NOBODY]
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


def read_rows(kitchen: Kitchen, underway: Sequence[Mapping[str, str]]) -> Rows:
    """Return the actions of a schedule; none if one of them is not in the action library.

    `underway` has the actions of each timestep from now on; a worker that is left out waits.
    """
    idle = str(Wait())
    try:
        return [[parse_action(row.get(name, idle)) for name in kitchen.workers] for row in underway]
    except NotationError:
        return []


def _write_rows(kitchen: Kitchen, rows: Rows) -> Schedule:
    """Return the actions of a schedule in text."""
    return [dict(zip(kitchen.workers, map(str, row), strict=True)) for row in rows]


def find_served(
    kitchen: Kitchen, state: KitchenState, rows: Rows, wanted: Asked
) -> set[str] | None:
    """Return the open lines of `wanted` that a schedule serves; None if an action FAILs, or if a
    line is served what it does not want.
    """
    left = set(wanted) & set(state.open_lines())
    served: set[str] = set()
    for row in rows:
        for worker, action in zip(state.workers, row, strict=True):
            if isinstance(action, Serve):
                dish, line = worker.holding, action.line
                if not isinstance(dish, Dish) or line not in left - served:
                    return None
                if pair_off(dish.components, wanted[line]) is None:
                    return None
                served.add(line)
        state, outcomes = step(kitchen, state, row)
        if not all(outcome.done for outcome in outcomes):
            return None
    return served


def serves(kitchen: Kitchen, state: KitchenState, rows: Rows, wanted: Asked) -> bool:
    """Return whether no action FAILs and every open line of `wanted` is served what it wants."""
    return find_served(kitchen, state, rows, wanted) == set(wanted) & set(state.open_lines())


def _begin_at_once(kitchen: Kitchen, state: KitchenState, rows: Rows, wanted: Asked) -> Rows:
    """Return a schedule without the first timesteps if nobody does anything in them and everything
    is served without them, too.

    So a planner that is called at every timestep, and that continues no schedule, still finishes.
    """
    idle = [(Wait(), Navigate(worker.station)) for worker in state.workers]
    while rows and all(act in does for act, does in zip(rows[0], idle, strict=True)):
        if not serves(kitchen, state, rows[1:], wanted):
            break
        rows = rows[1:]
    return rows


def _last_serve(rows: Rows) -> int:
    """Return the number of timesteps after which the last line is served."""
    for number in range(len(rows), 0, -1):
        if any(isinstance(action, Serve) for action in rows[number - 1]):
            return number
    return 0
