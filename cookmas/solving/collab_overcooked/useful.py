"""The actions that lead towards a dish, of all that a cook could do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from cookmas.worlds.collab_overcooked.rules.actions import DELIVER, FILL, PICKUP, PLACE, PUT, Action
from cookmas.worlds.collab_overcooked.rules.book import book, rows_of, tables_of
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    COUNTER,
    DELIVERY,
    DISH,
    DISHES,
    INGREDIENTS,
    STARTERS,
    TICKS,
    CollabKitchen,
    FoodItem,
    Scene,
    SynthesisRow,
    Tables,
    UtensilContent,
)


@dataclass(frozen=True)
class DishGoal:
    """A dish in a kitchen, with the steps that make it."""

    kitchen: CollabKitchen
    dish: str
    steps: tuple[SynthesisRow, ...]

    @property
    def plated(self) -> bool:
        """Whether the food must be delivered on the item `DISH`."""
        return self.dish in self.kitchen.plated

    @cached_property
    def _rows(self) -> dict[str, SynthesisRow]:
        return {row.product: row for row in self.steps}

    @cached_property
    def needed(self) -> Counter[str]:
        """The raw ingredients of the dish, each with how many of it are needed."""
        return self.count_raw(self.dish)

    def count_raw(self, food: str) -> Counter[str]:
        """Return the raw ingredients of a food, each with how many of it the food has."""
        row = self._rows.get(food)
        if row is None:
            return Counter([food])
        return sum((self.count_raw(each) for each in row.inputs), Counter())

    @cached_property
    def _uses(self) -> dict[str, tuple[SynthesisRow, ...]]:
        foods = {food for row in self.steps for food in row.inputs}
        return {food: tuple(row for row in self.steps if food in row.inputs) for food in foods}

    def useful(self, scene: Scene, number: int) -> list[Action]:
        """Return the actions of cook `number` that lead towards the dish.

        A cook lays nothing down that it could use itself, and starts no utensil in which an input
        is missing.
        """
        held = scene.cooks[number].held
        found = (
            self._with_empty_hand(scene, number)
            if held is None
            else self._find_with_item(scene, number, held)
        )
        return list(found)

    def _with_empty_hand(self, scene: Scene, number: int) -> Iterator[Action]:
        kitchen = self.kitchen
        for cell, content in scene.utensils.items():
            if cell not in kitchen.touched[number]:
                continue
            utensil = kitchen.names[cell]
            if content.product is None:
                if self._is_whole(kitchen.kinds[cell], content):
                    yield Action(STARTERS[kitchen.kinds[cell]], utensil)
            elif content.ticks >= TICKS and not (self.plated and content.product == self.dish):
                yield Action(PICKUP, utensil, content.product)
        present, dishes = self._present(scene)
        lying = {
            item.name: item
            for cell, item in scene.counters.items()
            if cell in kitchen.touched[number]
        }
        in_time = self._dish_in_time(scene, number)
        for name, item in lying.items():
            if self._can_use(number, item) and (name != DISH or in_time):
                yield Action(PICKUP, COUNTER, name)
        if kitchen.reaches(number, INGREDIENTS):
            for food, count in self.needed.items():
                if present[food] < count:
                    yield Action(PICKUP, INGREDIENTS, food)
        if self.plated and not dishes and in_time and kitchen.reaches(number, DISHES):
            yield Action(PICKUP, DISHES, DISH)

    def _dish_in_time(self, scene: Scene, number: int) -> bool:
        """Return whether it is time for a cook to take the item `DISH`.

        It is if the food has been started, or if the cook cannot fill the item itself. Otherwise
        the cook needs its hand for the work before.
        """
        made = any(content.product == self.dish for content in scene.utensils.values())
        return made or not self._can_use(number, FoodItem(DISH, "dish"))

    def _find_with_item(self, scene: Scene, number: int, held: FoodItem) -> Iterator[Action]:
        if not self._can_use(number, held):
            yield Action(PLACE)
            return
        if held.name == self.dish:
            yield Action(DELIVER)
            return
        kitchen = self.kitchen
        for utensil, cell in kitchen.utensils.items():
            if cell not in kitchen.touched[number]:
                continue
            content = scene.utensils.get(cell)
            if held.name == DISH:
                if content is not None and content.product == self.dish:
                    yield Action(FILL, utensil)
            elif self._fits(kitchen.kinds[cell], content, held.name):
                yield Action(PUT, utensil)

    def clearing(self, scene: Scene, number: int) -> list[Action]:
        """Return the actions of cook `number` that remove useless things, such as a wrong mix."""
        kitchen, held = self.kitchen, scene.cooks[number].held
        if held is not None:
            stray = held.name not in (*self._uses, self.dish, DISH)
            if stray and held.name in kitchen.menu and kitchen.reaches(number, DELIVERY):
                return [Action(DELIVER)]
            return [] if self._can_use(number, held) else [Action(PLACE)]
        found = []
        for cell, content in scene.utensils.items():
            if cell not in kitchen.touched[number]:
                continue
            utensil, kind = kitchen.names[cell], kitchen.kinds[cell]
            if content.product is None:
                inside = Counter(content.items)
                rows = [row for row in self.steps if row.utensil == kind]
                if not any(inside <= Counter(row.inputs) for row in rows):
                    found.append(Action(STARTERS[kind], utensil))
            elif content.ticks >= TICKS and content.product not in (*self._uses, self.dish):
                found.append(Action(PICKUP, utensil, content.product))
        return found

    def _present(self, scene: Scene) -> tuple[Counter[str], int]:
        """Return the raw ingredients of all food in the scene, and the number of items `DISH`.

        Items `DISH` with food on them count too.
        """
        names = [cook.held.name for cook in scene.cooks if cook.held is not None]
        names += [item.name for item in scene.counters.values()]
        for content in scene.utensils.values():
            names += [content.product] if content.product is not None else content.items
        plates = [cook.held for cook in scene.cooks if cook.held is not None]
        plates += [*scene.counters.values()]
        dishes = sum(item.kind in ("dish", "with_dish") for item in plates)
        return sum((self.count_raw(name) for name in names if name != DISH), Counter()), dishes

    def _can_use(self, number: int, item: FoodItem) -> bool:
        """Return whether a cook reaches a place at which the next step uses an item."""
        kitchen = self.kitchen
        if item.name == self.dish:
            return kitchen.reaches(number, DELIVERY)
        if item.name == DISH:
            kinds = {self.steps[-1].utensil}
        else:
            kinds = {row.utensil for row in self._uses.get(item.name, ())}
        return any(
            kitchen.kinds[cell] in kinds and cell in kitchen.touched[number]
            for cell in kitchen.utensils.values()
        )

    def _fits(self, kind: str, content: UtensilContent | None, food: str) -> bool:
        if content is not None and content.product is not None:
            return False
        inside: Sequence[str] = () if content is None else content.items
        return any(
            row.utensil == kind and Counter([*inside, food]) <= Counter(row.inputs)
            for row in self._uses.get(food, ())
        )

    def _is_whole(self, kind: str, content: UtensilContent) -> bool:
        inside = sorted(content.items)
        return any(row.utensil == kind and sorted(row.inputs) == inside for row in self.steps)


def goal_of(kitchen: CollabKitchen, dish: str, tables: Tables | None) -> DishGoal | None:
    """Return the goal of a dish, with the steps of the tables that are seen, or else of the book.

    It is None if neither has the dish's recipe.
    """
    if tables is None and dish in book().dishes:
        tables = tables_of([book().dishes[dish]])
    steps = () if tables is None else rows_of(tables, dish)
    return DishGoal(kitchen, dish, steps) if steps else None
