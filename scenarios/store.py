"""The recipe store: the database in which the orchestrator looks recipes up."""

from __future__ import annotations

import asyncio

from scenarios.menu import Menu


class MenuStore:
    """The embedded store: the recipe files of a menu."""

    def __init__(self, menu: Menu) -> None:
        self._menu = menu

    async def recipe(self, item: str) -> str:
        """Return the prose in the item's file."""
        return await asyncio.to_thread(self._menu.recipe, item)
