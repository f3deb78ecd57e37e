"""The recipe store: the database in which the orchestrator looks recipes up."""

from __future__ import annotations

import asyncio

from episodes.files import read_text
from scenarios.menu import Menu


class MenuStore:
    """The embedded store: the recipe files of a menu."""

    def __init__(self, menu: Menu) -> None:
        self._menu = menu

    async def recipe(self, item: str) -> str:
        """The prose in the item's file."""
        return await asyncio.to_thread(read_text, self._menu.recipe_file(item))
