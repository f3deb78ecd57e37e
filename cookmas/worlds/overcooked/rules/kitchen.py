"""The kitchen, and the scene in it.

The kitchen does not change: its grid, its places, the recipes, and the rules of its pots. There are
two dynamics. With `papers` a pot starts by itself at three ingredients. With `current` a cook
starts it by an interaction with empty hands, at one ingredient or more.

The scene has what changes: the cooks, counters, pots and gates. All values are immutable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Literal, NamedTuple, get_args

from cookmas.worlds.grids.grid import Cell, Grid
from cookmas.worlds.grids.hands import Cook
from cookmas.worlds.grids.walking import Body, list_moves

Ingredients = tuple[str, ...]
"""The ingredients of a soup, in alphabetical order."""


def count_ingredients(ingredients: Ingredients) -> list[str]:
    """Return the ingredients in words, such as `2 onions` and `1 tomato`."""
    forms = {"onion": "onions", "tomato": "tomatoes"}
    counts = {name: ingredients.count(name) for name in dict.fromkeys(ingredients)}
    return [f"{count} {name if count == 1 else forms[name]}" for name, count in counts.items()]


ItemKind = Literal["onion", "tomato", "dish", "soup"]
"""The kinds of items; a soup is always on a dish, and ready."""


class KitchenItem(NamedTuple):
    """Something that a cook holds or that lies on a counter."""

    kind: ItemKind
    ingredients: Ingredients = ()
    """The ingredients of a soup; empty for other kinds."""


class PotContent(NamedTuple):
    """What is in a pot that is not empty."""

    ingredients: Ingredients
    """The ingredients that were put in, in alphabetical order."""
    ticks: int = -1
    """Timesteps for which it has cooked, at most its recipe's time; -1 before it cooks."""


class GateState(NamedTuple):
    """The state of a gate."""

    open: bool = False
    """Whether cooks can enter it."""
    ticks: int = 0
    """Timesteps since it was opened in which nobody stood on it; 0 if it is closed."""


def open_gates(gates: Mapping[Cell, GateState]) -> frozenset[Cell]:
    """Return the gates that are open."""
    return frozenset([cell for cell, gate in gates.items() if gate.open]) if gates else frozenset()


class Scene(NamedTuple):
    """The cooks, and where all things are."""

    cooks: tuple[Cook[KitchenItem], ...]
    """The cooks by number."""
    counters: Mapping[Cell, KitchenItem]
    """The items on counters."""
    pots: Mapping[Cell, PotContent]
    """The contents of the pots that are not empty."""
    gates: Mapping[Cell, GateState]
    """The states of all gates."""


Dynamics = Literal["papers", "current"]

COUNTER = "counter"
DISHES = "dish_dispenser"
GATE = "gate"
ONIONS = "onion_dispenser"
POT = "pot"
SERVING = "serving"
TOMATOES = "tomato_dispenser"
WALL = "wall"

LETTERS: Mapping[str, str] = {
    "X": COUNTER,
    "D": DISHES,
    "G": GATE,
    "O": ONIONS,
    "P": POT,
    "S": SERVING,
    "T": TOMATOES,
    "W": WALL,
}
"""The meaning of the letters of a grid."""

GIVEN: Mapping[str, ItemKind] = {ONIONS: "onion", TOMATOES: "tomato", DISHES: "dish"}
"""What each kind of dispenser gives."""

CAPACITY = 3
"""Greatest number of ingredients in a pot."""

GATE_TICKS = 10
"""Number of timesteps after its opening in which a gate can be entered."""

MOVES: Mapping[str, str] = {"north": "N", "south": "S", "east": "E", "west": "W"}
"""The moves of a cook, each with the letter of its direction."""

INTERACT = "interact"
STAY = "stay"
ACTS = (*MOVES, STAY, INTERACT)
"""All low-level acts of a cook."""


def timesteps_open(gate: GateState) -> int:
    """Return in how many timesteps, from the next one on, an open gate can still be entered."""
    return GATE_TICKS + 1 - gate.ticks


class SoupRecipe(NamedTuple):
    """What a kitchen knows of a soup."""

    ingredients: Ingredients
    """Its ingredients."""
    points: int
    """Points of its delivery; 0 if it is not ordered."""
    time: int
    """Timesteps for which it cooks."""
    bonus: bool = False
    """Whether its points are multiplied by the bonus of the kitchen."""


