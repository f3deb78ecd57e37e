"""A shorter schedule than a known one, by the solver: found in its model, read back, decoded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.solving.restaurant.scheduling.decode import Improvement, decode
from cookmas.solving.restaurant.scheduling.planning import Found
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.solver.cpsat import run
from cookmas.solving.restaurant.solver.model import ModeModel
from cookmas.solving.restaurant.solver.solution import NAME, read_solution

Told = Callable[[str], None]
"""A function that is told of progress, a sentence at a time."""


def improve(
    kitchen: Kitchen,
    state: KitchenState,
    found: Found,
    limit: float,
    release: Mapping[str, int] | None = None,
    told: Told | None = None,
) -> Improvement:
    """Return the best schedule that the solver finds within `limit` deterministic units.

    A line in `release` opens that many timesteps from now. The known schedule may be late for it;
    the solver gets so much more time.
    """
    problem = Problem(kitchen, state, found.work)
    late = max(
        (
            (release or {}).get(problem.tasks.line(placed.mode.task), 0)
            - placed.start
            - placed.mode.served
            for placed in found.solution.placed
            if placed.mode.task is not None and placed.mode.served is not None
        ),
        default=0,
    )
    model = ModeModel(problem, found.solution, found.solution.length + max(0, late), release)

    def log(value: int, bound: int) -> None:
        if told is not None:
            told(f"a schedule of {value} timesteps; in the model at least {bound}")

    answer = run(model.model, limit, log=log)
    if answer.value is None:
        return Improvement(None, None if answer.proven else answer.bound, NAME)
    solution = read_solution(model, answer.of)
    rows = decode(kitchen, state, list(found.work.stages), solution)
    return Improvement(rows[: answer.value], answer.bound, NAME)
