"""Collab-Overcooked in numbers, for training."""

from __future__ import annotations

from collections.abc import Mapping

from cookmas.worlds.base.training import NOTHING, Array, Rows, Training, place_in
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    DISH,
    UNKNOWN,
    FoodItem,
)
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.collab_overcooked.world import CollabWorld
from cookmas.worlds.grids.grid import DIRECTION_NUMBERS


class CollabTraining(Training):
    """The actions and observations of a kitchen in numbers. Foods and directions are numbered too.

    The arrays hold what every cook can observe, so the synthesis tables are not in them.
    """

    world: CollabWorld

    def list_arrays(self) -> Mapping[str, Array]:
        """Return the shapes of the observed arrays, by name."""
        kitchen = self.world.kitchen
        self._food = place_in([DISH, UNKNOWN, *sorted(kitchen.foods)])
        cooks = ("x", "y", "facing", "holding", "on_a_dish", "in_action")
        items = (f"item_{number}" for number in range(1, CAPACITY + 1))
        return {
            "timestep": Array(1, ("timestep", "order")),
            "cooks": Array(len(kitchen.cooks), cooks),
            "counters": Array(len(kitchen.places.get(COUNTER, ())), ("holding", "on_a_dish")),
            "utensils": Array(len(kitchen.utensils), (*items, "product", "ticks")),
        }

    def encode(self, state: CollabState) -> Mapping[str, Rows]:
        """Return the arrays of an observed state."""
        kitchen, scene = self.world.kitchen, state.scene
        utensils = []
        for cell in kitchen.utensils.values():
            content = scene.utensils.get(cell)
            items = () if content is None else content.items
            product = None if content is None else content.product
            numbers = [self._of(item) for item in items]
            utensils.append(
                [
                    *numbers,
                    *[NOTHING] * (CAPACITY - len(numbers)),
                    self._of(product),
                    0 if content is None else content.ticks,
                ]
            )
        return {
            "timestep": [[state.timestep, self._of(state.order)]],
            "cooks": [
                [
                    *cook.body.at,
                    DIRECTION_NUMBERS[cook.body.facing],
                    *self._encode_held(cook.held),
                    int(doing is not None),
                ]
                for cook, doing in zip(scene.cooks, state.doing, strict=True)
            ],
            "counters": [
                self._encode_held(scene.counters.get(cell))
                for cell in kitchen.places.get(COUNTER, ())
            ],
            "utensils": utensils,
        }

    def _of(self, food: str | None) -> int:
        return self._food.get(food or "", NOTHING)

    def _encode_held(self, item: FoodItem | None) -> list[int]:
        if item is None:
            return [NOTHING, 0]
        return [self._of(item.name), int(item.kind == "with_dish")]


TRAINING = CollabTraining
