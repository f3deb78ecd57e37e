"""The commands `cookmas recipes push`, `pull` and `list`, for the menu of a kitchen in Redis."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from cookmas.files.printing import tell
from cookmas.orchestrator.options import ADDRESS, REDIS

if TYPE_CHECKING:
    from cookmas.scenarios.redis_recipes import RedisRecipes

T = TypeVar("T")

app = typer.Typer(no_args_is_help=True, help="The recipes of a kitchen in Redis.")

Redis = Annotated[str | None, typer.Option("--redis", envvar=ADDRESS, help=REDIS)]

Menu = Annotated[
    Path | None, typer.Option("--menu", help="A menu's folder. [default: the shipped menu]")
]


@app.command("push")
def push(
    items: Annotated[
        list[str] | None, typer.Argument(help="Only these recipes; the menu stays as it is.")
    ] = None,
    menu: Menu = None,
    redis: Redis = None,
) -> None:
    """Copy recipes from a folder into Redis; the next look-up uses them."""
    from cookmas.files.reading import read_text
    from cookmas.scenarios.menu import SHIPPED_MENU, load_menu

    found = load_menu(menu or SHIPPED_MENU)
    texts = {item: found.recipe(item) for item in items or found.items}
    whole = None if items else read_text(found.folder / "menu.yaml")
    _use_recipes(redis, lambda store: store.push(texts, whole))
    tell(f"{len(texts)} recipes are in Redis.")


@app.command("pull")
def pull(
    folder: Annotated[Path, typer.Argument(help="The folder; its recipes are replaced.")],
    redis: Redis = None,
) -> None:
    """Copy the menu and the recipes from Redis into a folder."""
    from cookmas.scenarios.redis_recipes import write_menu

    count = _use_recipes(redis, lambda store: write_menu(store, folder))
    tell(f"{count} recipes are in {folder}.")


@app.command("list")
def list_recipes(redis: Redis = None) -> None:
    """List the recipes in Redis, with the first words of each."""
    for item, text in _use_recipes(redis, lambda store: store.all()).items():
        tell(f"{item:26} {' '.join(text.split())[:70]}")


def _use_recipes(redis: str | None, work: Callable[[RedisRecipes], Awaitable[T]]) -> T:
    import asyncio

    from cookmas.files.errors import InputError
    from cookmas.scenarios.redis_recipes import with_recipes

    if redis is None:
        raise InputError("--redis", "expected an address: redis://HOST:PORT/0#NAME")
    return asyncio.run(with_recipes(redis, work))
