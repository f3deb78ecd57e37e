"""A cache of the last world state and its dump, for the next superstep."""

from __future__ import annotations

from typing import Any


class AtHand:
    """Holds one state of the world and its dump, which is known by its identity.

    What comes from a checkpoint or from somebody's edit is another object, and is loaded.
    """

    def __init__(self) -> None:
        self._state: Any = None
        self._dumped: dict[str, Any] | None = None

    def keep(self, state: Any, dumped: dict[str, Any]) -> None:
        """Hold a state and its dump in place of those before."""
        self._state, self._dumped = state, dumped

    def state_of(self, dumped: dict[str, Any]) -> Any:
        """Return the state of which this object is the dump; None if it is not cached."""
        return self._state if dumped is self._dumped else None

    def dump_of(self, state: Any) -> dict[str, Any] | None:
        """Return the dump of this state object; None if it is not cached."""
        return self._dumped if state is self._state else None
