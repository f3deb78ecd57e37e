"""How a world is shown to people, who see no more of it than a planner does.

The page and the terminal that show a run know no world. Each world brings the words for what
happens and stands in it, and may bring scripts that draw its states; one that brings nothing is
shown as plain data.
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
class Item:
    """One line of a panel, in words; `alarming` if it should be seen at once."""

    name: str
    what: str
    note: str = ""
    alarming: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A part of the picture of a state, under a title in the world's words."""

    title: str
    items: Sequence[Item]


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Something that is or was asked for: `what` it is, a `note`, and what has become of it.

    `status` is OPEN or another of the world's words; `due` and `when` it was closed are timesteps.
    One that is `lost` can never be reached any more.
    """

    name: str
    what: str
    note: str = ""
    status: str = OPEN
    due: int | None = None
    when: int | None = None
    lost: bool = False

    @property
    def tone(self) -> str:
        """How it stands, in a word that is the same for all worlds."""
        if self.lost:
            return "lost"
        return "open" if self.status == OPEN else "reached"

    @property
    def label(self) -> str:
        """Its name, and what it is."""
        return f"{self.name} {self.what}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a world calls what every world has: what is asked for, reached, looked up, and done."""

    goals: str = "goals"
    reached: str = "reached"
    texts: str = "texts"
    doing: str = "playing"


def spoken(name: str) -> str:
    """A name of the notation, such as `worker_1`, as people say it."""
    return name.replace("_", " ")


class Viewing(Protocol):
    """The words and the drawing of a world."""

    @property
    def terms(self) -> Terms:
        """How it calls what every world has."""
        ...

    @property
    def page(self) -> Sequence[Path]:
        """The files, scripts and styles, that its part of the page is made of, in order.

        A world without is drawn by its panels and goals.
        """
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

    def standing(self, world: Any, state: Any) -> Mapping[str, Standing]:
        """Return the workers that can be seen, by their names, and agents that are no workers."""
        ...

    def panels(self, world: Any, state: Any) -> Sequence[Panel]:
        """Return what else there is to be seen, always the same panels in the same order."""
        ...

    def goals(self, world: Any, state: Any) -> Sequence[Goal]:
        """Return what is and was asked for, in the order in which it came."""
        ...


class PlainViewing:
    """A world without words and drawing of its own."""

    terms = Terms()
    page: Sequence[Path] = ()

    def setup(self, world: Any) -> dict[str, Any]:
        """Nothing."""
        return {}

    def event(self, event: Json) -> str:
        """What kind of event it is, and of what; what the supervisor says."""
        if is_instruction(event):
            return f"the supervisor says: “{event.get('words', '')}”"
        about = (event.get(key) for key in ("name", "order", "line"))
        return " ".join(str(word) for word in (event.get("kind", "event"), *about) if word)

    def action(self, world: Any, state: Any, worker: str, action: str) -> str:
        """The action as it is."""
        return action

    def standing(self, world: Any, state: Any) -> Mapping[str, Standing]:
        """Return nobody."""
        return {}

    def panels(self, world: Any, state: Any) -> Sequence[Panel]:
        """Return the state, entry by entry."""
        entries = world.dump(state).items()
        items = [Item(name=spoken(name), what=_said(value)) for name, value in entries]
        return [Panel(title="state", items=items)]

    def goals(self, world: Any, state: Any) -> Sequence[Goal]:
        """Return nothing."""
        return ()


def _said(value: Any) -> str:
    """Return simple plain data in words."""
    match value:
        case None:
            return "-"
        case dict():
            return ", ".join(f"{spoken(str(name))}: {_said(each)}" for name, each in value.items())
        case list():
            return ", ".join(map(_said, value))
    return str(value)
