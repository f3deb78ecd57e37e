"""The oracle: is handed what each line wants, and only schedules. A measure, never a contestant."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from episodes.trace import PlannerClass
from kitchen.components import Component
from kitchen.layout import Kitchen
from kitchen.state import OrderLine
from worlds.restaurant.planners.embedded import EmbeddedPlanner
from worlds.restaurant.planners.understanding import Understanding

Wanted = Callable[[str, OrderLine], tuple[Component, ...]]
"""What a line, by its name and words, must be served as."""


class OraclePlanner(EmbeddedPlanner):
    """Schedules as the embedded planner does, for what it was told that each line wants."""

    name = "oracle"
    planner_class: PlannerClass = "oracle"

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self._wanted = wanted

    def understand(
        self, kitchen: Kitchen, lines: Mapping[str, OrderLine], texts: Mapping[str, str]
    ) -> Understanding:
        """What it was told, whatever the texts say."""
        wanted = {name: self._wanted(name, line) for name, line in lines.items()}
        return Understanding(wanted=wanted, doubts={})
