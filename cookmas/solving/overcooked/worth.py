"""How good a scene is: an estimate of the points that will come of what is there.

Each part of the work on a soup is worth a share of the soup's points. The shares grow from step to
step, so a plan that does more of the work is better, and the delivery is best.
"""

from __future__ import annotations

from collections import Counter

from cookmas.solving.overcooked.goals import find_missing
from cookmas.solving.overcooked.ways import FAR, nearest_moves, ways_to
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.overcooked.rules.kitchen import POT, SERVING, OvercookedKitchen
from cookmas.worlds.overcooked.rules.scene import KitchenItem, Scene
from cookmas.worlds.overcooked.rules.serving import list_served_orders

FILLED = 0.36
"""Share of a pot that has all ingredients but does not cook."""

COOKING = 0.42
"""Share of a pot that begins to cook."""

READY = 0.62
"""Share of a pot that is ready."""

SERVED = 0.85
"""Share of a soup on a dish."""

ITEM = 0.07
"""Share of an item that is wanted, in hands or on a counter."""

MOVE = 0.002
"""Share that each move to the next place costs."""

UNREACHED = 30
"""Moves that count for a place that cannot be reached."""


def estimate(kitchen: OvercookedKitchen, scene: Scene) -> float:
    """Return the points that the work in a scene is worth."""
    wanted: Counter[str] = Counter()
    worth = 0.0
    best = max((recipe.points for recipe in list_served_orders(kitchen)), default=0)
    for cell in kitchen.pots:
        pot = scene.pots.get(cell)
        if pot is not None and pot.ticks >= 0:
            share = COOKING + (READY - COOKING) * pot.ticks / kitchen.times[pot.ingredients]
            worth += share * kitchen.points[pot.ingredients]
            wanted["dish"] += 1
            continue
        found = find_missing(kitchen, pot.ingredients if pot else ())
        if found is None:
            continue
        points, missing = found
        wanted.update(missing)
        if pot is not None:
            size = len(pot.ingredients)
            worth += FILLED * points * size / (size + len(missing))
            wanted["dish"] += not missing
    items = [
        (_moves_of(kitchen, scene, item, number), item)
        for number, cook in enumerate(scene.cooks)
        if (item := cook.held)
    ]
    items += [(_moves_on(kitchen, cell, item), item) for cell, item in scene.counters.items()]
    for moves, item in sorted(items):
        far = MOVE * min(moves, UNREACHED)
        if item.kind == "soup":
            worth += (SERVED - far) * kitchen.points[item.ingredients]
        elif wanted[item.kind] > 0:
            wanted[item.kind] -= 1
            worth += (ITEM - far) * best
    return worth


def _moves_of(kitchen: OvercookedKitchen, scene: Scene, item: KitchenItem, number: int) -> int:
    body = scene.cooks[number].body
    cells = kitchen.places[SERVING if item.kind == "soup" else POT]
    opened = frozenset(kitchen.gates)
    return min((ways_to(kitchen, opened, cell).moves.get(body, FAR) for cell in cells), default=FAR)


def _moves_on(kitchen: OvercookedKitchen, cell: Cell, item: KitchenItem) -> int:
    return 3 + nearest_moves(kitchen, cell, SERVING if item.kind == "soup" else POT)
