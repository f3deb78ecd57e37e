"""What is ordered in a scenario."""

from __future__ import annotations

from kitchen.events import AddLine, NewOrder
from scenarios.scenario import Scenario


def ordered(scenario: Scenario) -> list[tuple[int, str]]:
    """The timestep and the menu item of each order line that comes in, in order."""
    lines: list[tuple[int, str]] = []
    for timed in sorted(scenario.file.events, key=lambda timed: timed.at):
        match timed.event:
            case NewOrder(lines=new):
                lines += [(timed.at, line.item) for line in new]
            case AddLine(item=item):
                lines.append((timed.at, item))
    return lines
