"""The rules of a kitchen and its situation in words."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from cookmas.worlds.collab_overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    LETTERS,
    TICKS,
    CollabKitchen,
    CollabSight,
    FoodItem,
    UtensilContent,
)
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.walking import nearest
from cookmas.worlds.grids.words import tell_cook, tell_distances, tell_ways

RULES = """\
One order is to be cooked and delivered. In each timestep every cook does one thing: a step, a turn,
an interaction with the place in front of it, or nothing. An action lasts for all steps and turns
of the way to its place, and one timestep more for the interaction. It is a cook's move when its
action is done or can no longer be done, and only then. A cook holds one thing. The dispensers never
run out.

A utensil takes up to {capacity} things. It works for {ticks} timesteps, without a cook: what is
started at timestep t can be taken out from timestep t + {ticks} on. So there is time for
`wait({rest})` or for other work between `cut`, `stir`, `cook` or `bake` and taking it out. A
utensil keeps what it has made until a cook takes it. A mix that fits no recipe is destroyed when it
is started.

Cooks who cannot reach the same places pass things over the counters between them{shared}.

The kitchen, where a letter is a place and a digit the start of a cook:
{grid}
{letters}

{cooks}
Some food is served in a dish; the recipe says so."""

SHARED = ": those at {cells}, by column and row from the upper left corner"
_KITCHEN = "\n\nThe kitchen,"
WIDTH = 100
"""Most letters of a line of the rules."""


def describe_rules(kitchen: CollabKitchen) -> str:
    """Return the rules of a kitchen in words."""
    cooks = []
    for number, name in enumerate(kitchen.cooks):
        cells = kitchen.touched[number]
        places = sorted({kitchen.names[cell] for cell in cells})
        reads = ", and reads the recipe" if name in kitchen.readers else ""
        cooks.append(f"{name} (start {number + 1}) reaches {', '.join(places)}{reads}.")
    present = {letter: LETTERS[letter] for letter in sorted(set(kitchen.grid.solid.values()))}
    shared = ", ".join(f"({x},{y})" for x, y in sorted(kitchen.shared))
    text = RULES.format(
        ticks=TICKS,
        rest=TICKS - 1,
        capacity=CAPACITY,
        shared=SHARED.format(cells=shared) if shared else "",
        grid="\n".join(kitchen.grid.rows),
        letters=", ".join(f"{letter} {kind}" for letter, kind in present.items()),
        cooks="\n".join(cooks),
    )
    prose, kitchen_and_cooks = text.split(_KITCHEN)
    paragraphs = (fill(each, WIDTH) for each in prose.split("\n\n"))
    return "\n\n".join(paragraphs) + _KITCHEN + kitchen_and_cooks


def tell_kitchen(
    kitchen: CollabKitchen, state: CollabState, cook: str | None = None, *, ways: bool = True
) -> Iterator[str]:
    """Yield sentences about an observed state, as they are told to a cook.

    A cook is told of itself first. If `cook` is None, the sentences are for a central planner.
    Without `ways` nothing is told of how far the places are.
    """
    if state.order is not None:
        yield f"{state.order} is ordered."
    for name in sorted(kitchen.cooks, key=lambda each: each != cook):
        number, called = kitchen.cooks.index(name), None if name == cook else name
        held = state.scene.cooks[number].held
        yield from tell_cook(called, held.name if held else "nothing", state.doing[number])
        if ways:
            sight = CollabSight(kitchen, state.scene, number, state.order or "")
            yield tell_ways(called, _tell_distances(sight))
    for cell, content in state.scene.utensils.items():
        yield f"{kitchen.names[cell]} {_tell_content(content)}."
    empty = [name for name, cell in kitchen.utensils.items() if cell not in state.scene.utensils]
    if empty:
        yield f"Empty: {', '.join(empty)}."


def _tell_distances(sight: CollabSight) -> list[str]:
    """Return how far the places are from a cook."""
    others = {
        name: cook.body.at
        for other, (name, cook) in enumerate(
            zip(sight.kitchen.cooks, sight.scene.cooks, strict=True)
        )
        if other != sight.number
    }
    return tell_distances(sight.kitchen.grid, sight.body, _places(sight), others)


def _places(sight: CollabSight) -> dict[str, Cell]:
    """Return the cells of the places that a cook can face, by name.

    Of several cells of one place it is the nearest one. Of the counters these are the nearest empty
    one, and all with something on them.
    """
    kitchen, counters = sight.kitchen, sight.scene.counters
    found: dict[str, Cell] = {}
    for name, cells in kitchen.places.items():
        free = tuple(cell for cell in cells if cell not in counters)
        near = nearest(kitchen.grid, sight.body, free)
        if near is not None:
            found[f"an empty {name}" if name == COUNTER else name] = near[0]
    for cell in kitchen.counters[sight.number]:
        if cell in counters:
            found[f"{_tell_item(counters[cell])} on the counter {list(cell)}"] = cell
    return found


def _tell_item(item: FoodItem) -> str:
    return f"{item.name} on a dish" if item.kind == "with_dish" else item.name


def _tell_content(content: UtensilContent) -> str:
    if content.product is None:
        return f"has {', '.join(content.items)} and is not started"
    if content.ticks < TICKS:
        return f"makes {content.product} for {TICKS - content.ticks} more timesteps"
    return f"has made {content.product}"
