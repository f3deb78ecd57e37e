"""A generator of scenarios, from a level, a size and a seed, and the writing of their files.

Equal arguments always give the same scenario. The timesteps of changes and cancellations are
computed from lower bounds of the dishes' makespans, so that a dish cannot have been served before
it is changed or cancelled.

A draft has the lines and the events of a scenario, and the meanings of its notes.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cookmas.files.errors import InputError
from cookmas.files.writing import write_text
from cookmas.files.yaml_text import to_yaml
from cookmas.kitchen.customizations import Customization, customise
from cookmas.kitchen.layout import KIND_OF_PROCESS, Kitchen
from cookmas.kitchen.state import order_of
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.scenario import build_scenario
from cookmas.scenarios.truth import from_customization, truth_path
from cookmas.scenarios.wishes import dishes, draw, say, say_again
from cookmas.solving.restaurant.bound import Demand, makespan_bound


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


SIZES = {1: (1, 1), 2: (2, 12), 3: (2, 12)}
"""The smallest and the largest number of order lines at each level."""

_ARRIVALS = {"calm": (0, 0), "steady": (5, 14), "rush": (1, 3)}
"""For each rate at which orders come in, the range of timesteps between two orders."""

_PACES = {"calm": "ordered at once", "steady": "one after the other", "rush": "in a rush"}

_SURPRISES = {
    "add": "a line added",
    "remove": "a line removed",
    "change": "words changed",
    "cancel": "an order cancelled",
    "fault": "a fault",
}


def generate(level: int, size: int, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Generate a scenario and its truth, both as plain data.

    `size` is the number of order lines, in all orders and additions together. Raises InputError for
    an unknown level or a size that the level does not have.
    """
    if level not in SIZES:
        raise InputError("level", f"expected 1, 2 or 3, not {level}")
    low, high = SIZES[level]
    if not low <= size <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        raise InputError("size", f"expected {wanted} lines at level {level}, not {size}")
    generator = _Generator(random.Random(f"{level}/{size}/{seed}"))
    title, kitchen = generator.orders(size) if level == 3 else generator.one_order(size)
    return generator.draft.finish(title=title, level=level, kitchen=kitchen, seed=seed)


