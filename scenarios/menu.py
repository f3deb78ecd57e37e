"""The public menu: the ingredients, the doneness table, and the menu items with their recipes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from cookmas.files.errors import InputError, MissingError, NotationError
from cookmas.files.reading import FileModel, read_model, read_text, until_changed
from cookmas.kitchen.actions import Pick, parse_action
from cookmas.kitchen.components import MOST_MINUTES, Doneness, DonenessTable
from cookmas.kitchen.layout import KIND_OF_PROCESS, PLATE_NAME

SHIPPED_MENU = Path(__file__).parent / "menu"
"""The folder of the menu that comes with CookMAS."""

MOST_INGREDIENTS = 1000
"""Maximum number of ingredients in each kind of dispenser."""

LONGEST_RECIPE = 20_000
"""Maximum size of a recipe, in bytes."""

Minutes = Annotated[int, Field(ge=1, le=MOST_MINUTES)]
Level = Annotated[list[Minutes], Field(min_length=2, max_length=2)]
Name = Annotated[str, Field(max_length=60, pattern=r"^[^+>()\[\];,]+$")]


class _MenuFile(FileModel):
    ingredients: dict[
        Literal["pantry", "fridge"], Annotated[list[Name], Field(max_length=MOST_INGREDIENTS)]
    ]
    doneness: dict[Name, dict[Name, dict[Name, Level | Minutes]]]


@dataclass(frozen=True, kw_only=True)
class Menu:
    """The menu items of a kitchen and its ingredients, without the truth about the dishes."""

    folder: Path
    """The folder with `menu.yaml` and the recipes, `recipes/<item>.txt`."""
    larder: Mapping[str, str]
    """For each ingredient, the kind of dispenser that has it: `pantry` or `fridge`."""
    doneness: DonenessTable
    """The minutes of each level of doneness."""
    items: tuple[str, ...]
    """The names of the menu items, sorted."""

    def recipe_file(self, item: str) -> Path:
        """Return the file of an item's recipe.

        Raises MissingError if the item is not on the menu.
        """
        if item not in self.items:
            raise MissingError(f"{item!r} is not on the menu in {self.folder}")
        return self.folder / "recipes" / f"{item}.txt"

    def recipe(self, item: str) -> str:
        """Return the recipe of an item.

        Raises MissingError if the item is not on the menu, and InputError if the file is too long
        or is not text.
        """
        return recipe_in(self.recipe_file(item))


def recipe_in(path: Path) -> str:
    """Return the recipe in a file. Raises MissingError or InputError."""
    return read_text(path, LONGEST_RECIPE)


def load_menu(folder: Path = SHIPPED_MENU) -> Menu:
    """Load the menu in a folder: `menu.yaml` and `recipes/*.txt`.

    Raises MissingError or InputError.
    """
    return _load(folder)


@until_changed
def _load(folder: Path) -> Menu:
    path = folder / "menu.yaml"
    file = read_model(_MenuFile, path)
    larder: dict[str, str] = {}
    for dispenser, foods in file.ingredients.items():
        for food in foods:
            if food in larder:
                raise InputError(f"{path}", f"ingredients: {food!r} is listed twice")
            if not _can_be_picked(food):
                raise InputError(
                    f"{path}", f"ingredients: {food!r} cannot be picked, expected another name"
                )
            larder[food] = dispenser
    table: dict[tuple[str, str], Doneness] = {}
    for food, processes in file.doneness.items():
        for process, levels in processes.items():
            where = f"doneness.{food}.{process}"
            table[food, process] = _parse_doneness(levels, f"{path}", where)
            if food not in larder:
                raise InputError(f"{path}", f"{where}: {food!r} is no ingredient")
            if process not in KIND_OF_PROCESS:
                known = ", ".join(KIND_OF_PROCESS)
                raise InputError(f"{path}", f"{where}: no such process; expected one of {known}")
    items = tuple(sorted(recipe.stem for recipe in (folder / "recipes").glob("*.txt")))
    return Menu(folder=folder, larder=larder, doneness=table, items=items)


def _can_be_picked(food: str) -> bool:
    """Return whether `pick(food)` is read as an action on an ingredient of this name."""
    try:
        named = food.isprintable() and food != PLATE_NAME
        return named and parse_action(f"pick({food})") == Pick(food)
    except NotationError:
        return False


def _parse_doneness(levels: Mapping[str, list[int] | int], path: str, where: str) -> Doneness:
    burnt = levels.get("burnt")
    if not isinstance(burnt, int):
        raise InputError(path, f"{where}.burnt: expected the minutes from which it is burnt")
    windows: dict[str, tuple[int, int]] = {}
    for level, window in levels.items():
        if level == "burnt":
            continue
        if isinstance(window, int) or window[0] > window[1] or window[1] >= burnt:
            raise InputError(path, f"{where}.{level}: expected [from, to] minutes, before burnt")
        windows[level] = (window[0], window[1])
    return Doneness(windows, burnt)


class MenuStore:
    """The recipe store, in which the orchestrator looks up the recipes of a menu.

    It reads each recipe once. If a file changes, `load_menu` returns another menu.
    """

    def __init__(self, menu: Menu) -> None:
        self._menu = menu
        self._texts: dict[str, str] = {}

    async def recipe(self, item: str) -> str:
        """Return the prose in the item's file."""
        import asyncio

        if item not in self._texts:
            self._texts[item] = await asyncio.to_thread(self._menu.recipe, item)
        return self._texts[item]
