"""What a cook may do next: the places at which an interaction can be of use to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from cookmas.solving.overcooked.ways import FAR, WaysTo, nearest_moves, ways_to
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.hands import Cook
from cookmas.worlds.overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    GIVEN,
    POT,
    SERVING,
    Ingredients,
    KitchenItem,
    OvercookedKitchen,
    Scene,
    open_gates,
)
from cookmas.worlds.overcooked.rules.serving import list_served_orders

NEAREST_OF_A_KIND = 2
"""Greatest number of places of a kind among which a cook chooses: the nearest."""


@lru_cache(maxsize=4096)
def find_missing(
    kitchen: OvercookedKitchen, content: Ingredients
) -> tuple[int, Ingredients] | None:
    """Return the points and the missing ingredients of the best order that a content can become.

    It has the most points for its work, which is counted as three and one for each ingredient that
    is missing. Return None if no order can be made of the content.
    """
    best: tuple[float, int, Ingredients] | None = None
    inside = Counter(content)
    for recipe in list_served_orders(kitchen):
        whole = Counter(recipe.ingredients)
        if inside <= whole:
            missing = tuple(sorted((whole - inside).elements()))
            rate = recipe.points / (len(missing) + 3)
            if best is None or rate > best[0]:
                best = rate, recipe.points, missing
    return best and best[1:]


@lru_cache(maxsize=64)
def passing_counters(kitchen: OvercookedKitchen) -> frozenset[Cell]:
    """Return the counters over which items can be passed.

    They have floor on two sides between which no cook walks in fewer than four moves.
    """
    found = set()
    opened = frozenset(kitchen.gates)
    for cell in kitchen.places[COUNTER]:
        beside = [body for body, far in ways_to(kitchen, opened, cell).moves.items() if far == 0]
        for one in beside:
            region = kitchen.open_grid.region(one.at)
            for other in beside:
                distance = abs(one.at[0] - other.at[0]) + abs(one.at[1] - other.at[1])
                if other.at not in region or distance == 2:
                    found.add(cell)
    return frozenset(found)


class Goals:
    """The goals of cooks in one scene."""

    def __init__(self, kitchen: OvercookedKitchen, scene: Scene) -> None:
        self.kitchen = kitchen
        self.scene = scene
        self.opened = open_gates(scene.gates)
        pots = [scene.pots.get(cell) for cell in kitchen.pots]
        missing: Counter[str] = Counter()
        for pot in pots:
            content: Ingredients = () if pot is None or pot.ticks >= 0 else pot.ingredients
            found = find_missing(kitchen, content)
            missing.update(found[1] if found else ())
        there: Counter[str] = Counter(cook.held.kind for cook in scene.cooks if cook.held)
        there.update(item.kind for item in scene.counters.values())
        self.missing = missing
        self.there = there

    def ways(self, target: Cell) -> WaysTo:
        """Return the ways to a cell through the gates that are open."""
        return ways_to(self.kitchen, self.opened, target)

    def nearest(
        self, cook: Cook[KitchenItem], cells: Iterable[Cell], most: int = NEAREST_OF_A_KIND
    ) -> list[Cell]:
        """Return the nearest cells that a cook can come to face."""
        far = [(self.ways(cell).moves.get(cook.body, FAR), cell) for cell in cells]
        return [cell for distance, cell in sorted(far) if distance < FAR][:most]

    def of(self, number: int) -> Sequence[Cell]:
        """Return the cells at which a cook may want to interact next."""
        cook = self.scene.cooks[number]
        held = cook.held
        if held is None:
            return self._with_empty_hands(cook)
        if held.kind == "soup":
            return [*self.nearest(cook, self.kitchen.places[SERVING]), *self._aside(cook, SERVING)]
        if held.kind == "dish":
            cells = [cell for cell, pot in self.scene.pots.items() if pot.ticks >= 0]
            return [*self.nearest(cook, cells), *self._aside(cook, POT)]
        cells = [cell for cell in self.kitchen.pots if self._takes(cell, held.kind)]
        return [*self.nearest(cook, cells), *self._aside(cook, POT)]

    def _is_full(self, cell: Cell) -> bool:
        return len(self.scene.pots[cell].ingredients) == CAPACITY

    def _takes(self, cell: Cell, item: str) -> bool:
        pot = self.scene.pots.get(cell)
        if pot is None:
            return find_missing(self.kitchen, (item,)) is not None
        if pot.ticks >= 0 or self._is_full(cell):
            return False
        return find_missing(self.kitchen, tuple(sorted((*pot.ingredients, item)))) is not None

    def _with_empty_hands(self, cook: Cook[KitchenItem]) -> Sequence[Cell]:
        kitchen, scene = self.kitchen, self.scene
        cells: list[Cell] = []
        for kind, item in GIVEN.items():
            wanted = len(kitchen.pots)
            if item != "dish":
                wanted = self.missing[item] + 1 if item in _ingredients_of(kitchen) else 0
            if self.there[item] < wanted:
                cells += self.nearest(cook, kitchen.places[kind])
        for kind in ("onion", "tomato", "dish", "soup"):
            there = [cell for cell, item in scene.counters.items() if item.kind == kind]
            cells += self.nearest(cook, there)
        if not kitchen.starts_by_itself:
            whole = [
                cell
                for cell, pot in scene.pots.items()
                if pot.ticks < 0 and kitchen.points[pot.ingredients]
            ]
            cells += self.nearest(cook, whole)
        closed = [cell for cell, gate in scene.gates.items() if not gate.open]
        return [*cells, *self.nearest(cook, closed)]

    def _aside(self, cook: Cook[KitchenItem], kind: str) -> list[Cell]:
        """Return the counters at which to put an item that is to come to a kind of place."""
        empty = [cell for cell in passing_counters(self.kitchen) if cell not in self.scene.counters]
        far = [
            (
                self.ways(cell).moves.get(cook.body, FAR) + nearest_moves(self.kitchen, cell, kind),
                cell,
            )
            for cell in empty
        ]
        return [cell for distance, cell in sorted(far) if distance < FAR][:NEAREST_OF_A_KIND]


@lru_cache(maxsize=64)
def _ingredients_of(kitchen: OvercookedKitchen) -> frozenset[str]:
    return frozenset(item for recipe in list_served_orders(kitchen) for item in recipe.ingredients)
