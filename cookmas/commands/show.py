"""`cookmas show`: kitchens, orders, recipes and actions, as a planner is told of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.terminal import clean, console, print_json, tell

if TYPE_CHECKING:
    from scenarios.menu import Menu


def show(
    what: Annotated[
        list[str] | None,
        typer.Argument(help="A scenario; 'kitchen NAME'; 'recipe ITEM...'; 'actions'; or nothing."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="JSON for machines.")] = False,
) -> None:
    """Show what is played: a scenario with its recipes, a kitchen, recipes, or the actions.

    Without an argument: the kitchens and the menu.
    """
    match what or []:
        case []:
            _overview(json)
        case ["actions"]:
            _actions(json)
        case ["kitchen", name]:
            _kitchen(name, json)
        case ["recipe", *items] if items:
            _recipes(items, json)
        case [name] if name not in ("kitchen", "recipe"):
            _scenario(name, json)
        case _:
            raise typer.BadParameter(
                "expected a scenario, 'kitchen NAME', 'recipe ITEM...' or 'actions'"
            )


def _overview(json: bool) -> None:
    from scenarios.kitchens import SHIPPED_KITCHENS
    from scenarios.menu import load_menu

    kitchens = sorted(path.stem for path in SHIPPED_KITCHENS.glob("*.yaml"))
    items = load_menu().items
    if json:
        print_json({"kitchens": kitchens, "menu": list(items)})
        return
    tell("Kitchens:", ", ".join(kitchens))
    tell("Menu:")
    for item in items:
        tell(f"  {item}")


def _actions(json: bool) -> None:
    from kitchen.actions import LIBRARY

    if json:
        print_json([str(spec) for spec in LIBRARY.values()])
        return
    for spec in LIBRARY.values():
        tell(spec)


def _kitchen(name: str, json: bool) -> None:
    from cookmas.view import layout, layout_data
    from scenarios.kitchens import build_kitchen, kitchen_path
    from scenarios.menu import load_menu

    kitchen = build_kitchen(kitchen_path(name), load_menu())
    if json:
        print_json(layout_data(kitchen))
    else:
        console().print(layout(kitchen))


def _recipes(items: Sequence[str], json: bool) -> None:
    from scenarios.menu import load_menu

    menu = load_menu()
    by_name = {item.casefold(): item for item in menu.items}
    texts = _texts(menu, [by_name.get(item.casefold(), item) for item in items])
    if json:
        print_json(texts)
    else:
        _print_recipes(texts)


def _texts(menu: Menu, items: Sequence[str]) -> dict[str, str]:
    """The recipes as the orchestrator gets them when it looks them up."""
    from scenarios.store import MenuStore

    store = MenuStore(menu)

    async def look_up() -> dict[str, str]:
        return {item: await store.recipe(item) for item in dict.fromkeys(items)}

    return asyncio.run(look_up())


def _print_recipes(texts: Mapping[str, str]) -> None:
    for item, text in texts.items():
        tell()
        tell(item, style="bold")
        for line in text.splitlines():
            tell(line)


def _scenario(name: str, json: bool) -> None:
    from cookmas.orders import ordered
    from cookmas.view import layout, layout_data
    from scenarios.scenario import load_scenario

    scenario = load_scenario(name)
    texts = _texts(scenario.menu, [item for _, item in ordered(scenario)])
    if json:
        kitchen = layout_data(scenario.kitchen)
        print_json({"name": scenario.name, **scenario.data(), "kitchen": kitchen, "recipes": texts})
        return
    tell(f"{scenario.name}: {scenario.file.title}", style="bold")
    workers = len(scenario.kitchen.workers)
    tell(f"level {scenario.file.level}, {workers} workers")
    if scenario.file.stock:
        stock = (f"{food} {number}" for food, number in scenario.file.stock.items())
        tell("Stock is limited:", ", ".join(stock))
    tell()
    for event in scenario.events():
        _print_event(*event)
    tell()
    console().print(layout(scenario.kitchen))
    _print_recipes(texts)


def _print_event(timestep: int, event: Mapping[str, Any]) -> None:
    about = [
        clean(f"{field} {value}")
        for field, value in event.items()
        if field not in ("kind", "lines") and value is not None
    ]
    kind = str(event["kind"]).replace("_", " ")
    tell(f"at {timestep:3}  {kind}: {', '.join(about)}")
    for number, line in enumerate(event.get("lines", ()), start=1):
        note = f', "{line["note"]}"' if line.get("note") else ""
        tell(f"          {event['order']}.{number}  {line['item']}{note}")
