"""The desk of a world: the ingress adapter that checks messages to an open episode.

A letter is a message that the episode has taken, with a permanent number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from cookmas.episodes.trace import AnyRecord
from cookmas.episodes.world import Json
from cookmas.mailboxes.protocol import May

Since = Callable[[int], Iterator[AnyRecord]]
"""A function that yields the records of the trace, from the event with the given number on."""


class Origin(NamedTuple):
    """The origin of a thing in the world: the letter that created it, or the scenario."""

    name: str
    """Name of the thing."""
    number: int
    """Number of the letter that created the thing; 0 if the scenario created it."""


class Desk(Protocol):
    """The adapter that turns messages of senders into events of the world."""

    def admit(self, event: Json, number: int) -> dict[str, Any]:
        """Return a sender's event as an event of the world.

        New things are named after `number`, the number of the letter. Raise InputError, in one
        sentence, if no sender may send the event.
        """
        ...

    def is_for_house(self, event: Json) -> bool:
        """Return whether only the house may send an event of this kind."""
        ...

    def room(self, state: Any) -> May:
        """Return a function that decides whether a world in this state has room for another event.

        The function counts the events that it has accepted.
        """
        ...

    def recall(self, event: Json, state: Any, since: Since) -> str | None:
        """Return why an admitted event is rejected, if its subject has left the state.

        The subject, such as an order, is looked up in the records that `since` yields. Return None
        if the subject is still in the state or never existed.
        """
        ...

    def origin(self, event: Json) -> Origin | None:
        """Return the origin of the thing that an event changes; None if there is no such thing."""
        ...

    def name_subject(self, event: Json) -> str | None:
        """Return the name of an admitted event's subject, such as an order, to tell the sender."""
        ...
