"""CuisineWorld, open to customers who order dishes: what it takes beside the closed one."""

from __future__ import annotations

from typing import Any

from cookmas.worlds.base import MessageField, MessageForm
from cookmas.worlds.cuisineworld.domain import CuisineDomain
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineState
from cookmas.worlds.cuisineworld.scenario import CuisineScenario
from cookmas.worlds.cuisineworld.world import CuisineWorld

DISH = MessageField(name="dish", example="tunaSushi", choices=lambda world: world.kitchen.dishes)


class OpenCuisineWorld(CuisineWorld):
    """Has nothing left to do while no order waits."""

    messages = (
        MessageForm(
            kind="order",
            subject="dish",
            fields=(
                MessageField(
                    name="dish", example="tunaSushi", choices=lambda world: world.kitchen.dishes
                ),
            ),
        ),
    )

    def is_finished(self, state: CuisineState) -> bool:
        return not state.orders


class OpenScenario(CuisineScenario):
    """A level in which nothing is ordered but by customers."""

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        return []


class OpenCuisineDomain(CuisineDomain):
    """CuisineWorld, to which customers send orders."""

    world_type = OpenCuisineWorld
    scenario_type = OpenScenario


DOMAIN = OpenCuisineDomain()
