"""The recipes and the menu of a kitchen in Redis, where users can edit them at any time.

NAME is the name of the kitchen. The hash `cookmas:NAME:recipes` has the recipe of each item.
`cookmas:NAME:menu` has the content of `menu.yaml` as text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

from cookmas.files.errors import InputError, MissingError
from cookmas.files.lines import repair_utf8
from cookmas.files.writing import make_folder, sync
from cookmas.mailboxes.redis.address import connect
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.records import keys_of

T = TypeVar("T")


class RedisRecipes:
    """The recipes and the menu of one kitchen in Redis."""

    def __init__(self, link: RedisLink, kitchen: str) -> None:
        self._link = link
        self._recipes, self._menu = keys_of(kitchen, "recipes", "menu")

    async def push(self, recipes: Mapping[str, str], menu: str | None = None) -> None:
        """Replace the menu and all recipes in Redis by the given ones.

        If `menu` is None, only the given recipes are replaced; the menu and all other recipes stay.
        """
        turns = [word for pair in recipes.items() for word in pair]
        only = "1" if menu is None else "0"
        await self._link.evaluate(_push(), [self._recipes, self._menu], only, menu or "", *turns)

    async def all(self) -> dict[str, str]:
        """Return all recipes by item, in the alphabetical order of the items."""
        found = await self._link.run(lambda redis: redis.hgetall(self._recipes))
        return {
            repair_utf8(str(item)): repair_utf8(str(text)) for item, text in sorted(found.items())
        }

    async def menu(self) -> str | None:
        """Return the content of `menu.yaml` as text; None if Redis has no menu."""
        text = await self._link.run(lambda redis: redis.get(self._menu))
        return None if text is None else repair_utf8(str(text))

    def look_up_first(
        self, otherwise: Callable[[str], Awaitable[str]]
    ) -> Callable[[str], Awaitable[str]]:
        """Return a function that looks a recipe up in Redis.

        If Redis has no such recipe, the function calls `otherwise`.
        """

        async def look_up(item: str) -> str:
            text = await self._link.run(lambda redis: redis.hget(self._recipes, item))
            return repair_utf8(str(text)) if text is not None else await otherwise(item)

        return look_up


async def write_menu(store: RedisRecipes, folder: Path) -> int:
    """Write the menu and the recipes of a kitchen into a folder; return the number of recipes.

    Recipes that are already in the folder are removed. Raises MissingError if the kitchen has no
    menu, and InputError if an item's name cannot be the name of a file.
    """
    texts, menu = await store.all(), await store.menu()
    if menu is None:
        raise MissingError("there is no menu in Redis; 'cookmas recipes push' puts one there")
    for item in texts:
        if item.startswith(".") or not item.isprintable() or "/" in item or "\\" in item:
            raise InputError(f"recipe {item[:60]!r}", "could be no file's name")
    make_folder(folder / "recipes")
    for old in (folder / "recipes").glob("*.txt"):
        old.unlink()
    recipes = {folder / "recipes" / f"{item}.txt": text for item, text in texts.items()}
    for path, text in {folder / "menu.yaml": menu, **recipes}.items():
        path.write_text(text, encoding="utf-8")
        sync(path)
    for within in (folder / "recipes", folder, folder.parent):
        sync(within)
    return len(texts)


@cache
def _push() -> str:
    return Path(__file__).with_suffix(".lua").read_text(encoding="utf-8")


async def with_recipes(address: str, work: Callable[[RedisRecipes], Awaitable[T]]) -> T:
    """Call `work` with the recipes of the kitchen at an address, and return its result."""
    async with connect(address) as (link, kitchen):
        return await work(RedisRecipes(link, kitchen))


async def pull_menu(address: str, folder: Path) -> Path | None:
    """Copy the menu of a kitchen in Redis, with its recipes, into a folder.

    Returns the folder, or None if Redis has no menu.
    """

    async def pull(store: RedisRecipes) -> Path | None:
        if await store.menu() is None:
            return None
        await write_menu(store, folder)
        return folder

    return await with_recipes(address, pull)
