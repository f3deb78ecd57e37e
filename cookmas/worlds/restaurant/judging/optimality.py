"""Makespan and optimality: when everything was served, against bounds and known schedules.

The restaurant also knows a part of the price of a disruption: how soon lines can be served.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cookmas.episodes.trace import EventRecord
from cookmas.evals.disruptions import Continuation, Continuing
from cookmas.evals.optimality import Optimum, Reached, rates, to_go
from cookmas.evals.rows import Measured, MeasureTable, of_episode, row
from cookmas.evals.verdict import EPISODE, Check, make_unscored
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.judging.evidence import KitchenEvidence
from cookmas.worlds.restaurant.judging.scores import completeness
from cookmas.worlds.shipped import solved

BEGUN_EARLY = "a gap is negative where food was begun before it was ordered"
CANCELLED = "every line was cancelled"


def _find_makespan(evidence: KitchenEvidence) -> Measured | str | None:
    if evidence.is_open:
        return None
    lines = evidence.standing
    if flaw := evidence.flaw if lines else CANCELLED:
        return flaw
    last = max(line.served_at for line in lines if line.served_at is not None)
    names = ", ".join(line.name for line in lines if line.served_at == last)
    return Measured(last + 1, evidence=f"last served: {names}")


def _find_bound(evidence: KitchenEvidence) -> Measured | str | None:
    if evidence.is_open:
        return None
    if not evidence.standing:
        return CANCELLED
    if evidence.bound is None:
        return evidence.no_bound
    parts = ", ".join(f"{name} {part}" for name, part in evidence.bound.parts.items())
    return Measured(evidence.bound.value, evidence=parts)


def _find_gap(evidence: KitchenEvidence) -> Measured | str | None:
    makespan = _find_makespan(evidence)
    if not isinstance(makespan, Measured):
        return makespan
    if evidence.bound is None:
        return evidence.no_bound
    value, bound = int(makespan.value or 0), evidence.bound.value
    cancelled = [line.name for line in evidence.lines if not line.stands]
    within = f"; work on cancelled lines is in it ({', '.join(cancelled)})" if cancelled else ""
    early = f"; {BEGUN_EARLY}" if value < bound else ""
    return Measured(
        round(100 * (value - bound) / bound, 2),
        f"makespan {value} against a bound of {bound}{within}{early}",
    )


makespan = MeasureTable(
    of_episode(
        row("makespan", _find_makespan, "timesteps"),
        row("makespan_bound", _find_bound, "timesteps"),
        row("gap", _find_gap, "%"),
    )
)
"""When the standing lines were served, against the bound.

Makespan and gap are scored for correct episodes only, because a wrong dish may take less time. An
open episode has none of these checks; throughput measures it instead.
"""


def find_optimum(evidence: KitchenEvidence) -> Optimum | None:
    """Return the fewest timesteps for the standing lines, by a planner that knows all events.

    They are proven where a certificate of these events says so, and all orders come at once. Else
    they are a lower bound. Returns None if there is no line, or no bound.
    """
    bound = evidence.clairvoyant if evidence.standing else None
    if bound is None:
        return None
    if any(record.injected for record in evidence.trace.of(EventRecord)):
        return Optimum(bound, "bound", "less")
    least, known = evidence.truth.least, evidence.truth.best_known
    what = "optimum" if least and least == known else "bound"
    return Optimum(max(bound, least or 0), what, "less", known=known)


def optimality(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `optimality_rate` if every dish is right, else `steps_to_go` (Robotouille, RowGroup 4).

    `optimality_rate` is optimum / makespan. `steps_to_go` is the least number of timesteps for the
    wrong dishes / optimum. Where a certificate proves the optimum, it is that. Else, and for the
    least number, lower bounds take their place: for a planner that knows all orders beforehand. The
    bound for the wrong dishes assumes that they are made from raw ingredients. `rate_of_best_known`
    has the length of the best known schedule instead, if there is one for these events. The true
    rate lies between the two rates. Open episodes have none of these checks.
    """
    lines = evidence.standing
    if evidence.is_open or not lines:
        return
    best = find_optimum(evidence)
    if best is None:
        yield make_unscored("optimality_rate", EPISODE, evidence.no_bound)
        return
    right = {
        check.subject
        for check in completeness(evidence)
        if check.name == "complete" and check.passed
    }
    wrong = [line for line in lines if line.name not in right]
    if not wrong:
        makespan = max(line.served_at or 0 for line in lines) + 1
        yield from rates(Reached(makespan), best)
        return
    demand = solved("restaurant", "bound:Demand")
    demands = [demand(release=0, components=line.wanted) for line in wrong if line.wanted]
    left = solved("restaurant", "bound:makespan_bound")(evidence.world.kitchen, demands).value
    yield to_go(
        left, best._replace(known=None), f"{len(wrong)} lines take {left} timesteps from nothing"
    )


LAST_SCHEDULES = 2
"""The schedules that may serve what is open: the one under way before a disruption, and the answer.
"""


def find_open(state: KitchenState) -> Collection[str]:
    """Return the names of the open order lines of a state."""
    return state.open_lines().keys()


def solve(
    evidence: KitchenEvidence, state: KitchenState, lines: Collection[str]
) -> Continuation | None:
    """Return how soon lines can be served from a state; None if the truth of a line is unknown, or
    if the truth has no function that answers.

    What is out of service comes back when it does, which only the state of the world says.
    """
    truth = evidence.truth
    if truth.solve is None:
        return None
    try:
        wanted = {
            name: truth.dish(line.item, name, line.note)
            for name, line in state.open_lines().items()
            if name in lines
        }
    except KeyError:
        return None
    now = state.timestep
    known = [each.list_rest(now) for each in evidence.schedules if each.begin <= now]
    return Continuation(
        *truth.solve(evidence.world.kitchen, state, wanted, known[-LAST_SCHEDULES:])
    )


def find_missed(evidence: KitchenEvidence) -> Collection[str]:
    """Return the lines that were refused, or served another dish than was wanted."""
    refused = {line.name for line in evidence.lines if line.status == "refused"}
    return refused | {name for name, findings in evidence.findings.items() if findings}


def clairvoyant(evidence: KitchenEvidence) -> tuple[int, Optimum] | None:
    """Return the makespan, and the optimum of a planner that knows all orders beforehand.

    Return None if the episode is not correct, or the optimum unknown.
    """
    best = None if evidence.flaw else find_optimum(evidence)
    makespan = max((line.served_at or 0 for line in evidence.standing), default=0) + 1
    return None if best is None else (makespan, best)


CONTINUING = Continuing(find_open, solve, find_missed, clairvoyant)
"""The answers of the restaurant."""
