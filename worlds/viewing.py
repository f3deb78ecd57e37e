"""How a world is shown to people, who see no more of it than a planner does.

The page that shows a run knows no world. Each world brings the words for what happens in it, and
scripts that draw its states; one that brings none is shown as plain data.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from episodes.instruction import is_instruction
from episodes.world import Json


class Viewing(Protocol):
    """The words and the drawing of a world."""

    @property
    def page(self) -> Sequence[Path]:
        """The files, scripts and styles, that its part of the page is made of, in order."""
        ...

    def setup(self, world: Any) -> dict[str, Any]:
        """What a drawing needs to know that never changes, as plain data."""
        ...

    def event(self, event: Json) -> str:
        """An event in words, without what nobody knows when it happens, such as how it will end.

        It may be one that the world refused, and of any shape.
        """
        ...

    def action(self, world: Any, state: Any, worker: str, action: str) -> str:
        """What a worker does in a state, in words; an action that cannot be read is as it is."""
        ...


class PlainViewing:
    """A world without words and drawing of its own."""

    page: Sequence[Path] = ()

    def setup(self, world: Any) -> dict[str, Any]:
        """Nothing."""
        return {}

    def event(self, event: Json) -> str:
        """What kind of event it is, and of what; what the head chef says."""
        if is_instruction(event):
            return f"the head chef says: “{event.get('words', '')}”"
        about = (event.get(key) for key in ("name", "order", "line"))
        return " ".join(str(word) for word in (event.get("kind", "event"), *about) if word)

    def action(self, world: Any, state: Any, worker: str, action: str) -> str:
        """The action as it is."""
        return action
