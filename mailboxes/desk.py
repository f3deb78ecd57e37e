"""The desk of a world: the ingress adapter for messages to an open episode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from episodes.trace import AnyRecord
from episodes.world import Json
from mailboxes.protocol import May

Since = Callable[[int], Iterator[AnyRecord]]
"""Yields the records of the trace from the event with the given number on, in order."""


class Origin(NamedTuple):
    """The origin of a thing in the world."""

    name: str
    """Name of the thing."""
    number: int
    """Number of the letter that created it; 0: the scenario did."""


class Desk(Protocol):
    """The adapter that turns messages of senders into events of the world."""

    def admit(self, event: Json, number: int) -> dict[str, Any]:
        """Return a sender's event as an event of the world; new things are named after `number`.

        `number` is that of the letter. Raise InputError, in one sentence, if no sender may send the
        event.
        """
        ...

    def room(self, state: Any) -> May:
        """Return a function that tells which events the world can still take in this state.

        The function counts the events that it has accepted.
        """
        ...

    def recall(self, event: Json, state: Any, since: Since) -> str | None:
        """Return why an admitted event about something that has left the state is rejected.

        Return None if the event is about nothing that ever existed.
        """
        ...

    def origin(self, event: Json) -> Origin | None:
        """Return the origin of the thing that an event changes; None if it changes none."""
        ...

    def name_subject(self, event: Json) -> str | None:
        """Return the name of an admitted event's subject, such as its order, for its sender."""
        ...
