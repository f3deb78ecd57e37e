"""The command `show` for the restaurant: scenarios, kitchens, recipes and actions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from cookmas.evals.report import plain_text
from cookmas.files.errors import InputError
from cookmas.kitchen.actions import LIBRARY
from cookmas.kitchen.layout import Kitchen, Station
from cookmas.scenarios.kitchens import SHIPPED_KITCHENS, build_kitchen, kitchen_path
from cookmas.scenarios.menu import Menu, MenuStore, load_menu
from cookmas.scenarios.scenario import load_scenario
from cookmas.worlds.base.domain import Shown


def show(what: Sequence[str]) -> Shown:
    """Return a view of a scenario, a kitchen, recipes or the actions; by default, an overview.

    Recipes and actions are shown as a planner gets them. Raises InputError or MissingError.
    """
    match list(what):
        case []:
            return _overview()
        case ["actions"]:
            return _actions()
        case ["kitchen", name]:
            return _kitchen(name)
        case ["recipe", *items] if items:
            return _recipes(items)
        case [name] if name not in ("kitchen", "recipe"):
            return _scenario(name)
    raise InputError("show", "expected a scenario, 'kitchen NAME', 'recipe ITEM...' or 'actions'")


def _lines(lines: Iterable[object]) -> RenderableType:
    return Group(*(plain_text(line) for line in lines))


def _overview() -> Shown:
    kitchens = sorted(path.stem for path in SHIPPED_KITCHENS.glob("*.yaml"))
    items = load_menu().items
    lines = [f"Kitchens: {', '.join(kitchens)}", "Menu:", *(f"  {item}" for item in items)]
    return Shown(picture=_lines(lines), data={"kitchens": kitchens, "menu": list(items)})


def _actions() -> Shown:
    specs = [str(spec) for spec in LIBRARY.values()]
    return Shown(picture=_lines(specs), data=specs)


def _kitchen(name: str) -> Shown:
    kitchen = build_kitchen(kitchen_path(name), load_menu())
    return Shown(picture=layout(kitchen), data=layout_data(kitchen))


def _recipes(items: Sequence[str]) -> Shown:
    menu = load_menu()
    by_name = {item.casefold(): item for item in menu.items}
    texts = _texts(menu, [by_name.get(item.casefold(), item) for item in items])
    return Shown(picture=Group(*_recipe_texts(texts)), data=texts)


def _texts(menu: Menu, items: Sequence[str]) -> dict[str, str]:
    """Return the recipes of menu items, as the orchestrator gets them when it looks them up."""
    store = MenuStore(menu)

    async def look_up() -> dict[str, str]:
        return {item: await store.recipe(item) for item in dict.fromkeys(items)}

    return asyncio.run(look_up())


def _recipe_texts(texts: Mapping[str, str]) -> Iterator[RenderableType]:
    for item, text in texts.items():
        yield plain_text("")
        yield plain_text(item, style="bold")
        yield from (plain_text(line) for line in text.splitlines())


def _scenario(name: str) -> Shown:
    scenario = load_scenario(name)
    texts = _texts(scenario.menu, [item for _, item in scenario.list_incoming_lines()])
    kitchen = layout_data(scenario.kitchen)
    data = {"name": scenario.name, **scenario.data(), "kitchen": kitchen, "recipes": texts}
    workers = len(scenario.kitchen.workers)
    parts: list[RenderableType] = [
        plain_text(f"{scenario.name}: {scenario.file.title}", style="bold"),
        plain_text(f"level {scenario.file.level}, {workers} workers"),
    ]
    if scenario.file.stock:
        stock = (f"{food} {number}" for food, number in scenario.file.stock.items())
        parts.append(plain_text(f"Stock is limited: {', '.join(stock)}"))
    parts.append(plain_text(""))
    parts += [line for event in scenario.events() for line in _event(*event)]
    parts += [plain_text(""), layout(scenario.kitchen), *_recipe_texts(texts)]
    return Shown(picture=Group(*parts), data=data)


def _event(timestep: int, event: Mapping[str, Any]) -> Iterator[RenderableType]:
    about = [
        f"{field} {value}"
        for field, value in event.items()
        if field not in ("kind", "lines") and value is not None
    ]
    kind = str(event["kind"]).replace("_", " ")
    yield plain_text(f"at {timestep:3}  {kind}: {', '.join(about)}")
    for number, line in enumerate(event.get("lines", ()), start=1):
        note = f', "{line["note"]}"' if line.get("note") else ""
        yield plain_text(f"          {event['order']}.{number}  {line['item']}{note}")


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
        table.add_row(*map(plain_text, row))
    dispensers = [
        plain_text(f"{kind}: {', '.join(kitchen.dispenses(kind))}") for kind in ("pantry", "fridge")
    ]
    return Group(plain_text(f"Kitchen {kitchen.name}", style="bold"), table, *dispensers)


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
