"""Recipe stores: the database in which the orchestrator looks recipes up."""

from __future__ import annotations

from typing import Protocol

from episodes.files import read_text
from scenarios.menu import Menu


class RecipeStore(Protocol):
    """Where recipes are kept as prose."""

    async def recipe(self, item: str) -> str:
        """The recipe of a menu item. Raises MissingError if there is none."""
        ...


class MenuStore:
    """The embedded store: the recipe files of a menu."""

    def __init__(self, menu: Menu) -> None:
        self._menu = menu

    async def recipe(self, item: str) -> str:
        """The prose in the item's file."""
        return read_text(self._menu.recipe_file(item))
