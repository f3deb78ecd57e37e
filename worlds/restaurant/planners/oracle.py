"""The oracle planner: it is given the components of each line and only schedules. It is a
yardstick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from episodes.trace import PlannerClass
from kitchen.components import Component
from kitchen.layout import Kitchen
from kitchen.state import OrderLine
from worlds.restaurant.planners.embedded import EmbeddedPlanner
from worlds.restaurant.planners.understanding import Understanding

Wanted = Callable[[str, OrderLine], tuple[Component, ...]]
"""Returns the components that a line must be served with, given its name and the line."""


class OraclePlanner(EmbeddedPlanner):
    """A planner that schedules as the embedded planner does, for components that it is given."""

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
        return Understanding(wanted=wanted, doubts={})