def list_soups() -> tuple[Ingredients, ...]:
    """Return all soups that a pot can hold."""
    return tuple(
        soup
        for size in range(1, CAPACITY + 1)
        for soup in combinations_with_replacement(("onion", "tomato"), size)
    )


def possible_soups(dynamics: Dynamics) -> tuple[Ingredients, ...]:
    """Return the soups that can be cooked: where pots start by themselves, only of full pots."""
    soups = list_soups()
    if dynamics == "papers":
        return tuple(soup for soup in soups if len(soup) == CAPACITY)
    return soups


@dataclass(frozen=True)
class OvercookedKitchen:
    """A grid with its places, the recipes, and the rules of its pots."""

    grid: Grid
    """The grid, on which gates are closed."""
    dynamics: Dynamics
    """Which rules start a pot."""
    recipes: tuple[SoupRecipe, ...]
    """What is known of each soup that a pot can hold."""
    opening: Scene
    """The scene before the first timestep."""

    def __post_init__(self) -> None:
        assert self.dynamics in get_args(Dynamics)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.grid, self.dynamics, self.recipes))

    @cached_property
    def starts_by_itself(self) -> bool:
        """Whether a full pot starts without an interaction."""
        return self.dynamics == "papers"

    @cached_property
    def kinds(self) -> Mapping[Cell, str]:
        """The kind of each cell except floor, row by row."""
        return {cell: LETTERS[letter] for cell, letter in self.grid.solid.items()}

    @cached_property
    def places(self) -> Mapping[str, tuple[Cell, ...]]:
        """The cells of each kind, row by row."""
        found: dict[str, tuple[Cell, ...]] = dict.fromkeys(LETTERS.values(), ())
        for cell, kind in self.kinds.items():
            found[kind] = (*found[kind], cell)
        return found

    @cached_property
    def numbers(self) -> Mapping[Cell, int]:
        """The number of each cell among those of its kind, from 0."""
        return {cell: number for cells in self.places.values() for number, cell in enumerate(cells)}

    @property
    def pots(self) -> tuple[Cell, ...]:
        """The pots by number."""
        return self.places[POT]

    @property
    def gates(self) -> tuple[Cell, ...]:
        """The gates by number."""
        return self.places[GATE]

    @cached_property
    def cooks(self) -> int:
        """Number of cooks."""
        return len(self.grid.starts)

    @cached_property
    def points(self) -> Mapping[Ingredients, int]:
        """The points of the delivery of each soup."""
        return {recipe.ingredients: recipe.points for recipe in self.recipes}

    @cached_property
    def times(self) -> Mapping[Ingredients, int]:
        """The timesteps for which each soup cooks."""
        return {recipe.ingredients: recipe.time for recipe in self.recipes}

    @cached_property
    def ordered(self) -> tuple[SoupRecipe, ...]:
        """The recipes that can be delivered for points."""
        return tuple(recipe for recipe in self.recipes if recipe.points)

    def is_ready(self, soup: Ingredients, ticks: int) -> bool:
        """Return whether a soup has cooked long enough; `ticks` is -1 before it cooks."""
        return ticks >= 0 and ticks >= self.times[soup]

    @cached_property
    def _opened(self) -> dict[frozenset[Cell], Grid]:
        return {}

    def grid_with(self, opened: frozenset[Cell]) -> Grid:
        """Return the grid on which some gates are open: floor as any other."""
        if not opened:
            return self.grid
        found = self._opened.get(opened)
        if found is None:
            rows = tuple(
                "".join(" " if (x, y) in opened else letter for x, letter in enumerate(row))
                for y, row in enumerate(self.grid.rows)
            )
            found = self._opened[opened] = Grid(rows)
        return found

    @cached_property
    def open_grid(self) -> Grid:
        """The grid on which all gates are open."""
        return self.grid_with(frozenset(self.gates))

    @cached_property
    def _walks(self) -> dict[frozenset[Cell], dict[tuple[Body, str], Body]]:
        return {}

    def walks(self, opened: frozenset[Cell]) -> Mapping[tuple[Body, str], Body]:
        """Return where each act leads each body, as if it were alone, while some gates are open."""
        found = self._walks.get(opened)
        if found is None:
            moves = list_moves(self.grid_with(opened))
            bodies = {body for body, _ in moves}
            found = {(body, act): body for body in bodies for act in (STAY, INTERACT)}
            found |= {(body, act): moves[body, MOVES[act]] for body in bodies for act in MOVES}
            self._walks[opened] = found
        return found
