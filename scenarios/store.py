"""The recipe store: the database in which the orchestrator looks recipes up."""

from __future__ import annotations

import asyncio

from scenarios.menu import Menu


class MenuStore:
    """The embedded recipe store: the recipe files of a menu."""

    def __init__(self, menu: Menu) -> None:
        self._menu = menu

    async def recipe(self, item: str) -> str:
        """Return the recipe of an item. Raises MissingError or InputError."""
        return await asyncio.to_thread(self._menu.recipe, item)
