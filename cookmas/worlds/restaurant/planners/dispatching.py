"""The planners that dispatch by a rule: they read like the embedded planner, but do not search.

They are the lines that a planner with a model must beat.
"""

from __future__ import annotations

from cookmas.worlds.restaurant.planners.embedded import EmbeddedPlanner


class DispatchingPlanner(EmbeddedPlanner):
    """A planner that serves every open line by the dispatching rule that has its name.

    If the rule leads to a dead end, it searches like the embedded planner. The trace says so.
    """


class FirstComePlanner(DispatchingPlanner):
    """A planner that serves the line that came in first."""

    name = rule = "first-come"


class ShortestFirstPlanner(DispatchingPlanner):
    """A planner that serves the line with the least work left."""

    name = rule = "shortest-first"


class MostWorkPlanner(DispatchingPlanner):
    """A planner that serves the line with the most work left."""

    name = rule = "most-work"


class MostUrgentPlanner(DispatchingPlanner):
    """A planner that serves the line with the least time to spare until it is due."""

    name = rule = "most-urgent"
