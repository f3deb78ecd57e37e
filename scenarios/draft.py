"""A scenario in the making: its lines, its events and what its notes mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kitchen.customizations import Customization
from kitchen.state import order_of
from scenarios.scenario import build_scenario
from scenarios.truth.truth import from_customization


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A line as somebody wants it: the item, the words, and what the words mean."""

    item: str
    note: str = ""
    wishes: tuple[Customization, ...] = ()


@dataclass(kw_only=True)
class Draft:
    """Collects events, naming lines as the kitchen will, and the meaning of every note.

    `lines` holds each line as last wanted, `since` the timestep at which it was ordered, `gone`
    the lines no longer wanted.
    """

    lines: dict[str, Wanted] = field(default_factory=dict)
    since: dict[str, int] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    _events: list[dict[str, Any]] = field(default_factory=list)
    _notes: dict[str, dict[str, list[dict[str, str | int]]]] = field(default_factory=dict)

    def new_order(
        self, at: int, order: str, wanted: Sequence[Wanted], due: int | None = None
    ) -> None:
        """An order comes in."""
        for number, line in enumerate(wanted, start=1):
            self._note(f"{order}.{number}", line, at)
        event: dict[str, Any] = {"at": at, "kind": "new_order", "order": order}
        if due is not None:
            event["due"] = due
        self._events.append({**event, "lines": [_entry(line) for line in wanted]})

    def add_line(self, at: int, order: str, wanted: Wanted) -> None:
        """One more line for an order. Lines of an order must be added in the order of time."""
        number = 1 + sum(order_of(name) == order for name in self.lines)
        self._note(f"{order}.{number}", wanted, at)
        self._events.append({"at": at, "kind": "add_line", "order": order, **_entry(wanted)})

    def change_line(self, at: int, line: str, wanted: Wanted) -> None:
        """New words for a line."""
        self._note(line, wanted, self.since[line])
        self._events.append({"at": at, "kind": "change_line", "line": line, "note": wanted.note})

    def remove_line(self, at: int, line: str) -> None:
        """A line is no longer wanted."""
        self.gone.add(line)
        self._events.append({"at": at, "kind": "remove_line", "line": line})

    def cancel_order(self, at: int, order: str) -> None:
        """An order is no longer wanted."""
        self.gone.update(self.of_order(order))
        self._events.append({"at": at, "kind": "cancel_order", "order": order})

    def fault(self, at: int, timesteps: int, **what: str) -> None:
        """A `station` or a `worker` is out of service for so many timesteps."""
        self._events.append({"at": at, "kind": "fault", **what, "timesteps": timesteps})

    def of_order(self, order: str) -> list[str]:
        """Names of an order's lines."""
        return [name for name in self.lines if order_of(name) == order]

    def orders(self) -> set[str]:
        """Names of the orders of which something is still wanted."""
        return {order_of(name) for name in self.lines if name not in self.gone}

    def finish(self, **settings: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The scenario and its truth as plain data; `settings` are the scenario's other fields."""
        scenario = {**settings, "events": sorted(self._events, key=lambda event: event["at"])}
        built = build_scenario("draft", Path("draft.yaml"), scenario)
        notes = {name: self._notes[name] for name in self.lines if name in self._notes}
        return scenario, {"scenario": built.digest, "notes": notes}

    def _note(self, name: str, wanted: Wanted, since: int) -> None:
        self.lines[name] = wanted
        self.since[name] = since
        if wanted.note:
            meaning = [from_customization(wish) for wish in wanted.wishes]
            self._notes.setdefault(name, {})[wanted.note] = meaning


def _entry(wanted: Wanted) -> dict[str, str]:
    return {"item": wanted.item, "note": wanted.note} if wanted.note else {"item": wanted.item}
