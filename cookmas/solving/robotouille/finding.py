"""The choice of a search: one for the kitchen that is shipped, and one for any domain."""

from __future__ import annotations

from cookmas.solving.robotouille.kitchen_search import solve
from cookmas.solving.robotouille.search import Schedule, search_rules
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld

STATES = {1: 1000, 2: 200}
"""Greatest number of states that a search in the kitchen expands, by the number of robots."""

LIMIT = 5000
"""Greatest number of states that each attempt of the search in the rules expands."""


QUICK = 5
"""By which part of these numbers a quick search looks at fewer states."""


def find_schedule_alone(world: RobotouilleWorld, state: FactState, robot: str) -> Schedule | None:
    """Return a schedule in which one robot reaches the goal while the others wait, or None."""
    return search_rules(world, state, LIMIT, [robot])


def find_schedule(
    world: RobotouilleWorld, state: FactState, *, quick: bool = False
) -> Schedule | None:
    """Return a schedule that reaches the goal from a state; None if none was found."""
    part = QUICK if quick else 1
    solution = solve(world, state, STATES.get(len(world.workers), 0) // part)
    if solution and solution.schedule is not None:
        return solution.schedule
    return search_rules(world, state, LIMIT // part)
