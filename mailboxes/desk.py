"""The desk of a world: the ingress adapter that checks messages to an open episode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from episodes.trace import AnyRecord
from episodes.world import Json
from mailboxes.protocol import May

Since = Callable[[int], Iterator[AnyRecord]]
"""A function that yields the records of the trace in order, from the event with a number on."""


class Origin(NamedTuple):
    """The origin of a thing in the world."""

    name: str
    """Name of the thing."""
    number: int
    """Number of the letter that created the thing; 0 if the scenario created it."""


class Desk(Protocol):
    """The adapter that turns messages of senders into events of the world."""

    def admit(self, event: Json, number: int) -> dict[str, Any]:
        """Return a sender's event as an event of the world.

        `number` is the number of the letter; new things are named after it. Raise InputError, in
        one sentence, if no sender may send the event.
        """
        ...

    def room(self, state: Any) -> May:
        """Return a function that decides whether the world has room for another event in a state.

        The function counts the events that it has accepted.
        """
        ...

    def recall(self, event: Json, state: Any, since: Since) -> str | None:
        """Return why an admitted event is rejected if its subject is no longer in the state.

        The subject is looked up in the records that `since` yields. Return None if it never
        existed.
        """
        ...

    def origin(self, event: Json) -> Origin | None:
        """Return the origin of the thing that an event changes; None if it changes none."""
        ...

    def name_subject(self, event: Json) -> str | None:
        """Return the name of an admitted event's subject, such as its order, for its sender."""
        ...