class _Generator:
    """A builder of one scenario, which draws lines, wishes and surprises at random."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.draft = ScenarioDraft()
        self.menu = load_menu()
        self.kitchen: Kitchen
        self.undisturbed: list[str] = []

    def one_order(self, size: int) -> tuple[str, str]:
        """Build a scenario of level 1 or 2. Return its title and the name of its kitchen."""
        self._choose_kitchen(size, roomy=False)
        lines = [self._draw_line() for _ in range(size)]
        self.draft.add_order(0, "o1", lines)
        title = lines[0].item if size == 1 else f"A table of {size}: {lines[0].item} and more"
        return title, self.kitchen.name

    def orders(self, size: int) -> tuple[str, str]:
        """Build a scenario of level 3. Return its title and the name of its kitchen."""
        rng = self.rng
        pace = rng.choices(("calm", "steady", "rush"), (1, 3, 2))[0]
        surprises = [] if pace == "calm" else rng.sample(list(_SURPRISES), rng.randint(1, 3))
        self._choose_kitchen(size, roomy=pace == "rush" or "fault" in surprises)
        if size == 2 and "add" in surprises:
            surprises.remove("add")
        self._add_orders(size - ("add" in surprises), pace)
        happened = [
            words
            for kind, words in _SURPRISES.items()
            if kind in surprises and self._add_surprise(kind)
        ]
        return ", ".join((f"{size} lines {_PACES[pace]}", *happened)), self.kitchen.name

    def _choose_kitchen(self, size: int, roomy: bool) -> None:
        names = ["standard", "large"] if roomy or size > 6 else ["small", "standard"]
        self.kitchen = build_kitchen(kitchen_path(self.rng.choice(names)), self.menu)

    def _add_orders(self, size: int, pace: str) -> None:
        at, number, left = 0, 1, size
        while left:
            count = self.rng.randint(1, min(4, left - 1 if number == 1 and left > 1 else left))
            lines = [self._draw_line() for _ in range(count)]
            due = None
            if self.rng.random() < 0.3:
                due = at + 2 * max(map(self._bound_makespan, lines)) + 3 * size
            self.draft.add_order(at, f"o{number}", lines, due)
            self.undisturbed.append(f"o{number}")
            at += self.rng.randint(*_ARRIVALS[pace])
            number, left = number + 1, left - count

    def _draw_line(self) -> Wanted:
        item = self.rng.choice(self.menu.items)
        if self.rng.random() < 0.35:
            return Wanted(item=item)
        wishes = draw(item, self.rng.choices((1, 2, 3), (6, 3, 1))[0], self.rng)
        return Wanted(item=item, note=say(item, wishes, self.rng), wishes=wishes)

    def _bound_makespan(self, *lines: Wanted) -> int:
        demands = [
            Demand(
                release=0,
                components=customise(dishes()[line.item], line.wishes, self.menu.doneness),
            )
            for line in lines
        ]
        return makespan_bound(self.kitchen, demands).value

    def _draw_moment(self, line: str) -> int:
        """Draw a timestep after a line was ordered, but before it can have been served."""
        length = self._bound_makespan(self.draft.lines[line])
        share = self.rng.choice((0.25, 0.4, 0.6, 0.8, 0.95))
        return self.draft.since[line] + max(1, int(length * share))

    def _add_surprise(self, kind: str) -> bool:
        """Add a surprise, such as a fault or a changed note; return whether that was possible.

        A fault is always possible. Any other surprise needs a suitable order without a surprise.
        """
        if kind == "fault":
            self._add_fault()
            return True
        orders = self.undisturbed
        if kind == "remove":
            orders = [order for order in orders if len(self.draft.of_order(order)) > 1]
        if not orders or (kind == "cancel" and len(self.draft.orders()) < 2):
            return False
        order = self.rng.choice(orders)
        self.undisturbed.remove(order)
        line = self.rng.choice(self.draft.of_order(order))
        match kind:
            case "add":
                self.draft.add_line(self._draw_moment(line), order, self._draw_line())
            case "remove":
                self.draft.remove_line(self._draw_moment(line), line)
            case "change":
                self._add_change(line)
            case "cancel":
                self.draft.cancel_order(self._draw_moment(line), order)
        return True

    def _add_change(self, line: str) -> None:
        before = self.draft.lines[line]
        wishes = draw(before.item, self.rng.randint(1, 2), self.rng)
        if set(wishes) == set(before.wishes):
            wishes = ()
        note = say_again(before.item, wishes, self.rng)
        self.draft.change_line(
            self._draw_moment(line), line, replace(before, note=note, wishes=wishes)
        )

    def _add_fault(self) -> None:
        at = max(self.draft.since.values()) + self.rng.randint(4, 12)
        length = self.rng.randint(4, 12)
        if self.rng.random() < 0.3:
            self.draft.fault(at, length, worker=self.rng.choice(self.kitchen.workers))
        else:
            self.draft.fault(at, length, station=self.rng.choice(self._spare_stations()))

    def _spare_stations(self) -> list[str]:
        """Return the tools and appliances that the dishes need and of which there are several."""
        kinds = {
            KIND_OF_PROCESS[step.process].name
            for line in self.draft.lines.values()
            for component in dishes()[line.item]
            for node in component.walk()
            for step in node.steps
        }
        groups = [self.kitchen.of_kind(kind) for kind in sorted(kinds)]
        return [name for names in groups if len(names) > 1 for name in names]


def write(
    folder: Path, name: str, scenario: Mapping[str, Any], truth: Mapping[str, Any]
) -> tuple[Path, Path]:
    """Write a scenario as `name.yaml` in a folder, and its truth to `truth_path`.

    Returns both files. Raises InputError, before it writes anything, if the scenario is invalid.
    """
    path = folder / f"{name}.yaml"
    built = build_scenario(name, path, dict(scenario))
    truth_file = truth_path(built)
    for file, data in ((path, scenario), (truth_file, truth)):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_text(file, to_yaml(data))
    return path, truth_file
