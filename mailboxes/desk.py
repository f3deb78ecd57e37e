"""The desk of a world: how it receives messages from outside while it is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from episodes.trace import AnyRecord
from episodes.world import Json
from mailboxes.protocol import May

Since = Callable[[int], Iterator[AnyRecord]]
"""The records of the trace from the event with a number on, in order."""


class Origin(NamedTuple):
    """What made the thing of a `name`: the message of letter `number`; 0: the scenario."""

    name: str
    number: int


class Desk(Protocol):
    """Turns what a sender may send into events of the world."""

    def admit(self, event: Json, number: int) -> dict[str, Any]:
        """A sender's event as the world takes it, named by the `number` of its letter.

        Raises InputError, in one sentence, for what no sender may send.
        """
        ...

    def room(self, state: Any) -> May:
        """Which events the world can take in this state, counting those that are taken."""
        ...

    def recall(self, event: Json, state: Any, since: Since) -> str | None:
        """Why an admitted event is refused that is about what the state has forgotten.

        None if it is about nothing that there was.
        """
        ...

    def origin(self, event: Json) -> Origin | None:
        """Return where what an admitted event changes came from.

        None if it changes nothing that there was before.
        """
        ...

    def about(self, event: Json) -> str | None:
        """The name of what an admitted event is about, such as its order; its sender is told."""
        ...
