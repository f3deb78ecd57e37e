"""CuisineWorld, open to customers who order dishes: what it takes beside the closed one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cookmas.episodes.trace import Trace
from cookmas.episodes.world import Json
from cookmas.files.errors import InputError
from cookmas.mailboxes.desk import Origin, Since
from cookmas.mailboxes.protocol import May, allow_all
from cookmas.worlds.base.messages import Field, MessageForm
from cookmas.worlds.cuisineworld.domain import CuisineDomain
from cookmas.worlds.cuisineworld.scenario import CuisineScenario
from cookmas.worlds.cuisineworld.state import CuisineState
from cookmas.worlds.cuisineworld.world import CuisineWorld


class OpenCuisineWorld(CuisineWorld):
    """Has nothing left to do while no order waits."""

    def is_finished(self, state: CuisineState) -> bool:
        return not state.orders


class OpenScenario(CuisineScenario):
    """A level in which nothing is ordered but by customers."""

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        return []


class Desk:
    """Takes orders of dishes, as they are."""

    def __init__(self, world: CuisineWorld) -> None:
        self._dishes = world.kitchen.dishes

    def admit(self, event: Json, number: int) -> dict[str, Any]:
        if event.get("kind") != "order" or event.get("dish") not in self._dishes:
            raise InputError("order", f"expected one of {', '.join(self._dishes)}")
        return dict(event)

    def room(self, state: CuisineState) -> May:
        return allow_all

    def recall(self, event: Json, state: CuisineState, since: Since) -> str | None:
        return None

    def origin(self, event: Json) -> Origin | None:
        return None

    def name_subject(self, event: Json) -> str | None:
        return str(event["dish"])


class OpenCuisineDomain(CuisineDomain):
    """CuisineWorld with a desk, and one message."""

    world_type = OpenCuisineWorld
    scenario_type = OpenScenario

    def desk(self, scenario: CuisineScenario) -> Desk:
        return Desk(scenario.world())

    def messages(self, world: CuisineWorld | None = None) -> Sequence[MessageForm]:
        dishes = world.kitchen.dishes if world else ()
        dish = Field(name="dish", label="Dish", example="tunaSushi", choices=dishes)
        return (MessageForm(kind="order", event="order", title="Order", fields=(dish,)),)

    def add_meanings(
        self, truth: Any, trace: Trace, meanings: Mapping[int, Mapping[str, Any]]
    ) -> Any:
        return truth


DOMAIN = OpenCuisineDomain()
