"""The menu and the recipes of a restaurant in Redis."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cookmas.mailboxes.redis.address import connect

if TYPE_CHECKING:
    from cookmas.scenarios.redis_recipes import RedisRecipes

T = TypeVar("T")


async def with_recipes(address: str, work: Callable[[RedisRecipes], Awaitable[T]]) -> T:
    """Call `work` with the recipes of the kitchen at an address, and return its result."""
    async with connect(address) as (link, kitchen):
        from cookmas.scenarios.redis_recipes import RedisRecipes

        return await work(RedisRecipes(link, kitchen))


async def pull_menu(address: str, folder: Path) -> Path | None:
    """Copy the menu of a kitchen in Redis, with its recipes, into a folder.

    Returns the folder, or None if Redis has no menu.
    """
    from cookmas.scenarios.redis_recipes import write_menu

    async def pull(store: RedisRecipes) -> Path | None:
        if await store.menu() is None:
            return None
        await write_menu(store, folder)
        return folder

    return await with_recipes(address, pull)
