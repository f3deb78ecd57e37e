"""What happens once a checkpoint is durable: senders are told, and everybody may see how it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orchestrator.state import Context


async def kept(context: Context, values: Mapping[str, Any]) -> None:
    """A checkpoint with these values of the state is durable."""
    cursor = values.get("cursor", 0)
    due = [each for each in context.settled if each.number <= cursor]
    if due:
        await context.mailbox.settle(due)
        context.settled[:] = context.settled[len(due) :]
