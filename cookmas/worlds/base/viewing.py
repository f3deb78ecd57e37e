"""How a world is shown to people, who see no more than a planner does.

The page and the terminal have no code for a single world. Each world brings the words for its
events, actions and states, and may bring scripts that draw its states. A world that brings nothing
is shown as plain data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cookmas.episodes.instruction import is_instruction
from cookmas.episodes.reports import describe_end, is_report
from cookmas.episodes.world import Json

OPEN = "open"
"""Status of a goal that is neither reached nor lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerPlace:
    """The place of a worker, in words."""

    at: str
    """Where the worker stands."""
    holds: str = ""
    """The things in its hands; empty for none."""
    out: bool = False
    """True if the worker is out of service."""

    @property
    def phrases(self) -> tuple[str, str, str]:
        """Where it is, that it is out of service, and what it holds; each is empty if it is not."""
        return (
            f"at {self.at}" if self.at else "",
            "out of service" if self.out else "",
            f"holds {self.holds}" if self.holds else "",
        )


NOWHERE = WorkerPlace(at="")
"""The place of a worker of which a world says none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One line of a panel, in words."""

    name: str
    """Subject of the line, such as a station."""
    what: str
    """Content of the line."""
    note: str = ""
    """A remark behind the content; empty for none."""
    alarming: bool = False
    """True if a person should notice it at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A box with lines, as a part of the picture of a state."""

    title: str
    items: Sequence[Item]


def panel_of(title: str, lines: Iterable[tuple[str, str]]) -> Panel:
    """Return a panel whose lines are pairs: the subject, and what is said about it."""
    return Panel(title=title, items=[Item(name=name, what=what) for name, what in lines])


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleGoal:
    """A goal, such as an order line, as people see it in a state."""

    name: str
    what: str
    """What was asked for, such as an ordered item."""
    note: str = ""
    """A remark in a person's words; empty for none."""
    status: str = OPEN
    """OPEN, or the world's word for how the goal was closed."""
    due: int | None = None
    """Timestep by which the goal is due; None if there is no limit."""
    when: int | None = None
    """Timestep at which the goal was closed; None if it is open."""
    lost: bool = False
    """True if the goal can no longer be reached."""

    @property
    def tone(self) -> str:
        """The status in a word that all worlds share: `open`, `reached` or `lost`."""
        if self.lost:
            return "lost"
        return "open" if self.status == OPEN else "reached"

    @property
    def label(self) -> str:
        """The name of the goal and what was asked for, as one text."""
        return f"{self.name} {self.what}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """A world's words for things that every world has."""

    goals: str = "goals"
    """Word for the goals."""
    reached: str = "reached"
    """Word for a goal that is reached."""
    texts: str = "texts"
    """Word for the texts that planners look up."""
    doing: str = "playing"
    """Word for the workers' activity."""


def speak_name(name: str) -> str:
    """Return a name of the notation, such as `worker_1`, in words."""
    return name.replace("_", " ")


class Viewing:
    """The words and the drawing of a world; by default it shows states as plain data."""

    terms: Terms = Terms()
    """The world's words for things that every world has."""
    page: Sequence[Path] = ()
    """The scripts and styles for the world's part of the page, in order.

    If there are none, the page shows the panels and the goals.
    """

    def setup(self, world: Any) -> dict[str, Any]:
        """Return the constants that a drawing needs, as plain data; by default none."""
        return {}

    def event(self, event: Json) -> str:
        """Return an event in words, by default its kind and its subject.

        The words leave out facts that nobody knows at that time, such as the end of a fault. The
        method must accept any event, even one that the world refused.
        """
        if is_instruction(event):
            return f"the supervisor says: “{event.get('words', '')}”"
        about = (event.get(key) for key in ("name", "order", "line"))
        return " ".join(str(word) for word in (event.get("kind", "event"), *about) if word)

    def action(self, world: Any, state: Any, worker: str, action: str) -> str:
        """Return an action of a worker in words; return an unreadable action unchanged."""
        return action

    def place_workers(self, world: Any, state: Any) -> Mapping[str, WorkerPlace]:
        """Return the places of the visible workers, and of other agents, by name."""
        return {}

    def panels(self, world: Any, state: Any) -> Sequence[Panel]:
        """Return the panels of a state, by default one with its entries.

        Every state has the same panels in the same order.
        """
        entries = world.dump(state).items()
        return [panel_of("state", ((speak_name(name), _phrase(value)) for name, value in entries))]

    def goals(self, world: Any, state: Any) -> Sequence[VisibleGoal]:
        """Return all goals, open and closed, in the order in which they came."""
        return ()

    def keys(self, world: Any, state: Any, worker: str) -> Mapping[str, str]:
        """Return the action of each key, for a person who plays `worker` on the page.

        A key has the name that browsers give it (`KeyboardEvent.key`), such as `ArrowUp`. Keys that
        would do nothing but FAIL now are left out. By default there are no keys.
        """
        return {}


VIEWING = Viewing()
"""The viewing of a world that brings none."""


def _phrase(value: Any) -> str:
    """Return plain data as words, such as `name: value, name: value`."""
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


def describe_event(viewing: Viewing, event: Json) -> str:
    """Return an event as a world tells it; the end of a long action is told alike in all worlds."""
    return describe_end(event) if is_report(event) else viewing.event(event)
