"""The search for many lines, which are ordered by a configuration or in a given way.

Its strategy is a `Window`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.kitchen.stages import Fetch, Made
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.search import Search
from cookmas.worlds.restaurant.scheduling.states import HOPELESS, PartialSchedule, Solution
from cookmas.worlds.restaurant.scheduling.tasks import duration
from cookmas.worlds.restaurant.scheduling.window import Configuration, Window

VISIT = 2
"""Timesteps between two visits of a station by different workers."""


class RollingSearch:
    """A search for schedules of a workload with many lines."""

    def __init__(self, problem: Problem, foresight: int = 0) -> None:
        self.problem = problem
        self.window = Window(problem)
        self.search = Search(problem, self.window, foresight)
        self.by_name = self.window.by_name
        self._openings: dict[int, list[PartialSchedule]] = {}

    def best_along(
        self,
        configuration: Configuration,
        width: int,
        shorter_than: float = HOPELESS,
        order: Sequence[str] | None = None,
    ) -> Solution | None:
        """Return the best schedule of a beam of `width` states.

        The lines are in the given `order`, or else in that of the `configuration`. Return None if
        there is no schedule with fewer than `shorter_than` timesteps. Raises PlacementError.
        """
        self.window.set_up(configuration, order or self.order_lines(configuration), shorter_than)
        if width not in self._openings:
            self._openings[width] = self.search.open_states(width)
        opening = [state.copy() for state in self._openings[width]]
        return self.search.best(width, opening=opening)

    def order_lines(self, configuration: Configuration) -> list[str]:
        """Return the lines as a configuration orders them, those in progress first."""
        begun = self._under_way()
        first = [line for line in self.by_name if line in begun]
        rest = [line for line in self.by_name if line not in begun]
        return first + self._order_new_lines(rest, configuration)

    def _under_way(self) -> set[str]:
        """Return the lines that use a thing in the kitchen."""
        used = [(stage.line, e.source) for stage in self.problem.tasks.stages for e in stage.inputs]
        used += [(delivery.line, delivery.source) for delivery in self.problem.tasks.deliveries]
        return {line for line, source in used if not isinstance(source, Fetch | Made)}

    def _order_new_lines(self, lines: list[str], configuration: Configuration) -> list[str]:
        """Return lines without work in progress in the order of the configuration."""
        if configuration.order == "longest":
            return sorted(lines, key=lambda line: -self.by_name[line].longest)
        if configuration.order == "turns":
            need = self._need_of_the_scarcest()
            lines = sorted(lines, key=lambda line: -need.get(line, 0) / self.by_name[line].work)
            return [lines.pop(-(number % 2)) for number in range(len(lines))]
        return lines

    def _need_of_the_scarcest(self) -> dict[str, int]:
        """Return for each line the timesteps for which it needs a station of the scarcest kind."""
        loads: dict[str, dict[str, int]] = {}
        slots = self.problem.resources.slots
        for stage in self.problem.tasks.stages:
            load = loads.setdefault(stage.kind, {})
            stay = duration(stage) + VISIT * len(stage.inputs)
            load[stage.line] = load.get(stage.line, 0) + stay
        scarcest = max(
            loads, key=lambda kind: sum(loads[kind].values()) / max(1, slots(kind)), default=""
        )
        return loads.get(scarcest, {})
