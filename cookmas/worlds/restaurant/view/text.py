"""A kitchen as a table of text: its stations, and the ingredients in its dispensers."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table

from cookmas.evals.report import plain_text as words
from cookmas.kitchen.layout import Kitchen, Station


def _table(*columns: str) -> Table:
    table = Table()
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def layout(kitchen: Kitchen) -> RenderableType:
    """Return a table of a kitchen's stations by kind, and the ingredients in its dispensers."""
    table = _table("kind", "stations", "slots", "workers at once", "what is done there")
    kinds = list(dict.fromkeys(station.kind for station in kitchen.stations.values()))
    for kind in kinds:
        stations = [s for s in kitchen.stations.values() if s.kind == kind]
        first = stations[0]
        row = (
            kind.name,
            ", ".join(station.name for station in stations),
            _join_words(station.slots or "" for station in stations),
            "any number" if first.room is None else first.room,
            ", ".join(kind.processes),
        )
        table.add_row(*map(words, row))
    dispensers = [
        words(f"{kind}: {', '.join(kitchen.dispenses(kind))}") for kind in ("pantry", "fridge")
    ]
    return Group(words(f"Kitchen {kitchen.name}", style="bold"), table, *dispensers)


def layout_data(kitchen: Kitchen) -> dict[str, object]:
    """Return the kitchen of `layout` as plain data."""
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


def _join_words(values: Iterable[object]) -> str:
    return ", ".join(map(str, dict.fromkeys(values)))
