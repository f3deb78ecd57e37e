"""The order lines of a scenario, computed from its events alone."""

from __future__ import annotations

from cookmas.files.errors import InputError
from cookmas.kitchen.events import AddLine, CancelOrder, ChangeLine, NewOrder, RemoveLine
from cookmas.kitchen.state import order_of
from cookmas.scenarios.scenario_file import ScenarioFile


class Book:
    """The order lines that come in during a scenario, and all notes on them.

    `items` maps the name of each line to its menu item. `notes` lists every note with its line. The
    constructor raises InputError if an event refers to an order or line that does not exist yet, or
    if the level is too low for the events.
    """

    def __init__(self, file: ScenarioFile, where: str) -> None:
        self.where = where
        self.items: dict[str, str] = {}
        self.notes: list[tuple[str, str]] = []
        numbered = sorted(enumerate(file.events), key=lambda entry: entry[1].at)
        for number, timed in numbered:
            field = f"events.{number}"
            match timed.event:
                case NewOrder(order=order, lines=lines):
                    for line in lines:
                        self._add(order, line.item, line.note)
                case AddLine(order=order, item=item, note=note):
                    self._expect_order(order, field, timed.at)
                    self._add(order, item, note)
                case CancelOrder(order=order):
                    self._expect_order(order, field, timed.at)
                case RemoveLine(line=line):
                    self._expect_line(line, field, timed.at)
                case ChangeLine(line=line, note=note):
                    self._expect_line(line, field, timed.at)
                    self._say(line, note)
        self._expect_level(file)

    def _add(self, order: str, item: str, note: str) -> None:
        number = 1 + sum(order_of(name) == order for name in self.items)
        self.items[f"{order}.{number}"] = item
        self._say(f"{order}.{number}", note)

    def _say(self, line: str, note: str) -> None:
        if note:
            self.notes.append((line, note))

    def _expect_order(self, order: str, field: str, at: int) -> None:
        orders = list(dict.fromkeys(order_of(name) for name in self.items))
        if order not in orders:
            known = ", ".join(orders) or "none"
            raise InputError(
                self.where,
                f"{field}.order: there is no order {order!r} at timestep {at}, expected: {known}",
            )

    def _expect_line(self, line: str, field: str, at: int) -> None:
        if line not in self.items:
            known = ", ".join(self.items) or "none"
            raise InputError(
                self.where,
                f"{field}.line: there is no line {line!r} at timestep {at}, expected: {known}",
            )

    def _expect_level(self, file: ScenarioFile) -> None:
        level = file.level
        if level < 3 and len(file.events) > 1:
            raise InputError(self.where, f"level: is {level} with several events, expected 3")
        if level == 1 and len(self.items) > 1:
            raise InputError(self.where, "level: is 1 with several order lines, expected 2")
