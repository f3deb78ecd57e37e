"""Cooks on a grid, who hold one thing each, and the counters on which they lay things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from cookmas.worlds.grids.grid import DIRECTIONS, Cell, Grid
from cookmas.worlds.grids.walking import Body

Item = TypeVar("Item")
"""Something that a cook can hold."""

Thing = TypeVar("Thing")
KitchenT = TypeVar("KitchenT")


class Cook(NamedTuple, Generic[Item]):
    """A cook: its body, and the item in its hands."""

    body: Body
    """Where it stands, and where it looks."""
    held: Item | None = None
    """The item that the cook holds."""


HIDDEN: Cook[Any] = Cook(Body((-1, -1), DIRECTIONS["N"]))
"""Stands for a cook of which an observer knows nothing."""


def place_cooks(grid: Grid) -> tuple[Cook[Any], ...]:
    """Return the cooks at their starts, with empty hands; they look up."""
    return tuple(Cook(Body(start, DIRECTIONS["N"])) for start in grid.starts)


def cells_of_others(cooks: Sequence[Cook[Any]], number: int) -> frozenset[Cell]:
    """Return the cells on which the cooks other than `number` stand."""
    return frozenset([cook.body.at for other, cook in enumerate(cooks) if other != number])


class CooksScene(Protocol):
    """What the scene of every kitchen on a grid has."""

    @property
    def cooks(self) -> tuple[Cook[Any], ...]:
        """The cooks by number."""
        ...


SceneT = TypeVar("SceneT", bound=CooksScene)


class Sight(Generic[KitchenT, SceneT, Item]):
    """What a cook has before it: the kitchen, the scene, and which of its cooks it is.

    The `order` is what is ordered, in a kitchen with a single order.
    """

    __slots__ = ("body", "held", "kitchen", "number", "order", "scene")

    def __init__(self, kitchen: KitchenT, scene: SceneT, number: int, order: str = "") -> None:
        self.kitchen = kitchen
        self.scene = scene
        self.number = number
        self.order = order
        cook: Cook[Item] = scene.cooks[number]
        self.body, self.held = cook

    @property
    def taken(self) -> frozenset[Cell]:
        """The cells on which the other cooks stand."""
        return cells_of_others(self.scene.cooks, self.number)


def use_counter(
    counters: Mapping[Cell, Item], cell: Cell, held: Item | None
) -> tuple[Mapping[Cell, Item], Item | None]:
    """Return the counters, and what a cook holds, after an interaction with a counter.

    The cook lays its item on an empty counter, or takes with empty hands what lies there.
    """
    there = counters.get(cell)
    if held is not None and there is None:
        return {**counters, cell: held}, None
    if held is None and there is not None:
        return leave_out(counters, cell), there
    return counters, held


def leave_out(things: Mapping[Cell, Thing], cell: Cell) -> dict[Cell, Thing]:
    """Return things by cell without that on one cell."""
    return {place: thing for place, thing in things.items() if place != cell}
