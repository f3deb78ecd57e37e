"""The situation of a kitchen in words: what everybody holds, distances, and the contents."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.worlds.collab_overcooked.kitchen import COUNTER, TICKS, CollabKitchen
from cookmas.worlds.collab_overcooked.scene import FoodItem, Scene, UtensilContent
from cookmas.worlds.collab_overcooked.state import CollabState
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.walking import nearest
from cookmas.worlds.grids.words import tell_distances


def tell_kitchen(
    kitchen: CollabKitchen, state: CollabState, cook: str | None = None
) -> Iterator[str]:
    """Yield sentences about an observed state, as they are told to a cook.

    A cook is told of itself first. If `cook` is None, the sentences are for a central planner.
    """
    if state.order is not None:
        yield f"{state.order} is ordered."
    for name in sorted(kitchen.cooks, key=lambda each: each != cook):
        yield from _tell_cook(kitchen, state, name, "you" if name == cook else name)
    for cell, content in state.scene.utensils.items():
        yield f"{kitchen.names[cell]} {_tell_content(content)}."
    empty = [name for name, cell in kitchen.utensils.items() if cell not in state.scene.utensils]
    if empty:
        yield f"Empty: {', '.join(empty)}."


def _tell_cook(kitchen: CollabKitchen, state: CollabState, name: str, called: str) -> Iterator[str]:
    """Yield what a cook, who is `called` so, holds and does, and its ways."""
    number = kitchen.cooks.index(name)
    own, doing = state.scene.cooks[number], state.doing[number]
    begin, verb = ("You", "hold") if called == "you" else (called, "holds")
    yield f"{begin} {verb} {'nothing' if own.held is None else own.held.name}."
    if doing is not None:
        yield f"{begin} {'are' if called == 'you' else 'is'} at {doing.action}."
    others = {
        other: cook.body.at
        for other, cook in zip(kitchen.cooks, state.scene.cooks, strict=True)
        if other != name
    }
    ways = tell_distances(kitchen.grid, own.body, _places(kitchen, state.scene, number), others)
    yield f"From where {called} {'are' if called == 'you' else 'is'}: {' '.join(ways)}"


def _places(kitchen: CollabKitchen, scene: Scene, number: int) -> dict[str, Cell]:
    """Return the cells of the places that a cook can face, by name.

    Of several cells of one place it is the nearest one. Of the counters these are the nearest empty
    one, and all with something on them.
    """
    body = scene.cooks[number].body
    found: dict[str, Cell] = {}
    for name, cells in kitchen.places.items():
        free = [cell for cell in cells if cell not in scene.counters]
        near = nearest(kitchen.grid, body, free)
        if near is not None:
            found[f"an empty {name}" if name == COUNTER else name] = near[0]
    for cell in kitchen.counters[number]:
        if cell in scene.counters:
            found[f"{_tell_item(scene.counters[cell])} on the counter {list(cell)}"] = cell
    return found


def _tell_item(item: FoodItem) -> str:
    return f"{item.name} on a dish" if item.kind == "with_dish" else item.name


def _tell_content(content: UtensilContent) -> str:
    if content.product is None:
        return f"has {', '.join(content.items)} and is not started"
    if content.ticks < TICKS:
        return f"makes {content.product} for {TICKS - content.ticks} more timesteps"
    return f"has made {content.product}"
