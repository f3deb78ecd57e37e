"""Layouts: files in the notation of the original, a Python dictionary of literals.

They are read and never evaluated. The layouts that come with CookMAS are in two folders. With each
dynamics its own folder comes first, because both engines have a layout `asymmetric_advantages`, of
different widths.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from cookmas.files.errors import InputError, MissingError
from cookmas.files.naming import is_yaml
from cookmas.files.reading import FileModel, read_text, validate
from cookmas.worlds.grids.grid import DIRECTIONS, Cell, Direction, Grid
from cookmas.worlds.grids.hands import Cook, place_cooks
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    LETTERS,
    POT,
    WALL,
    Dynamics,
    GateState,
    Ingredients,
    KitchenItem,
    OvercookedKitchen,
    PotContent,
    Scene,
    SoupRecipe,
    count_ingredients,
    list_soups,
    possible_soups,
)
from cookmas.worlds.overcooked.rules.serving import list_served_orders, orders_not_served

EXPECTED = "expected a dictionary of literals, such as {'grid': '...'}"

_ROW = "[WXBOPRL0-9 ]{0,40}"

JAXMARL = rf"(?m)(?:^|[\"']){_ROW}W{_ROW}\n(?:{_ROW}\n){{0,40}}{_ROW}A"
"""Matches rows in the letters of JaxMARL, from one with a wall to the first one with an agent."""

IN_LETTERS = "a layout in the letters of JaxMARL"
"""What a text with such rows is."""


def parse_literals(text: str, where: str) -> object:
    """Return the value of a text; a byte order mark before it does not count.

    Raise InputError, which names the origin `where`, if it is no literal or gives a key twice.
    """
    plain = text.removeprefix("\ufeff").strip()
    blank = text.count("\n", 0, text.find(plain))
    try:
        tree = ast.parse(plain, mode="eval")
        _refuse_double_keys(tree, where, blank)
        value: object = ast.literal_eval(tree)
    except SyntaxError as error:
        line = f", line {error.lineno + blank}" if error.lineno else ""
        what = IN_LETTERS if re.search(JAXMARL, text) else "no layout"
        raise InputError(f"{where}{line}", f"is {what}: {EXPECTED}") from None
    except (ValueError, TypeError, RecursionError, MemoryError):
        raise InputError(where, f"is no layout: {EXPECTED}") from None
    return value


def _refuse_double_keys(tree: ast.AST, where: str, blank: int) -> None:
    """Raise InputError for a key that a dictionary has twice; `blank` lines are before the tree."""
    for node in ast.walk(tree):
        keys = node.keys if isinstance(node, ast.Dict) else []
        seen: set[object] = set()
        for key in keys:
            if isinstance(key, ast.Constant):
                if key.value in seen:
                    line = key.lineno + blank
                    raise InputError(
                        where, f"{key.value!s}: is given twice, expected once (line {line})"
                    )
                seen.add(key.value)


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


FOLDER = Path(__file__).parent.parent / "layouts"
SUFFIX = ".layout"

POINTS = 20
TIME = 20
BONUS = 2

MOST_BYTES = 2**16
"""Greatest size of a layout's file."""

MOST_NAMED = 8
"""Greatest number of ignored keys that are named."""

OTHER_WORLDS: Mapping[str, str] = {
    "I": "dispensers of ingredients",
    "C": "chopping boards",
    "B": "blenders",
}
"""Letters of grids of Collab-Overcooked."""

Number = Annotated[int, Field(ge=1, le=10_000)]


def _rows_of(grid: object) -> object:
    """Return the rows of a grid that is one text, without the spaces around each.

    Raise ValueError if this cuts floor at the border off.
    """
    if not isinstance(grid, str):
        return grid
    rows = [row.strip() for row in grid.strip().split("\n")]
    widest = max(map(len, rows))
    for number, row in enumerate(rows):
        if len(row) < widest and "\t" not in row:
            raise ValueError(
                f"row {number} has {len(row)} columns and another row has {widest}; spaces at the "
                "ends of a row do not count, so the border may be open there: close it, such as "
                "with X"
            )
    return rows


