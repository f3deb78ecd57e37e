"""The messages to an open restaurant: orders, changes to them, cancellations."""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.kitchen.world import Restaurant
from cookmas.worlds.base.messages import Field, MessageForm

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
