"""A kitchen in text: what is where, who stands where, and what has been ordered."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table

from evals.report import plain as words
from kitchen.layout import Kitchen, Station
from kitchen.state import FOREVER, KitchenState


def picture(kitchen: Kitchen, state: KitchenState) -> RenderableType:
    """The kitchen at a timestep: the stations in use, the workers, the order lines."""
    parts: list[RenderableType] = [words(f"Timestep {state.timestep}", style="bold")]
    parts.append(_workers(kitchen, state))
    parts.append(_stations(kitchen, state))
    if state.lines:
        parts.append(_lines(state))
    return Group(*parts)


def _table(*columns: str) -> Table:
    table = Table()
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _workers(kitchen: Kitchen, state: KitchenState) -> Table:
    table = _table("worker", "at", "in hand")
    for name, worker in zip(kitchen.workers, state.workers, strict=True):
        holding = "" if worker.holding is None else worker.holding
        table.add_row(words(_in_service(name, state)), words(worker.station), words(holding))
    return table


def _stations(kitchen: Kitchen, state: KitchenState) -> Table:
    table = _table("station", "slot", "holds", "minutes")
    for name in kitchen.stations:
        contents = state.contents.get(name, ())
        if not contents and name in state.out:
            table.add_row(words(_in_service(name, state)), "", "", "")
        for content in contents:
            cooking = "" if content.since is None else state.cooked(name, content)
            row = (_in_service(name, state), content.slot, content.thing, cooking)
            table.add_row(*map(words, row))
    return table


def _lines(state: KitchenState) -> Table:
    table = _table("line", "menu item", "customer's words", "due", "status")
    for name, line in state.lines.items():
        due = "" if line.due is None else line.due
        status = line.status if line.closed_at is None else f"{line.status} at {line.closed_at}"
        table.add_row(*map(words, (name, line.item, line.note, due, status)))
    return table


def _in_service(name: str, state: KitchenState) -> str:
    outage = state.out.get(name)
    if outage is None:
        return name
    until = "" if outage.until == FOREVER else f" until {outage.until}"
    return f"{name} (out of service{until})"


def layout(kitchen: Kitchen) -> RenderableType:
    """A kitchen as it is built: its stations by kind, and what the dispensers give out."""
    table = _table("kind", "stations", "slots", "workers at once", "what is done there")
    kinds = list(dict.fromkeys(station.kind for station in kitchen.stations.values()))
    for kind in kinds:
        stations = [s for s in kitchen.stations.values() if s.kind == kind]
        first = stations[0]
        row = (
            kind.name,
            ", ".join(station.name for station in stations),
            _each(station.slots or "" for station in stations),
            "any number" if first.room is None else first.room,
            ", ".join(kind.processes),
        )
        table.add_row(*map(words, row))
    dispensers = [
        words(f"{kind}: {', '.join(kitchen.dispenses(kind))}") for kind in ("pantry", "fridge")
    ]
    return Group(words(f"Kitchen {kitchen.name}", style="bold"), table, *dispensers)


def layout_data(kitchen: Kitchen) -> dict[str, object]:
    """The same as plain data."""
    return {
        "name": kitchen.name,
        "stations": [_station(station) for station in kitchen.stations.values()],
        "larder": {kind: list(kitchen.dispenses(kind)) for kind in ("pantry", "fridge")},
    }


def _station(station: Station) -> dict[str, object]:
    return {
        "name": station.name,
        "kind": station.kind.name,
        "slots": station.slots,
        "room": station.room,
    }


def _each(values: Iterable[object]) -> str:
    return ", ".join(map(str, dict.fromkeys(values)))
