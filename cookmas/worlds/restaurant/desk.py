"""The ingress adapter of an open restaurant.

The episode takes messages from the mailbox as numbered letters. This adapter then checks the
orders, changes and cancellations in the letters, which are plain data or words (`ordering`). For
example, this order in words has three order lines:

    2 Classic Burger: no onion, well done; 1 French Fries
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from cookmas.episodes.world import Json
from cookmas.files.errors import InputError
from cookmas.kitchen.events import (
    LONGEST_NOTE,
    AddLine,
    CancelOrder,
    ChangeLine,
    NewOrder,
    RemoveLine,
    parse_event,
)
from cookmas.kitchen.messages import ORDER
from cookmas.kitchen.state import KitchenState, order_of
from cookmas.kitchen.world import Restaurant
from cookmas.mailboxes.desk import Created, Desk, Since
from cookmas.mailboxes.protocol import MOST_ENTRIES
from cookmas.worlds.restaurant.bygone import find_closed_lines
from cookmas.worlds.restaurant.ordering import OrderWords

Admitted = NewOrder | AddLine | ChangeLine | RemoveLine | CancelOrder


class RestaurantDesk(Desk):
    """The ingress adapter of a kitchen.

    It numbers the orders that it admits: `live1`, `live2`, and so on.
    """

    def __init__(self, world: Restaurant, known: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(world, known)
        self._words = OrderWords(world.kitchen.menu)

    def admit(self, event: Json, created: Created) -> dict[str, Any]:
        """Return an order, a change or a cancellation in the form of the kitchen's own events.

        The given event may have that form already. It may also have `words` in place of `lines`, or
        in place of `item` and `note`. An event of the kind `cancel` has the `name` of an order or
        of a line. A new order gets its name here, with the next number after those that are
        `created`. Raises InputError.
        """
        data = dict(event)
        if data.get("kind") == "new_order":
            name = self.name_next(ORDER, created)
            data.setdefault("order", name)
            if data["order"] != name:
                raise InputError("order", "the kitchen names orders, expected no name")
            if "words" in data:
                data["lines"] = self._lines(data.pop("words"))
        elif data.get("kind") == "add_line" and "words" in data:
            lines = self._lines(data.pop("words"))
            if len(lines) != 1:
                raise InputError("add_line", "has several lines, expected one")
            data |= lines[0]
        elif data.get("kind") == "cancel":
            name = str(data.get("name", ""))
            of_line = {"kind": "remove_line", "line": name}
            data = of_line if "." in name else {"kind": "cancel_order", "order": name}
        admitted = parse_event(data)
        if not isinstance(admitted, Admitted):
            raise InputError(
                f"event {admitted.kind}",
                "is not for guests, expected an order, a change or a cancellation",
            )
        plain = admitted.model_dump(exclude_none=True)
        _check_words(plain)
        return plain

    def _lines(self, words: Any) -> list[dict[str, str]]:
        if not isinstance(words, str):
            raise InputError("words", "expected text")
        lines: list[dict[str, str]] = []
        for dish in self._words.read(words):
            line = {"item": dish.item} | ({"note": dish.note} if dish.note else {})
            lines += [line] * dish.quantity
            if len(lines) > MOST_ENTRIES:
                raise InputError("order", f"has more than {MOST_ENTRIES} lines")
        if not lines:
            raise InputError("words", "expected NUMBER ITEM: WORDS, with a semicolon between lines")
        return lines

    def count_created(self, event: Json) -> int:
        """Return how many dishes an event adds; 1 if it cannot be read."""
        if event.get("kind") not in ("new_order", "add_line"):
            return 0
        try:
            lines = self._lines(event["words"]) if "words" in event else event.get("lines")
        except InputError:
            return 1
        return max(1, len(lines)) if isinstance(lines, list) else 1

    def recall(self, event: Json, state: KitchenState, since: Since) -> str | None:
        """Return a text that says how and when the line or order of an event was closed.

        `since` yields the records of the trace from the event that placed an order on. Returns None
        if the order is still in the state, or if there never was such a line or order.
        """
        line = str(event.get("line", ""))
        order = order_of(line) or str(event.get("order", ""))
        if any(order_of(name) == order for name in state.lines):
            return None
        origin = self.origin(event)
        if origin is None:
            return None
        closed = find_closed_lines(order, since(origin))
        if line in closed:
            how, timestep = closed[line]
            return f"order line {line} was {how} at timestep {timestep}"
        if line or not closed:
            return None
        return f"order {order} was closed at timestep {max(t for _, t in closed.values())}"

    def name_thing(self, event: Json) -> str | None:
        """Return the order that an event refers to; None for a new order."""
        if event.get("kind") == "new_order":
            return None
        return order_of(str(event.get("line", ""))) or str(event.get("order", ""))

    def name_subject(self, event: Json) -> str | None:
        """Return the name of the line or order that an event refers to."""
        name = event.get("line") or event.get("order")
        return name if isinstance(name, str) else None


def _check_words(event: Json) -> None:
    """Raise InputError if a note is too long: notes go to models and are shown to people."""
    for line in (event, *event.get("lines", ())):
        if len(line.get("note", "")) > LONGEST_NOTE:
            raise InputError("note", f"has more than {LONGEST_NOTE} characters")
