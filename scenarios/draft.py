"""The draft of a scenario: its lines, its events and the meanings of its notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cookmas.kitchen.customizations import Customization
from cookmas.kitchen.state import order_of
from cookmas.scenarios.scenario import build_scenario
from cookmas.scenarios.truth.truth import from_customization


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """An order line as the customer wants it: a menu item with a note."""

    item: str
    """The name of the menu item."""
    note: str = ""
    """The customer's words."""
    wishes: tuple[Customization, ...] = ()
    """The meaning of the customer's words."""


@dataclass(kw_only=True)
class ScenarioDraft:
    """The events of a scenario that is being written, with the meaning of every note.

    The draft gives order lines the names that the kitchen will give them.
    """

    lines: dict[str, Wanted] = field(default_factory=dict)
    """The order lines by name, each as the customer last wanted it."""
    since: dict[str, int] = field(default_factory=dict)
    """The timestep at which each line was ordered."""
    gone: set[str] = field(default_factory=set)
    """The names of the lines that were removed, or whose order was cancelled."""
    _events: list[dict[str, Any]] = field(default_factory=list)
    _notes: dict[str, dict[str, list[dict[str, str | int]]]] = field(default_factory=dict)

    def add_order(
        self, at: int, order: str, wanted: Sequence[Wanted], due: int | None = None
    ) -> None:
        """Add an event: at timestep `at`, an order with the `wanted` lines comes in.

        `due` is the timestep at which the order is due; None if it has no due time.
        """
        for number, line in enumerate(wanted, start=1):
            self._note(f"{order}.{number}", line, at)
        event: dict[str, Any] = {"at": at, "kind": "new_order", "order": order}
        if due is not None:
            event["due"] = due
        self._events.append({**event, "lines": [_entry(line) for line in wanted]})

    def add_line(self, at: int, order: str, wanted: Wanted) -> None:
        """Add an event: at timestep `at`, an order gets one more line.

        Lines are numbered as they are added, so add the lines of an order by increasing timestep.
        """
        number = 1 + sum(order_of(name) == order for name in self.lines)
        self._note(f"{order}.{number}", wanted, at)
        self._events.append({"at": at, "kind": "add_line", "order": order, **_entry(wanted)})

    def change_line(self, at: int, line: str, wanted: Wanted) -> None:
        """Add an event: at timestep `at`, a line gets the note that `wanted` has."""
        self._note(line, wanted, self.since[line])
        self._events.append({"at": at, "kind": "change_line", "line": line, "note": wanted.note})

    def remove_line(self, at: int, line: str) -> None:
        """Add an event: at timestep `at`, a line is no longer wanted."""
        self.gone.add(line)
        self._events.append({"at": at, "kind": "remove_line", "line": line})

    def cancel_order(self, at: int, order: str) -> None:
        """Add an event: at timestep `at`, an order is no longer wanted."""
        self.gone.update(self.of_order(order))
        self._events.append({"at": at, "kind": "cancel_order", "order": order})

    def fault(self, at: int, timesteps: int, **what: str) -> None:
        """Add an event: a station or a worker is out of service from timestep `at` on.

        `timesteps` says for how long. `what` is `station=NAME` or `worker=NAME`.
        """
        self._events.append({"at": at, "kind": "fault", **what, "timesteps": timesteps})

    def of_order(self, order: str) -> list[str]:
        """Return the names of an order's lines."""
        return [name for name in self.lines if order_of(name) == order]

    def orders(self) -> set[str]:
        """Return the names of the orders in which at least one line is still wanted."""
        return {order_of(name) for name in self.lines if name not in self.gone}

    def finish(self, **settings: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the scenario and its truth as plain data.

        `settings` are the scenario's other fields. Raises InputError if the scenario is invalid.
        """
        scenario = {**settings, "events": sorted(self._events, key=lambda event: event["at"])}
        built = build_scenario("draft", Path("draft.yaml"), scenario)
        notes = {name: self._notes[name] for name in self.lines if name in self._notes}
        return scenario, {"scenario": built.truth_digest, "notes": notes}

    def _note(self, name: str, wanted: Wanted, since: int) -> None:
        """Record a line that was ordered at timestep `since`, with the meaning of its note."""
        self.lines[name] = wanted
        self.since[name] = since
        if wanted.note:
            meaning = [from_customization(wish) for wish in wanted.wishes]
            self._notes.setdefault(name, {})[wanted.note] = meaning


def _entry(wanted: Wanted) -> dict[str, str]:
    return {"item": wanted.item, "note": wanted.note} if wanted.note else {"item": wanted.item}
