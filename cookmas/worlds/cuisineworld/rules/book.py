"""The book of levels and recipes, which is read from `book.yaml` and checked.

A level is a kitchen with its dishes.

A recipe in words has one sentence for each cooking step, the dish last.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, model_validator

from cookmas.files.errors import InputError, MissingError
from cookmas.files.yaml_text import load_shipped_yaml
from cookmas.worlds.cuisineworld.rules.kitchen import (
    MOST_AGENTS,
    STORAGE,
    TABLE,
    TAUS,
    CuisineKitchen,
    Recipe,
    Tool,
    interval_of,
    lifetime_of,
    parts_of_recipes,
    steps_of,
    work,
)

_STEP = re.compile(r"Put ([^.]+?) into the (\w+) and activate it: this becomes (\w+)\.")
_BETWEEN = re.compile(r", | and ")


def recipe_text(dish: str, recipes: Mapping[str, Recipe]) -> str:
    """Return the recipe of a dish in words: one sentence for each cooking step, in order."""
    steps = dict.fromkeys(steps_of(dish, recipes))
    sentences = [
        f"Put {_list(step.inputs)} into the {step.tool} and activate it: "
        f"this becomes {step.product}."
        for step in steps
    ]
    return " ".join([*sentences, f"Bring {dish} to the serving table."])


def _list(items: tuple[str, ...]) -> str:
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


def read_recipe(text: str) -> list[Recipe]:
    """Return the cooking steps in a text that `recipe_text` wrote; ignore other sentences."""
    return [
        Recipe(match[3], match[2], tuple(_BETWEEN.split(match[1].strip())))
        for match in _STEP.finditer(text)
    ]


MOST_STEPS = 200
"""Greatest number of cooking steps of a dish."""

_FIXED = ConfigDict(extra="forbid", frozen=True)


class ToolEntry(BaseModel):
    """A kind of tool in the book's file."""

    model_config = _FIXED
    capacity: int = Field(ge=1)
    """Greatest number of items that the tool holds."""
    wait: int = Field(ge=0)
    """Timesteps for which cooking occupies the tool."""


class LevelEntry(BaseModel):
    """A level in the book's file."""

    model_config = _FIXED
    places: list[str] = Field(min_length=1)
    """The kind of each place, such as `pot`."""
    dishes: list[str] = Field(min_length=1)
    """The dishes, in the order that the random draws of orders use."""


class TaskBook(BaseModel):
    """The content of the book's file."""

    model_config = _FIXED
    tools: dict[str, ToolEntry]
    """The kinds of tool by name."""
    ingredients: list[str]
    """The items that storage gives."""
    recipes: dict[str, dict[str, list[str]]]
    """For each product, a mapping with one entry: its kind of tool and its items."""
    levels: dict[str, LevelEntry]
    """The levels by name."""

    def list_recipes(self) -> dict[str, Recipe]:
        """Return the recipe of each product, by the product."""
        return {
            product: Recipe(product, tool, tuple(inputs))
            for product, recipe in self.recipes.items()
            for tool, inputs in recipe.items()
        }

    @model_validator(mode="after")
    def _check(self) -> TaskBook:
        known = {*self.ingredients, *self.recipes}
        for product, recipe in self.recipes.items():
            if len(recipe) != 1:
                raise ValueError(f"recipe {product}: name one tool, not {len(recipe)}")
            ((tool, inputs),) = recipe.items()
            if tool not in self.tools:
                raise ValueError(f"recipe {product}: there is no tool {tool!r}")
            if not 0 < len(inputs) <= self.tools[tool].capacity:
                raise ValueError(f"recipe {product}: {len(inputs)} items for a {tool}")
            if strange := [item for item in inputs if item not in known]:
                raise ValueError(f"recipe {product}: nothing makes {strange[0]!r}")
            if len(set(inputs)) < len(inputs):
                raise ValueError(f"recipe {product}: a tool takes each item once")
        for name in known:
            if "_" in name:
                raise ValueError(
                    f"{name!r}: a name cannot have '_', which separates the words of commands"
                )
        for product in self.recipes:
            if product in _items_of(product, self.recipes):
                raise ValueError(f"recipe {product}: needs itself")
        sizes: dict[str, int] = {}
        for product in self.recipes:
            if _steps(product, self.recipes, sizes) > MOST_STEPS:
                raise ValueError(f"recipe {product}: needs more than {MOST_STEPS} steps")
        for name, level in self.levels.items():
            kinds = {*self.tools, STORAGE, TABLE}
            if strange := [place for place in level.places if place not in kinds]:
                raise ValueError(f"{name}: there is no kind of place {strange[0]!r}")
            if [level.places.count(place) for place in (STORAGE, TABLE)] != [1, 1]:
                raise ValueError(f"{name}: one storage and one serving table are needed")
            if strange := [dish for dish in level.dishes if dish not in self.recipes]:
                raise ValueError(f"{name}: there is no recipe for {strange[0]!r}")
            if len(set(level.dishes)) < len(level.dishes):
                raise ValueError(f"{name}: name each dish once")
        return self


