"""Layouts: files in the notation of the original, a Python dictionary of literals.

A file is read as literals and never evaluated. The layouts that come with CookMAS are in two
folders. With each dynamics its own folder comes first, because both engines have a layout
`asymmetric_advantages`, of different widths.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import FileModel, read_text, validate
from cookmas.worlds.grids.grid import DIRECTIONS, Cell, Direction, Grid
from cookmas.worlds.grids.hands import Cook, place_cooks
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.kitchen import (
    CAPACITY,
    COUNTER,
    LETTERS,
    POT,
    Dynamics,
    OvercookedKitchen,
    SoupRecipe,
    list_soups,
)
from cookmas.worlds.overcooked.scene import GateState, Ingredients, KitchenItem, PotContent, Scene

FOLDER = Path(__file__).parent / "layouts"
SUFFIX = ".layout"

POINTS = 20
TIME = 20
BONUS = 2

MOST_BYTES = 2**16
"""Greatest size of a layout's file."""

MOST_COOKS = 9

Ingredient = Literal["onion", "tomato"]
Number = Annotated[int, Field(ge=1, le=10_000)]


def _rows_of(grid: object) -> object:
    """Return the rows of a grid that is one text, without the spaces around each."""
    return [row.strip() for row in grid.strip().split("\n")] if isinstance(grid, str) else grid


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
    """What it is."""
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
    """What lies on counters and is in pots."""
    bonus_orders: list[SoupOrder] | None = None
    """The same as the layout's."""
    all_orders: list[SoupOrder] | None = None
    """The same as the layout's."""


class OvercookedLayout(FileModel):
    """The content of a layout's file."""

    grid: Annotated[
        list[Annotated[str, Field(max_length=30)]],
        BeforeValidator(_rows_of),
        Field(min_length=3, max_length=30),
    ]
    """The grid as one text; the digits are the starts of the cooks."""
    start_all_orders: Annotated[list[SoupOrder], Field(max_length=9)] = Field(default_factory=list)
    """The orders, which are never used up; if empty, every soup is ordered."""
    start_bonus_orders: Annotated[list[SoupOrder], Field(max_length=9)] = Field(
        default_factory=list
    )
    """The orders whose points are multiplied."""
    order_bonus: Annotated[int, Field(ge=1, le=100)] = BONUS
    """Factor of the points of a bonus order."""
    delivery_reward: Number | None = None
    """Points of every order."""
    cook_time: Number | None = None
    """Timesteps for which every soup cooks."""
    recipe_values: list[Number] | None = None
    """Points of each order of `start_all_orders`."""
    recipe_times: list[Number] | None = None
    """Timesteps of each order of `start_all_orders`."""
    onion_value: Number | None = None
    """Points of each onion of a soup."""
    tomato_value: Number | None = None
    """Points of each tomato of a soup."""
    onion_time: Number | None = None
    """Timesteps of each onion of a soup."""
    tomato_time: Number | None = None
    """Timesteps of each tomato of a soup."""
    start_state: StartState | None = None
    """The first scene; without it, hands and pots are empty."""
    num_items_for_soup: Literal[3] = 3
    """Greatest number of ingredients in a pot."""
    start_order_list: None = None
    """Not used; older files have it."""
    rew_shaping_params: Any = None
    """Not used: these rewards are a matter of training."""

    @model_validator(mode="after")
    def _check_grid(self) -> OvercookedLayout:
        grid = Grid.of_rows(self.grid)
        letters = grid.solid
        if strange := sorted(set(letters.values()) - set(LETTERS)):
            raise ValueError(f"grid: {strange[0]!r} is none of {', '.join(LETTERS)}")
        for missing in ({"D"}, {"S"}, {"P"}, {"O", "T"}):
            if missing.isdisjoint(letters.values()):
                raise ValueError(f"grid: expected at least one {' or '.join(sorted(missing))}")
        for cell, letter in letters.items():
            if letter == "G" and grid.at_border(cell):
                raise ValueError("grid: expected no gate at the border")
        return self

    @model_validator(mode="after")
    def _check_orders(self) -> OvercookedLayout:
        ordered = [order.soup for order in self.start_all_orders]
        bonus = [order.soup for order in self.start_bonus_orders]
        if len(set(ordered)) < len(ordered) or len(set(bonus)) < len(bonus):
            raise ValueError("expected each order once")
        if ordered and not set(bonus) <= set(ordered):
            raise ValueError("start_bonus_orders: expected orders of start_all_orders")
        for what, one, each, per in (
            ("value", "delivery_reward", "recipe_values", ("onion_value", "tomato_value")),
            ("time", "cook_time", "recipe_times", ("onion_time", "tomato_time")),
        ):
            found = [name for name in (one, each) if getattr(self, name) is not None]
            amounts = [name for name in per if getattr(self, name) is not None]
            if len(amounts) == 1:
                raise ValueError(f"expected both {per[0]} and {per[1]}")
            if len(found) + bool(amounts) > 1:
                raise ValueError(f"expected one kind of {what}, got {', '.join(found + amounts)}")
            given = getattr(self, each)
            if given is not None and len(given) != len(ordered):
                raise ValueError(f"{each}: expected one for each of start_all_orders")
        return self

    @model_validator(mode="after")
    def _check_start(self) -> OvercookedLayout:
        start = self.start_state
        if start is None:
            return self
        for theirs, ours in (
            (start.all_orders, self.start_all_orders),
            (start.bonus_orders, self.start_bonus_orders),
        ):
            if theirs is not None and {o.soup for o in theirs} != {o.soup for o in ours}:
                raise ValueError("start_state: expected the orders of the layout")
        grid = Grid.of_rows(self.grid)
        cells = [player.body.at for player in start.players]
        if len(cells) != len(grid.starts) or len(set(cells)) < len(cells):
            raise ValueError(f"start_state: expected {len(grid.starts)} cooks on different cells")
        for player in start.players:
            if player.body.at not in grid.floor or player.body.facing not in DIRECTIONS.values():
                raise ValueError("start_state: expected cooks on floor, with directions")
            if player.held_object is not None and player.held_object.name == "soup":
                _check_soup(player.held_object)
        for item in start.objects:
            kind = LETTERS.get(grid.solid.get(item.cell, ""))
            if kind != (POT if item.name == "soup" and kind == POT else COUNTER):
                raise ValueError("start_state: expected objects on counters, soups also in pots")
            if item.name == "soup":
                _check_soup(item)
        if len({item.cell for item in start.objects}) < len(start.objects):
            raise ValueError("start_state: expected objects on different cells")
        return self

    def recipes(self) -> tuple[SoupRecipe, ...]:
        """Return what is known of each soup that a pot can hold."""
        ordered = [order.soup for order in self.start_all_orders]
        bonus = {order.soup for order in self.start_bonus_orders}
        values = dict(zip(ordered, self.recipe_values or (), strict=False))
        times = dict(zip(ordered, self.recipe_times or (), strict=False))
        found = []
        for soup in list_soups():
            per_item = _sum(soup, self.onion_value, self.tomato_value)
            points = self.delivery_reward or values.get(soup) or per_item or POINTS
            cooking = _sum(soup, self.onion_time, self.tomato_time)
            time = self.cook_time or times.get(soup) or cooking or TIME
            if ordered and soup not in ordered:
                points = 0
            elif soup in bonus:
                points *= self.order_bonus
            found.append(SoupRecipe(soup, points, time, soup in bonus))
        return tuple(found)

    def kitchen(self, dynamics: Dynamics) -> OvercookedKitchen:
        """Return the kitchen of the layout with one of the dynamics."""
        grid = Grid.of_rows(self.grid)
        return OvercookedKitchen(grid, dynamics, self.recipes(), self._opening_scene(grid))

    def _opening_scene(self, grid: Grid) -> Scene:
        gates = {cell: GateState() for cell, letter in grid.solid.items() if letter == "G"}
        start = self.start_state
        if start is None:
            return Scene(place_cooks(grid), {}, {}, gates)
        times = {recipe.ingredients: recipe.time for recipe in self.recipes()}
        counters, pots = {}, {}
        for item in start.objects:
            if grid.solid[item.cell] == "P":
                pots[item.cell] = PotContent(item.soup, min(item.ticks, times[item.soup]))
            else:
                counters[item.cell] = KitchenItem(item.name, item.soup)
        cooks = tuple(
            Cook(
                player.body,
                KitchenItem(player.held_object.name, player.held_object.soup)
                if player.held_object
                else None,
            )
            for player in start.players
        )
        return Scene(cooks, counters, pots, gates)


