"""How a world is shown to people, who see no more of it than a planner does.

The page and the terminal that show a run know no world. Each world brings the words for what
happens and stands in it, and scripts that draw its states; one that brings none is shown as plain
data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from episodes.instruction import is_instruction
from episodes.world import Json

OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a worker stands and what it `holds`, in words; `out`: it is out of service."""

    at: str
    holds: str = ""
    out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InUse:
    """Something in a place, in words; `minutes` is how long it has been worked on there by itself.

    `note` is what else there is to say, such as how well done it is by now.
    """

    place: str
    holds: str
    minutes: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Something that is or was asked for: `item` in whose `words`, and what has become of it.

    `status` is OPEN or another of the world's words; `due` and `closed` are timesteps.
    """

    name: str
    item: str
    words: str = ""
    status: str = OPEN
    due: int | None = None
    closed: int | None = None

    @property
    def label(self) -> str:
        """Its name, and what it is."""
        return f"{self.name} {self.item}".strip()


def spoken(name: str) -> str:
    """A name of the notation, such as `worker_1`, as people say it."""
    return name.replace("_", " ")


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

    def workers(self, world: Any, state: Any) -> Mapping[str, Standing]:
        """The workers that can be seen, by their names."""
        ...

    def in_use(self, world: Any, state: Any) -> Sequence[InUse]:
        """What is in the places, in a fixed order of these."""
        ...

    def asked(self, world: Any, state: Any) -> Sequence[Asked]:
        """What is asked for, in the order in which it came."""
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

    def workers(self, world: Any, state: Any) -> Mapping[str, Standing]:
        """None."""
        return {}

    def in_use(self, world: Any, state: Any) -> Sequence[InUse]:
        """The state, entry by entry."""
        return [InUse(place=name, holds=str(value)) for name, value in world.dump(state).items()]

    def asked(self, world: Any, state: Any) -> Sequence[Asked]:
        """Nothing."""
        return ()
