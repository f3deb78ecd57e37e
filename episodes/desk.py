"""The desk of a world: how it receives messages from outside while it is open."""

from __future__ import annotations

from typing import Any, Protocol

from episodes.world import Json


class Desk(Protocol):
    """Turns what a sender may send into events of the world."""

    def admit(self, event: Json, number: int) -> dict[str, Any]:
        """A sender's event as the world takes it, named by the `number` of its letter.

        Raises InputError, in one sentence, for what no sender may send.
        """
        ...

    def may(self, state: Any, event: Json) -> bool:
        """Whether the world can take the event now; otherwise it waits."""
        ...

    def about(self, event: Json) -> str | None:
        """The name of what an admitted event is about, such as its order; its sender is told."""
        ...