def _check_soup(item: StartItem) -> None:
    if not item.ingredients or any(each.name in ("dish", "soup") for each in item.ingredients):
        raise ValueError("start_state: expected onions or tomatoes in each soup")


def _sum(soup: Ingredients, onion: int | None, tomato: int | None) -> int:
    return soup.count("onion") * (onion or 0) + soup.count("tomato") * (tomato or 0)


def parse_layout(text: str, where: str) -> OvercookedLayout:
    """Return the layout of a text. Raise InputError, which names the origin `where`."""
    try:
        data = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        raise InputError(
            where, "is no layout: expected a dictionary of literals, such as {'grid': '...'}"
        ) from None
    return validate(OvercookedLayout, data, where)


def read_layout(path: Path) -> OvercookedLayout:
    """Return the layout of a file. Raise MissingError or InputError."""
    return parse_layout(read_text(path, MOST_BYTES), str(path))


def layouts(dynamics: Dynamics) -> Mapping[str, Path]:
    """Return the files of the layouts that come with CookMAS, by name."""
    assert dynamics in get_args(Dynamics)
    others = [each for each in get_args(Dynamics) if each != dynamics]
    files = [path for each in (*others, dynamics) for path in (FOLDER / each).glob(f"*{SUFFIX}")]
    found = {path.stem: path for path in files}
    return {name: found[name] for name in sorted(found)}


def load_kitchen(name: str, dynamics: Dynamics) -> OvercookedKitchen:
    """Return the kitchen of a layout that comes with CookMAS. Raise MissingError if none is."""
    known = layouts(dynamics)
    if name.endswith(SUFFIX):
        own = "give a file of yours with --layout, or put its text into own_layout"
        raise MissingError(f"layout: {name!r} does not come with CookMAS; {own}")
    if name not in known:
        raise MissingError(f"there is no layout {name!r}; the layouts are {', '.join(known)}")
    return read_layout(known[name]).kitchen(dynamics)
