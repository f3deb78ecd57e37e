"""Viewing: the way a world is shown to people, who see no more of it than a planner does.

The page and the terminal know no world. Each world brings the words for its events, actions and
states, and may bring scripts that draw its states. A world that brings nothing is shown as plain
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
class WorkerPlace:
    """The place of a worker, in words."""

    at: str
    """Where it stands."""
    holds: str = ""
    """What it holds."""
    out: bool = False
    """True if it is out of service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One line of a panel, in words."""

    name: str
    """What the line is about."""
    what: str
    """The content."""
    note: str = ""
    """A remark."""
    alarming: bool = False
    """True if a person should notice it at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A part of the picture of a state."""

    title: str
    """Title in the world's words."""
    items: Sequence[Item]
    """The lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleGoal:
    """Something that was asked for, as people see it in a state."""

    name: str
    """Name of the goal."""
    what: str
    """What was asked for."""
    note: str = ""
    """A remark."""
    status: str = OPEN
    """OPEN, or another of the world's words."""
    due: int | None = None
    """Timestep by which it is due; None if there is no limit."""
    when: int | None = None
    """Timestep at which it was closed; None if it is open."""
    lost: bool = False
    """True if it can no longer be reached."""

    @property
    def tone(self) -> str:
        """The status in a word that all worlds share: `open`, `reached` or `lost`."""
        if self.lost:
            return "lost"
        return "open" if self.status == OPEN else "reached"

    @property
    def label(self) -> str:
        """The name, and what was asked for."""
        return f"{self.name} {self.what}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """A world's words for what every world has."""

    goals: str = "goals"
    """Word for what is asked for."""
    reached: str = "reached"
    """Word for a goal that is reached."""
    texts: str = "texts"
    """Word for the texts that are looked up."""
    doing: str = "playing"
    """Word for what the workers do."""


def speak_name(name: str) -> str:
    """Return a name of the notation, such as `worker_1`, in words."""
    return name.replace("_", " ")


class Viewing(Protocol):
    """The words and the drawing of a world."""

    @property
    def terms(self) -> Terms:
        """The world's words for what every world has."""
        ...

    @property
    def page(self) -> Sequence[Path]:
        """Files, scripts and styles, of the world's part of the page, in order.

        The page draws a world without files by its panels and goals.
        """
        ...

    def setup(self, world: Any) -> dict[str, Any]:
        """Return the constants that a drawing needs, as plain data."""
        ...

    def event(self, event: Json) -> str:
        """Return an event in words, without what is unknown when it happens, such as its end.

        The world may have refused the event, and the event may have any shape.
        """
        ...

    def action(self, world: Any, state: Any, worker: str, action: str) -> str:
        """Return an action of a worker in words; an action that cannot be read stays as it is."""
        ...

    def place_workers(self, world: Any, state: Any) -> Mapping[str, WorkerPlace]:
        """Return the visible workers by name, and the agents other than workers."""
        ...

    def panels(self, world: Any, state: Any) -> Sequence[Panel]:
        """Return the panels of a state, always the same ones in the same order."""
        ...

    def goals(self, world: Any, state: Any) -> Sequence[VisibleGoal]:
        """Return the open and the closed goals, in the order in which they came."""
        ...


class PlainViewing:
    """The words of a world that has none of its own, and no drawing."""

    terms = Terms()
    page: Sequence[Path] = ()

    def setup(self, world: Any) -> dict[str, Any]:
        """Return nothing."""
        return {}

    def event(self, event: Json) -> str:
        """Return the kind of the event and its subject, or an instruction of the supervisor."""
        if is_instruction(event):
            return f"the supervisor says: “{event.get('words', '')}”"
        about = (event.get(key) for key in ("name", "order", "line"))
        return " ".join(str(word) for word in (event.get("kind", "event"), *about) if word)

    def action(self, world: Any, state: Any, worker: str, action: str) -> str:
        """Return the action unchanged."""
        return action

    def place_workers(self, world: Any, state: Any) -> Mapping[str, WorkerPlace]:
        """Return no workers."""
        return {}

    def panels(self, world: Any, state: Any) -> Sequence[Panel]:
        """Return one panel with the entries of the state."""
        entries = world.dump(state).items()
        items = [Item(name=speak_name(name), what=_phrase(value)) for name, value in entries]
        return [Panel(title="state", items=items)]

    def goals(self, world: Any, state: Any) -> Sequence[VisibleGoal]:
        """Return no goals."""
        return ()


def _phrase(value: Any) -> str:
    """Return simple plain data in words."""
    match value:
        case None:
            return "-"
        case dict():
            return ", ".join(
                f"{speak_name(str(name))}: {_phrase(each)}" for name, each in value.items()
            )
        case list():
            return ", ".join(map(_phrase, value))
    return str(value)
