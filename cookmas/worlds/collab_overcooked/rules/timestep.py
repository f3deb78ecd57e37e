"""A timestep: the interactions of the cooks, and the work of the utensils."""

from __future__ import annotations

from typing import NamedTuple

from cookmas.worlds.collab_overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    DELIVERY,
    DISH,
    DISHES,
    INGREDIENTS,
    STARTERS,
    TICKS,
    UNKNOWN,
    CollabKitchen,
    FoodItem,
    Scene,
    Tables,
    UtensilContent,
)
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.hands import Cook, leave_out, use_counter

INTERACT = "interact"
STAY = "stay"
START = "[START]"
"""The name by which a cook starts a utensil."""


class CookAct(NamedTuple):
    """A low-level act: a direction, `stay` or `interact`.

    The name is the food to take, or START; only an interaction uses it.
    """

    move: str
    name: str = ""


RESTING = CookAct(STAY)


class Happened(NamedTuple):
    """What happened in a timestep."""

    events: tuple[str | None, ...]
    """What each cook has completed by an interaction, as an action's text; None without one."""
    delivered: tuple[str, ...]
    """Names of the food that was delivered, right or wrong."""
    served: bool
    """Whether the order was delivered."""
    destroyed: tuple[str, ...]
    """Names of the utensils in which a mix without a recipe was destroyed."""


class CollabTimestep:
    """The values that change while the cooks interact."""

    __slots__ = (
        "counters",
        "delivered",
        "destroyed",
        "kitchen",
        "order",
        "served",
        "started",
        "tables",
        "utensils",
    )

    def __init__(
        self, kitchen: CollabKitchen, scene: Scene, order: str, tables: Tables | None
    ) -> None:
        self.kitchen = kitchen
        self.order = order
        self.tables = tables
        self.counters = scene.counters
        self.utensils = scene.utensils
        self.started: list[Cell] = []
        self.destroyed: list[str] = []
        self.delivered: list[str] = []
        self.served = False

    def put(self, cell: Cell, content: UtensilContent) -> None:
        """Let the utensil at a cell have a content, in place of the one it has."""
        self.utensils = {**self.utensils, cell: content}

    def clear(self, cell: Cell) -> None:
        """Let the utensil at a cell be empty."""
        self.utensils = leave_out(self.utensils, cell)

    def interact(self, cook: Cook[FoodItem], name: str) -> tuple[FoodItem | None, str | None]:
        """Return what a cook holds after an interaction with the cell in front, and the event.

        The event is what the cook has completed, as in `Happened.events`.
        """
        cell = cook.body.faces
        kind = self.kitchen.kinds.get(cell)
        held = cook.held
        if kind == COUNTER:
            return self._at_counter(cell, held)
        if kind == INGREDIENTS and held is None:
            return FoodItem(name, "ingredient"), f"pickup({name}, {INGREDIENTS})"
        if kind == DISHES and held is None:
            return FoodItem(DISH, "dish"), f"pickup({DISH}, {DISHES})"
        if kind == DELIVERY and held is not None and held.name not in (DISH, START):
            self.delivered.append(held.name)
            plated = held.kind == "with_dish" or self.order not in self.kitchen.plated
            self.served = self.served or (held.name == self.order and plated)
            return None, "deliver()"
        if kind in STARTERS:
            return self._at_utensil(cell, held, name)
        return held, None

    def _at_counter(self, cell: Cell, held: FoodItem | None) -> tuple[FoodItem | None, str | None]:
        self.counters, after = use_counter(self.counters, cell, held)
        if held is not None and after is None:
            return None, "place_obj_on_counter()"
        if held is None and after is not None:
            return after, f"pickup({after.name}, {COUNTER})"
        return held, None

    def _at_utensil(
        self, cell: Cell, held: FoodItem | None, name: str
    ) -> tuple[FoodItem | None, str | None]:
        content = self.utensils.get(cell)
        utensil = self.kitchen.names[cell]
        if name == START and content is not None and content.product is None:
            return held, self._start(cell, content)
        if held is None:
            return self._take(cell, content, name)
        if held.name == DISH and (content is not None or self.kitchen.kinds[cell] == "pot"):
            if content is None or content.ticks < TICKS or content.product is None:
                return held, None
            self.clear(cell)
            filled = f"fill_dish_with_food({utensil})"
            return FoodItem(content.product, "with_dish", content.filled), filled
        return self._fill(cell, content, held)

    def _start(self, cell: Cell, content: UtensilContent) -> str:
        kind = self.kitchen.kinds[cell]
        product = UNKNOWN
        if self.tables is not None:
            product = self.tables.product(kind, content.items) or ""
        if product:
            self.put(cell, UtensilContent((), content.filled, product))
            self.started.append(cell)
        else:
            self.destroy(cell)
        return f"{STARTERS[kind]}({self.kitchen.names[cell]})"

    def destroy(self, cell: Cell) -> None:
        """Destroy the mix in a utensil, which fits no recipe."""
        self.clear(cell)
        self.destroyed.append(self.kitchen.names[cell])

    def _take(
        self, cell: Cell, content: UtensilContent | None, name: str
    ) -> tuple[FoodItem | None, str | None]:
        if content is None:
            return None, None
        utensil = self.kitchen.names[cell]
        if content.product is not None:
            if name != content.product and content.ticks < TICKS:
                return None, None
            self.clear(cell)
            kind = "ingredient" if name == content.product else "finished"
            parts = 0 if kind == "ingredient" else content.filled
            item = FoodItem(content.product, kind, parts)  # type: ignore[arg-type]
            return item, f"pickup({content.product}, {utensil})"
        if name not in content.items:
            return self.take_other(cell, content)
        left = list(content.items)
        left.remove(name)
        if left:
            self.put(cell, content._replace(items=tuple(left)))
        else:
            self.clear(cell)
        return FoodItem(name, "ingredient"), f"pickup({name}, {utensil})"

    def take_other(self, cell: Cell, content: UtensilContent) -> tuple[FoodItem | None, str | None]:
        """Return what a cook takes, and the event, if the item that it names is not in there."""
        return None, None

    def _fill(
        self, cell: Cell, content: UtensilContent | None, held: FoodItem
    ) -> tuple[FoodItem | None, str | None]:
        if content is not None and content.product is not None:
            return held, None
        event = f"put_obj_in_utensil({self.kitchen.names[cell]})"
        content = content or UtensilContent((), 0)
        if content.filled >= CAPACITY:
            return held, event
        items = (*content.items, self.name_inside(held))
        self.put(cell, UtensilContent(items, content.filled + 1))
        return None, event

    def name_inside(self, item: FoodItem) -> str:
        """Return the name under which a utensil takes an item."""
        return item.name

    def work(self) -> None:
        """Let the utensils work for a timestep."""
        utensils = self.utensils
        for cell, content in utensils.items():
            if content.product is not None and content.ticks < TICKS:
                items, filled, product, ticks = content
                self.put(cell, UtensilContent(items, filled, product, ticks + 1))
                if self.interrupts(cell):
                    return

    def interrupts(self, cell: Cell) -> bool:
        """Return whether a utensil keeps those that were filled after it from working."""
        return False
