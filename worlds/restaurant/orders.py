"""The order lines that come in during a scenario."""

from __future__ import annotations

from collections.abc import Mapping

from kitchen.bounds import Demand, makespan_bound
from kitchen.components import Component
from kitchen.events import AddLine, NewOrder
from scenarios.scenario import KitchenScenario


def list_incoming_lines(scenario: KitchenScenario) -> list[tuple[int, str]]:
    """Return the timestep and the menu item of each order line that comes in, in order."""
    lines: list[tuple[int, str]] = []
    for timed in sorted(scenario.file.events, key=lambda timed: timed.at):
        match timed.event:
            case NewOrder(lines=new):
                lines += [(timed.at, line.item) for line in new]
            case AddLine(item=item):
                lines.append((timed.at, item))
    return lines


def least_makespan(scenario: KitchenScenario, items: Mapping[str, tuple[Component, ...]]) -> int:
    """Return a lower bound of the makespan of all orders, in timesteps. It ignores the notes."""
    demands = [
        Demand(release=at, components=items[item]) for at, item in list_incoming_lines(scenario)
    ]
    return makespan_bound(scenario.kitchen, demands).value
