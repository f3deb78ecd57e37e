"""The planners that do not search: they dispatch by a rule, or draw what they do.

They are the lines that a planner with a model must beat. Every other planner should score higher
than the random one.
"""

from __future__ import annotations

from functools import partial

from cookmas.solving.restaurant.planners.embedded import EmbeddedPlanner


class DispatchingPlanner(EmbeddedPlanner):
    """A planner that serves every open line by the dispatching rule that has its name.

    It reads like the embedded planner. If the rule leads to a dead end, it searches like it. The
    trace says so.
    """

    def __init__(self, rule: str) -> None:
        super().__init__()
        self.name = self.rule = rule


FIRST_COME = partial(DispatchingPlanner, "first-come")
SHORTEST_FIRST = partial(DispatchingPlanner, "shortest-first")
MOST_WORK = partial(DispatchingPlanner, "most-work")
MOST_URGENT = partial(DispatchingPlanner, "most-urgent")
