"""The first scene of a layout, in the notation of the original."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from cookmas.files.reading import FileModel
from cookmas.worlds.grids.grid import DIRECTIONS, Cell, Direction, Grid
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.rules.kitchen import CAPACITY, COUNTER, LETTERS, POT
from cookmas.worlds.overcooked.rules.scene import Ingredients

MOST_COOKS = 9

Ingredient = Literal["onion", "tomato"]


class SoupOrder(FileModel):
    """An order: the ingredients of a soup."""

    ingredients: Annotated[list[Ingredient], Field(min_length=1, max_length=CAPACITY)]
    """The ingredients of the soup, in any order."""

    @property
    def soup(self) -> Ingredients:
        """The soup that is ordered."""
        return tuple(sorted(self.ingredients))


class StartItem(FileModel):
    """An item of a start state; what can be derived from the rest is not read."""

    model_config = ConfigDict(extra="ignore")

    name: Literal["onion", "tomato", "dish", "soup"]
    """Kind of the item."""
    position: Annotated[list[int], Field(min_length=2, max_length=2)]
    """Its column and row."""
    ingredients: Annotated[list[StartItem], Field(max_length=CAPACITY, alias="_ingredients")] = (
        Field(default_factory=list)
    )
    """The ingredients of a soup."""
    ticks: Annotated[int, Field(ge=-1, le=10_000, alias="_cooking_tick")] = -1
    """Timesteps for which a soup has cooked; -1: it does not cook."""

    @property
    def cell(self) -> Cell:
        """The cell on which it lies."""
        return self.position[0], self.position[1]

    @property
    def soup(self) -> Ingredients:
        """The ingredients of a soup."""
        return tuple(sorted(each.name for each in self.ingredients))


class StartCook(FileModel):
    """A cook of a start state."""

    position: Annotated[list[int], Field(min_length=2, max_length=2)]
    """Its column and row."""
    orientation: Annotated[list[int], Field(min_length=2, max_length=2)]
    """Where it looks: the changes of column and row."""
    held_object: StartItem | None = None
    """The item that the cook holds."""

    @property
    def body(self) -> Body:
        """Its place and direction."""
        facing: Direction = (self.orientation[0], self.orientation[1])
        return Body((self.position[0], self.position[1]), facing)


class StartState(FileModel):
    """The first scene of a layout that does not start with empty hands and pots."""

    players: Annotated[list[StartCook], Field(min_length=1, max_length=MOST_COOKS)]
    """The cooks by number."""
    objects: Annotated[list[StartItem], Field(max_length=900)]
    """The items on counters and in pots."""
    bonus_orders: list[SoupOrder] | None = None
    """The same as the layout's."""
    all_orders: list[SoupOrder] | None = None
    """The same as the layout's."""

    def check_places(self, grid: Grid) -> None:
        """Raise ValueError if a cook or an item is where it cannot be on a grid."""
        cells = [player.body.at for player in self.players]
        if len(cells) != len(grid.starts) or len(set(cells)) < len(cells):
            raise ValueError(f"start_state: expected {len(grid.starts)} cooks on different cells")
        for player in self.players:
            if player.body.at not in grid.floor or player.body.facing not in DIRECTIONS.values():
                raise ValueError("start_state: expected cooks on floor, with directions")
            if player.held_object is not None and player.held_object.name == "soup":
                _check_soup(player.held_object)
        for item in self.objects:
            kind = LETTERS.get(grid.solid.get(item.cell, ""))
            if kind != (POT if item.name == "soup" and kind == POT else COUNTER):
                raise ValueError("start_state: expected objects on counters, soups also in pots")
            if item.name == "soup":
                _check_soup(item)
        if len({item.cell for item in self.objects}) < len(self.objects):
            raise ValueError("start_state: expected objects on different cells")


def _check_soup(item: StartItem) -> None:
    if not item.ingredients or any(each.name in ("dish", "soup") for each in item.ingredients):
        raise ValueError("start_state: expected onions or tomatoes in each soup")
