"""Who may send what: what a message made is its sender's and the house's, the rest is the house's.

The sender of each message is in the trace, so that resuming a run changes nothing here.
"""

from __future__ import annotations

import asyncio
from typing import Any

from episodes.instruction import is_instruction
from episodes.world import Json
from files.errors import InputError
from mailboxes.desk import Desk
from mailboxes.envelope import HOUSE
from mailboxes.protocol import Letter
from orchestrator.graph.state import Context

UNAUTHORIZED = "unauthorized"
"""The kind of an event whose sender may not send it; no world has it, so no fork applies it."""


class UnauthorizedError(InputError):
    """An event whose sender may not send it."""

    def __init__(self, event: Json, problem: str) -> None:
        super().__init__("event", problem)
        self.event = {"kind": UNAUTHORIZED, "event": dict(event)}


async def admitted(letter: Letter, desk: Desk, context: Context) -> dict[str, Any]:
    """Return the event of a message as the world takes it.

    Raises UnauthorizedError if its sender may not send it, InputError if nobody may.
    """
    if is_instruction(letter.event):
        if letter.sender != HOUSE:
            raise UnauthorizedError(letter.event, "an instruction is the house's alone")
        return letter.event
    event = desk.admit(letter.event, letter.number)
    if letter.sender != HOUSE and (found := desk.origin(event)):
        owner = await _sender(found.number, found.name, desk, context) if found.number else HOUSE
        if owner not in (None, letter.sender):
            raise UnauthorizedError(letter.event, f"order {found.name} is another sender's")
    return event


async def _sender(number: int, name: str, desk: Desk, context: Context) -> str | None:
    """Who sent the message that made something of this name; None if no message did."""
    await context.recorder.write()
    record = await asyncio.to_thread(context.recorder.event, number)
    if record is None or record.refused or desk.about(record.event) != name:
        return None
    return record.sender or HOUSE
