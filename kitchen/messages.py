"""The messages that guests and the house send to an open restaurant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cookmas.episodes.messages import MessageField, MessageForm

LATER = "Add to, change or cancel an order"


def _menu(world: Any) -> Sequence[str]:
    """Return the menu of a restaurant, which is a `Restaurant`."""
    return list(world.kitchen.menu)


ORDER = MessageForm(
    kind="order",
    event="new_order",
    fields=(
        MessageField(
            name="words",
            label="Order, in words",
            example="2 Classic Burger: no onion; 1 French Fries",
            choices=_menu,
            free=True,
        ),
    ),
    subject="order",
    creates="live",
)
"""The message that places an order."""

MESSAGES = (
    ORDER,
    MessageForm(
        kind="add",
        event="add_line",
        fields=(
            MessageField(name="order", example="live1"),
            MessageField(name="words", label="What", example="1 Garden Salad"),
        ),
        group=LATER,
    ),
    MessageForm(
        kind="change",
        event="change_line",
        fields=(
            MessageField(name="line", example="live1.2"),
            MessageField(name="note", label="New words", example="medium, please"),
        ),
        group=LATER,
    ),
    MessageForm(
        kind="cancel",
        fields=(MessageField(name="name", label="Order or line", example="live1"),),
        group=LATER,
    ),
)
"""An order, and what may be said of an earlier one."""
