"""The ingress adapter of an open restaurant, and the forms of the messages to it.

The episode takes messages from the mailbox as numbered letters. This adapter then checks the
orders, changes and cancellations in the letters, which are plain data or words. For example, this
order in words has three order lines:

    2 Classic Burger: no onion, well done; 1 French Fries

Semicolons separate the parts. Each part has a quantity (1 if it is left out), the menu item, and
the customer's words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
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
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState, order_of
from cookmas.kitchen.world import Restaurant
from cookmas.mailboxes.desk import Origin, Since
from cookmas.mailboxes.envelope import MOST_ENTRIES
from cookmas.mailboxes.protocol import MOST_LETTERS, May
from cookmas.worlds.base.messages import Field, MessageForm
from cookmas.worlds.restaurant.bygone import find_closed_lines

MOST_OPEN = 40
"""The number of open order lines at which orders and added lines begin to wait in the mailbox.

Changes of a line's words and cancellations do not wait.
"""

_PART = re.compile(
    r"(?:(?P<number>[0-9]{1,3})\s*(?:x\s+)?)?(?P<item>[^:]+)(?::(?P<note>.*))?", re.DOTALL
)

_MESSAGE_ORDER = re.compile("live([1-9][0-9]{0,14})")
"""The name of an order that a message created; it contains the number of the message's letter."""

Admitted = NewOrder | AddLine | ChangeLine | RemoveLine | CancelOrder


class RestaurantDesk:
    """The ingress adapter of a kitchen.

    It names an order after the number of the letter that placed it, such as `live3`. `known` has
    the names of the orders that the scenario places.
    """

    def __init__(self, kitchen: Kitchen, known: Collection[str] = ()) -> None:
        self._items = {item.casefold(): item for item in kitchen.menu}
        self._known = frozenset(known)

    def admit(self, event: Json, number: int) -> dict[str, Any]:
        """Return an order, a change or a cancellation in the form of the kitchen's own events.

        The given event may have that form already. It may also have `words` in place of `lines`, or
        in place of `item` and `note`. An event of the kind `cancel` has the `name` of an order or
        of a line. A new order gets its name here, from the `number` of its letter. Raises
        InputError.
        """
        data = dict(event)
        if data.get("kind") == "new_order":
            data.setdefault("order", f"live{number}")
            if data["order"] != f"live{number}":
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
        for part in filter(None, map(str.strip, words.split(";"))):
            match = _PART.fullmatch(part)
            if match is None:
                raise InputError(repr(part[:60]), "expected NUMBER ITEM: WORDS")
            item = " ".join(match["item"].split())
            line = {"item": self._items.get(item.casefold(), item)}
            if note := (match["note"] or "").strip():
                line["note"] = note
            lines += [line] * int(match["number"] or 1)
            if len(lines) > MOST_ENTRIES:
                raise InputError("order", f"has more than {MOST_ENTRIES} lines")
        if not lines:
            raise InputError("words", "expected NUMBER ITEM: WORDS, with a semicolon between lines")
        return lines

    def room(self, state: KitchenState) -> May:
        """Return a function that decides whether the kitchen takes an event now.

        If `MOST_OPEN` or more lines are open, events that ask for more dishes wait; other events
        never wait. If fewer lines are open, the function takes events until there are
        `MOST_LETTERS` lines beyond that limit. Without this surplus, the planner would be called
        after each served dish.
        """
        taken = len(state.open_lines())
        most = 0 if taken >= MOST_OPEN else MOST_OPEN + MOST_LETTERS

        def may(event: Json) -> bool:
            nonlocal taken
            more = self._dishes(event)
            if more and taken >= most:
                return False
            taken += more
            return True

        return may

    def _dishes(self, event: Json) -> int:
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

        `since` takes the number of a letter, and yields the records of the trace from that letter
        on. Returns None if the order is still in the state, or if there never was such a line or
        order.
        """
        line = str(event.get("line", ""))
        order = order_of(line) or str(event.get("order", ""))
        if any(order_of(name) == order for name in state.lines):
            return None
        own = _MESSAGE_ORDER.fullmatch(order)
        if own is None and order not in self._known:
            return None
        closed = find_closed_lines(order, since(int(own[1]) if own else 1))
        if line in closed:
            how, timestep = closed[line]
            return f"order line {line} was {how} at timestep {timestep}"
        if line or not closed:
            return None
        return f"order {order} was closed at timestep {max(t for _, t in closed.values())}"

    def origin(self, event: Json) -> Origin | None:
        """Return the order that an event refers to, with the number of the letter that placed it.

        The number is 0 for an order of the scenario. Returns None for a new order, and for an order
        that neither the scenario nor a message can have created.
        """
        order = order_of(str(event.get("line", ""))) or str(event.get("order", ""))
        if event.get("kind") == "new_order":
            return None
        if order in self._known:
            return Origin(order, 0)
        match = _MESSAGE_ORDER.fullmatch(order)
        return Origin(order, int(match[1])) if match else None

    def name_subject(self, event: Json) -> str | None:
        """Return the name of the line or order that an event refers to."""
        name = event.get("line") or event.get("order")
        return name if isinstance(name, str) else None


def _check_words(event: Json) -> None:
    """Raise InputError if a note is too long: notes go to models and are shown to people."""
    for line in (event, *event.get("lines", ())):
        if len(line.get("note", "")) > LONGEST_NOTE:
            raise InputError("note", f"has more than {LONGEST_NOTE} characters")


LATER = "Add to, change or cancel an order"


def messages(world: Restaurant | None) -> tuple[MessageForm, ...]:
    """Return the forms of the messages. If `world` is given, the order form offers its menu."""
    menu: Sequence[str] = list(world.kitchen.menu) if world else ()
    words = Field(
        name="words",
        label="Order, in words",
        example="2 Classic Burger: no onion; 1 French Fries",
        choices=menu,
    )
    order = Field(name="order", label="Order", example="live1")
    line = Field(name="line", label="Line", example="live1.2")
    more = Field(name="words", label="What", example="1 Garden Salad")
    note = Field(name="note", label="New words", example="medium, please")
    name = Field(name="name", label="Order or line", example="live1")
    return (
        MessageForm(kind="order", event="new_order", title="Order", fields=(words,)),
        MessageForm(kind="add", event="add_line", title="Add", fields=(order, more), group=LATER),
        MessageForm(
            kind="change", event="change_line", title="Change", fields=(line, note), group=LATER
        ),
        MessageForm(kind="cancel", event="cancel", title="Cancel", fields=(name,), group=LATER),
    )