class OvercookedLayout(FileModel):
    """The content of a layout's file. Other keys are ignored, as the original does."""

    model_config = ConfigDict(extra="allow")

    grid: Annotated[
        list[Annotated[str, Field(max_length=30)]],
        BeforeValidator(_rows_of),
        Field(min_length=3, max_length=30),
    ]
    """The grid as one text; the digits are the starts of the cooks."""
    start_all_orders: Annotated[list[SoupOrder], Field(max_length=9)] = Field(default_factory=list)
    """The orders, which are never used up; if empty, every soup that can be delivered."""
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
    start_order_list: Any = None
    """None; older files have it."""
    old_dynamics: bool | None = None
    """True for the dynamics of the papers; the dynamics that are played have to be the same."""
    rew_shaping_params: Any = None
    """Not used: these rewards are a matter of training."""

    @model_validator(mode="after")
    def _check_grid(self) -> OvercookedLayout:
        grid = Grid.of_rows(self.grid)
        letters = grid.solid
        if strange := sorted(set(letters.values()) - set(LETTERS)):
            others = [letter for letter in strange if letter in OTHER_WORLDS]
            hint = (
                "; with I, C or B it is a grid of collab-overcooked, which reads it as own_layout "
                "of a YAML file"
            )
            raise ValueError(
                f"grid: {strange[0]!r} is none of {', '.join(LETTERS)}{hint if others else ''}"
            )
        for missing in ({"D"}, {"S"}, {"P"}, {"O", "T"}):
            if missing.isdisjoint(letters.values()):
                raise ValueError(f"grid: expected at least one {' or '.join(sorted(missing))}")
        for cell, letter in letters.items():
            if letter == "G" and grid.at_border(cell):
                raise ValueError("grid: expected no gate at the border")
        return self

    @model_validator(mode="after")
    def _check_keys(self) -> OvercookedLayout:
        if self.start_order_list is not None:
            raise ValueError(
                "start_order_list: orders are never used up here, so name each one once in "
                "start_all_orders"
            )
        if "p_slip" in self.ignored:
            raise ValueError(
                "p_slip: cooks never slip here, and W is a wall; leave the key out, and write "
                "floor or counters where there are puddles"
            )
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
        start.check_places(Grid.of_rows(self.grid))
        return self

    @property
    def ignored(self) -> list[str]:
        """The keys that are ignored."""
        return sorted(self.model_extra or ())

    def remarks(self, kitchen: OvercookedKitchen) -> Iterator[str]:
        """Yield a sentence for each thing in which the layout may not be what its author means."""
        if self.ignored:
            names = [name if len(name) <= 40 else f"{name[:40]}..." for name in self.ignored]
            more = ["others"] if len(names) > MOST_NAMED else []
            named = ", ".join([*names[:MOST_NAMED], *more])
            yield f"keys that have no meaning in a layout are ignored: {named}"
        if kitchen.places[WALL] and not kitchen.gates:
            yield "W is a wall here, on which nobody walks; write floor for a puddle"
        yield from orders_not_served(kitchen)

    def recipes(self, given: Collection[Ingredients]) -> tuple[SoupRecipe, ...]:
        """Return what is known of each soup that a pot can hold; only those `given` have points."""
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
            if soup not in given:
                points = 0
            elif soup in bonus:
                points *= self.order_bonus
            found.append(SoupRecipe(soup, points, time, soup in bonus))
        return tuple(found)

    def kitchen(self, dynamics: Dynamics, where: str = "layout") -> OvercookedKitchen:
        """Return the kitchen of the layout with one of the dynamics.

        If the layout names no orders, every soup is ordered that can be delivered in the kitchen.
        Raise InputError, which names `where`, for an order that these dynamics cannot cook.
        """
        grid = Grid.of_rows(self.grid)
        possible = possible_soups(dynamics)
        self._check_dynamics(dynamics, possible, where)
        named = [order.soup for order in self.start_all_orders]
        recipes = self.recipes(named or possible)
        kitchen = OvercookedKitchen(grid, dynamics, recipes, self._opening_scene(grid))
        if not named and (served := list_served_orders(kitchen)):
            given = [recipe.ingredients for recipe in served]
            kitchen = replace(kitchen, recipes=self.recipes(given))
        return kitchen

    def _check_dynamics(
        self, dynamics: Dynamics, possible: Collection[Ingredients], where: str
    ) -> None:
        old = self.old_dynamics
        if old is not None and old != (dynamics == "papers"):
            raise InputError(
                where,
                f"old_dynamics: {old} are the dynamics {'papers' if old else 'current'}; choose "
                f"these dynamics, or leave the key out to play with {dynamics}",
            )
        for field in ("start_all_orders", "start_bonus_orders"):
            for order in getattr(self, field):
                if order.soup not in possible:
                    soup = " and ".join(count_ingredients(order.soup))
                    raise InputError(
                        where,
                        f"{field}: with the dynamics {dynamics} a pot starts at {CAPACITY} "
                        f"ingredients, so a soup of {soup} is never "
                        f"cooked; order soups of {CAPACITY}, or choose the dynamics current",
                    )

    def _opening_scene(self, grid: Grid) -> Scene:
        gates = {cell: GateState() for cell, letter in grid.solid.items() if letter == "G"}
        start = self.start_state
        if start is None:
            return Scene(place_cooks(grid), {}, {}, gates)
        times = {recipe.ingredients: recipe.time for recipe in self.recipes(())}
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


def _sum(soup: Ingredients, onion: int | None, tomato: int | None) -> int:
    return soup.count("onion") * (onion or 0) + soup.count("tomato") * (tomato or 0)


def parse_layout(text: str, where: str) -> OvercookedLayout:
    """Return the layout of a text. Raise InputError, which names the origin `where`."""
    return validate(OvercookedLayout, parse_literals(text, where), where)


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
    if name.endswith(SUFFIX) or is_yaml(name):
        own = "give a file of yours with --layout, or put its text into own_layout"
        raise MissingError(f"layout: {name!r} does not come with CookMAS; {own}")
    if name not in known:
        raise MissingError(f"there is no layout {name!r}; the layouts are {', '.join(known)}")
    return read_layout(known[name]).kitchen(dynamics, name)