def _items_of(product: str, recipes: Mapping[str, Mapping[str, list[str]]]) -> set[str]:
    """Return all items that go into a product, directly or indirectly."""
    needed: set[str] = set()
    left = [product]
    while left:
        for inputs in recipes.get(left.pop(), {}).values():
            left += [item for item in inputs if item not in needed]
            needed.update(inputs)
    return needed


def _steps(
    product: str, recipes: Mapping[str, Mapping[str, list[str]]], known: dict[str, int]
) -> int:
    """Return the number of cooking steps of a product; a step that is needed twice counts twice.

    `known` keeps the numbers that are already computed.
    """
    if product not in known:
        parts = [item for inputs in recipes.get(product, {}).values() for item in inputs]
        own = int(product in recipes)
        known[product] = own + sum(_steps(item, recipes, known) for item in parts)
    return known[product]


@cache
def book() -> TaskBook:
    """Return the book that comes with CookMAS."""
    return TaskBook.model_validate(load_shipped_yaml(Path(__file__).with_suffix(".yaml")))


def levels() -> tuple[str, ...]:
    """Return the names of all levels, the original thirteen first."""
    return tuple(book().levels)


ORIGINAL_LEVELS = tuple(f"level_{number}" for number in range(13))
"""The levels of the paper. `level_12` has no fryer, so its frenchFries cannot be served."""


@cache
def build_kitchen(level: str, tau: str, agents: int) -> CuisineKitchen:
    """Return the kitchen of a level in the book that comes with CookMAS.

    Raise MissingError if there is no such level, InputError if `tau` or `agents` is invalid.
    """
    if level not in book().levels:
        raise MissingError(f"there is no level {level!r}; the levels are {', '.join(levels())}")
    return kitchen_in(book(), level, tau, agents)


def kitchen_in(source: TaskBook, level: str, tau: str, agents: int) -> CuisineKitchen:
    """Return the kitchen of a level in the book `source`.

    Raise InputError if `tau` or `agents` is invalid.
    """
    if tau not in TAUS:
        raise InputError("tau", f"{tau!r} is none of {', '.join(TAUS)}")
    if not 1 <= agents <= MOST_AGENTS:
        raise InputError("agents", f"{agents} is not between 1 and {MOST_AGENTS}")
    entry = source.levels[level]
    every = source.list_recipes()
    tools = {name: Tool(tool.capacity, tool.wait) for name, tool in source.tools.items()}
    works = {dish: work(dish, every, tools) for dish in entry.dishes}
    recipes = {step.product: step for dish in entry.dishes for step in steps_of(dish, every)}
    places: dict[str, str] = {}
    for kind in entry.places:
        places[f"{kind}{sum(its == kind for its in places.values())}"] = kind
    by_kind: dict[str, tuple[str, ...]] = {}
    for place, kind in places.items():
        by_kind[kind] = (*by_kind.get(kind, ()), place)
    return CuisineKitchen(
        level=level,
        tau=tau,
        agents=agents,
        places=places,
        tools=tools,
        dishes=tuple(entry.dishes),
        recipes=recipes,
        ingredients=frozenset(source.ingredients),
        interval=interval_of(list(works.values()), tau),
        lifetimes={dish: lifetime_of(each, tau) for dish, each in works.items()},
        table=f"{TABLE}0",
        storage=f"{STORAGE}0",
        cooking={kind: parts_of_recipes(recipes, kind) for kind in tools if kind in by_kind},
        servable=tuple(
            dish
            for dish in entry.dishes
            if all(step.tool in by_kind for step in steps_of(dish, every))
        ),
        by_kind=by_kind,
    )
