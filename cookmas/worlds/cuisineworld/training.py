"""CuisineWorld in numbers, for training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.worlds.base.training import NOTHING, Array, Rows, Training, place_in
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineState
from cookmas.worlds.cuisineworld.world import CuisineWorld

ORDERS = 16
"""Greatest number of orders in an observation; the orders that expire first come first."""


class CuisineTraining(Training):
    """The representation of a level in numbers.

    Places are numbered in the order of the level, items in the order of their names.
    """

    def __init__(self, world: CuisineWorld) -> None:
        self.kitchen = world.kitchen
        recipes = self.kitchen.recipes
        used = (item for recipe in recipes.values() for item in recipe.inputs)
        self.items = tuple(sorted({*self.kitchen.ingredients, *recipes, *used}))
        self.places = tuple(self.kitchen.places)
        self._most = max(tool.capacity for tool in self.kitchen.tools.values())
        self._item = place_in(self.items)
        self._place = place_in(self.places)
        super().__init__(world)

    def list_actions(self) -> Sequence[str]:
        """Return the text of each action."""
        kitchen = self.kitchen
        tools = [place for place in self.places if kitchen.places[place] in kitchen.tools]
        return (
            self.world.idle,
            *(f"goto_{place}" for place in self.places),
            *(f"get_{item}_{kitchen.storage}" for item in sorted(kitchen.ingredients)),
            *(f"get_{place}" for place in tools),
            *(f"put_{place}" for place in self.places),
            *(f"activate_{place}" for place in tools),
        )

    def list_arrays(self) -> Mapping[str, Array]:
        """Return the shapes of the observed arrays, by name."""
        items = (f"item_{n}" for n in range(1, self._most + 1))
        return {
            "timestep": Array(1, ("timestep",)),
            "agents": Array(self.kitchen.agents, ("place", "holding")),
            "places": Array(len(self.places), ("busy", *items)),
            "orders": Array(ORDERS, ("dish", "lifetime")),
        }

    def encode(self, state: CuisineState) -> Mapping[str, Rows]:
        """Return the arrays of the whole state, since nothing is hidden."""
        return {
            "timestep": [[state.timestep]],
            "agents": [
                [self._place[agent.at], self._item.get(agent.holding or "", NOTHING)]
                for agent in state.agents
            ],
            "places": [
                [state.busy.get(place, 0), *self._encode_items(state.inside.get(place, ()))]
                for place in self.places
            ],
            "orders": [[self._item[order.dish], order.lifetime] for order in state.orders[:ORDERS]],
        }

    def _encode_items(self, items: Sequence[str]) -> list[int]:
        numbers = [self._item.get(item, NOTHING) for item in items[: self._most]]
        return [*numbers, *[NOTHING] * (self._most - len(numbers))]


TRAINING = CuisineTraining
