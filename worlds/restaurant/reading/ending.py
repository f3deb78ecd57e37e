"""The end of a recipe: what is on the plate."""

from __future__ import annotations

from kitchen.components import Component, DonenessTable
from worlds.restaurant.reading import foodwords
from worlds.restaurant.reading.discourse import Thing, component_of
from worlds.restaurant.reading.references import Memory


def plated(memory: Memory, doneness: DonenessTable) -> tuple[list[Component], list[str]]:
    """What is on the plate when all is told, and what was not understood."""
    doubts: list[str] = []
    _bind_unmade(memory)
    roots: list[Thing] = []
    for thing in [*memory.foods.values(), *memory.groups, *memory.unmade]:
        top = thing.top()
        if top not in roots and (top.used or top.steps or thing.used):
            roots.append(top)
    components: list[Component] = []
    for root in roots:
        for thing in _served_as(root):
            component = component_of(thing, doneness, doubts)
            if component is not None:
                components.append(component)
    for unmade in memory.unmade:
        if unmade.steps or unmade.parent is not None:
            doubts.append(f"It is not said what the {min(unmade.labels)} is made of.")
    return sorted(components, key=str), doubts


def _served_as(thing: Thing) -> list[Thing]:
    unused_pool = (
        thing.bond == "vessel"
        and len(thing.parts) > 1
        and not thing.steps
        and not (any(part.steps for part in thing.parts))
    )
    if thing.tentative or unused_pool:
        return [served for part in thing.parts for served in _served_as(part)]
    return [thing]


def _bind_unmade(memory: Memory) -> None:
    for unmade in list(memory.unmade):
        if not unmade.steps and unmade.parent is None:
            continue
        label = sorted(unmade.labels, key=len)[-1]
        hints = set(foodwords.MIXTURES.get(label.split()[-1], ()))
        free = [g for g in memory.groups if g.parts and g.parent is None
                and g is not unmade.top()]  # fmt: skip
        fitting = [g for g in free if g.names() & hints] or free
        if fitting:
            memory.bind(unmade, fitting[-1])
