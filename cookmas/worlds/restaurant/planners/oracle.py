"""The oracle planner: it is given the components of each line, and only schedules.

Comparison with it shows how much other planners lose by reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cookmas.episodes.trace import PlannerClass
from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import OrderLine
from cookmas.worlds.restaurant.planners.embedded import EmbeddedPlanner
from cookmas.worlds.restaurant.planners.understanding import Understanding
from cookmas.worlds.restaurant.scheduling.schedule import find_problem

Wanted = Callable[[str, OrderLine], tuple[Component, ...]]
"""A function that takes a line's name and the line, and returns the components to serve."""


class OraclePlanner(EmbeddedPlanner):
    """A planner that schedules like the embedded planner, but does not read.

    The function `wanted` tells it the components of each line.
    """

    name = "oracle"
    planner_class: PlannerClass = "oracle"

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self._wanted = wanted

    def understand(
        self, kitchen: Kitchen, lines: Mapping[str, OrderLine], texts: Mapping[str, str]
    ) -> Understanding:
        """Return the given components of each line; the recipes are ignored."""
        wanted = {name: self._wanted(name, line) for name, line in lines.items()}
        found = {name: find_problem(kitchen, components) for name, components in wanted.items()}
        problems = {name: problem for name, problem in found.items() if problem}
        return Understanding(wanted=wanted, doubts={}, problems=problems)
