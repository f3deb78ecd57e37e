"""The restaurant's part of the web page of a run: a drawing, with events and actions in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cookmas.episodes.world import Json
from cookmas.files.errors import InputError, NotationError
from cookmas.kitchen.actions import (
    Action,
    Discard,
    Navigate,
    Pick,
    Place,
    Serve,
    Start,
    Work,
    parse_action,
)
from cookmas.kitchen.events import (
    AddLine,
    AnyEvent,
    CancelOrder,
    ChangeLine,
    Fault,
    NewOrder,
    RefuseLine,
    RemoveLine,
    parse_event,
)
from cookmas.kitchen.foods import Dish, Food, Plate, Thing
from cookmas.kitchen.state import Content, KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.worlds.base.viewing import (
    Item,
    Panel,
    Terms,
    Viewing,
    VisibleGoal,
    WorkerPlace,
    speak_name,
)

_HERE = Path(__file__).parent / "page"


class RestaurantViewing(Viewing):
    """The display of a kitchen with its stations, foods and workers, as a drawing and in words."""

    terms = Terms(goals="orders", reached="served", texts="recipes", doing="cooking")

    page = tuple(
        _HERE / name for name in ("foods.js", "kitchen.js", "restaurant.js", "restaurant.css")
    )

    def setup(self, world: Restaurant) -> dict[str, Any]:
        """Return the stations, the minutes of each level of doneness, and the menu."""
        kitchen = world.kitchen
        return {
            "stations": [
                {
                    "name": station.name,
                    "kind": station.kind.name,
                    "role": station.kind.role,
                    "slots": station.slots,
                    "process": station.kind.processes[0] if station.kind.processes else None,
                }
                for station in kitchen.stations.values()
            ],
            "doneness": [
                {
                    "food": food,
                    "process": process,
                    "levels": {name: list(window) for name, window in entry.levels.items()},
                    "burnt": entry.burnt,
                }
                for (food, process), entry in kitchen.doneness.items()
            ],
            "menu": list(kitchen.menu),
        }

    def event(self, event: Json) -> str:
        """Return an event in words, with the customers' notes.

        For a fault, the words do not tell when it ends.
        """
        try:
            return _describe_event(parse_event(event))
        except InputError:
            return super().event(event)

    def action(self, world: Restaurant, state: KitchenState, worker: str, action: str) -> str:
        """Return an action in words; `chop` is "chops tomato" if there is a tomato on the board."""
        try:
            parsed = parse_action(action)
        except NotationError:
            return action
        if worker not in world.workers:
            return action
        place = state.workers[world.workers.index(worker)]
        contents = state.contents.get(place.station, ())
        return _describe_action(parsed, place.station, place.holding, contents, state)

    def place_workers(self, world: Restaurant, state: KitchenState) -> Mapping[str, WorkerPlace]:
        """Return the stations of the workers and the things in their hands."""
        return {
            name: WorkerPlace(
                at=speak_name(worker.station),
                holds="" if worker.holding is None else name_of(worker.holding),
                out=name in state.out,
            )
            for name, worker in zip(world.workers, state.workers, strict=True)
        }

    def panels(self, world: Restaurant, state: KitchenState) -> Sequence[Panel]:
        """Return a panel with the contents of the stations, their minutes and their doneness.

        Food that is cooking comes first.
        """
        uses = [use for name in world.kitchen.stations for use in _in_use(world, state, name)]
        items = [_item(use) for use in sorted(uses, key=lambda use: use.minutes is None)]
        return [Panel(title="in use", items=items)]

    def goals(self, world: Restaurant, state: KitchenState) -> Sequence[VisibleGoal]:
        """Return the order lines."""
        return [
            VisibleGoal(
                name=name,
                what=line.item,
                note=line.note,
                status=line.status,
                due=line.due,
                when=line.closed_at,
            )
            for name, line in state.lines.items()
        ]


def name_of(thing: Thing | None) -> str:
    """Return the name of a thing, without its history."""
    match thing:
        case Food(name=name):
            return name.replace("+", " + ")
        case Dish(components=components):
            return f"dish of {', '.join(map(name_of, components))}"
        case Plate():
            return "plate"
    return "nothing"


def _names(contents: tuple[Content, ...]) -> str:
    return ", ".join(name_of(content.thing) for content in contents) or "nothing"


class _InUse(NamedTuple):
    """Contents of a station, in words."""

    place: str
    holds: str
    minutes: int | None = None
    """How long the food has been cooking; None if it does not cook."""
    note: str = ""
    """The doneness of the food, and whether the station is out of service."""


def _item(use: _InUse) -> Item:
    minutes = "" if use.minutes is None else f"{use.minutes} min"
    note = ", ".join(filter(None, (minutes, use.note)))
    return Item(
        name=use.place, what=use.holds, note=note, alarming=use.note in ("burnt", "overdone")
    )


def _in_use(world: Restaurant, state: KitchenState, station: str) -> Iterator[_InUse]:
    """Yield the contents of a station: each cooking food by itself, everything else together."""
    place = speak_name(station)
    broken = "out of service" if station in state.out else ""
    contents = state.contents.get(station, ())
    lying = tuple(content for content in contents if content.since is None)
    if lying or (broken and not contents):
        yield _InUse(place=place, holds=_names(lying) if lying else "", note=broken)
    for content in contents:
        if content.since is not None:
            minutes = state.minutes_cooked(station, content)
            done = _doneness(world, station, content, minutes)
            note = ", ".join(filter(None, (done, broken)))
            yield _InUse(place=place, holds=name_of(content.thing), minutes=minutes, note=note)


def _doneness(world: Restaurant, station: str, content: Content, minutes: int) -> str:
    """Return the level of doneness that a food has reached, or `not done`, `overdone` or `burnt`.

    The text is empty if no levels exist for the food.
    """
    processes = world.kitchen.stations[station].kind.processes
    thing = content.thing
    entry = isinstance(thing, Food) and world.kitchen.doneness.get((thing.name, processes[0]))
    if not entry:
        return ""
    if minutes >= entry.burnt:
        return "burnt"
    for name, (low, high) in entry.levels.items():
        if low <= minutes <= high:
            return name
    return "not done" if minutes < min(low for low, _ in entry.levels.values()) else "overdone"


def _describe_action(
    action: Action,
    station: str,
    holding: Thing | None,
    contents: tuple[Content, ...],
    state: KitchenState,
) -> str:
    match action:
        case Navigate(station=target):
            return f"goes to {speak_name(target)}"
        case Pick(food=food, slot=slot):
            return f"takes {food or _find_picked(slot, contents)}"
        case Place():
            return f"puts {name_of(holding)} down"
        case Work(process=process):
            verb = f"{process}es" if process.endswith("x") else f"{process}s"
            return f"{verb} {_names(contents)}"
        case Start():
            raw = tuple(content for content in contents if content.since is None)
            return f"starts {speak_name(station)}: {_names(raw)}"
        case Serve(line=line):
            known = state.lines.get(line)
            return f"serves {line}{f' ({known.item})' if known else ''}"
        case Discard():
            return f"throws {name_of(holding)} away"
    return "waits"


def _find_picked(slot: int | None, contents: tuple[Content, ...]) -> str:
    for content in contents:
        if slot in (None, content.slot):
            return name_of(content.thing)
    return "nothing"


def _describe_event(event: AnyEvent) -> str:
    match event:
        case NewOrder(order=order, lines=lines, due=due):
            until = "" if due is None else f", due at {due}"
            wanted = "; ".join(_line(line.item, line.note) for line in lines)
            return f"order {order}{until}: {wanted}"
        case AddLine(order=order, item=item, note=note):
            return f"{order} gets one more: {_line(item, note)}"
        case RemoveLine(line=line):
            return f"{line} is not wanted any more"
        case RefuseLine(line=line, why=why):
            return f"{line} is refused: {why}"
        case ChangeLine(line=line, note=note):
            return f"{line} is changed: “{note}”"
        case CancelOrder(order=order):
            return f"order {order} is cancelled"
        case Fault(station=station, worker=worker):
            return f"{speak_name(station or worker or '')} is out of service"


def _line(item: str, note: str) -> str:
    return f"{item}, “{note}”" if note else item


VIEWING = RestaurantViewing()
