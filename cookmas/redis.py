"""Kitchens, recipes and workers over a Redis server, by their address."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from episodes.envelope import HOUSE, read_envelope
from episodes.errors import InputError, MissingError
from episodes.redis_address import need_redis, parted

if TYPE_CHECKING:
    from episodes.redis_letterbox import RedisLetterbox
    from episodes.redis_link import RedisLink
    from episodes.redis_texts import RedisTexts

T = TypeVar("T")


def redis_letterbox(address: str) -> RedisLetterbox:
    """The letterbox of the kitchen at an address."""
    need_redis()
    from episodes.redis_letterbox import RedisLetterbox
    from episodes.redis_link import RedisLink

    url, kitchen = parted(address)
    return RedisLetterbox(RedisLink(url), kitchen)


async def add_guest(address: str, name: str) -> str:
    """Register a guest of the kitchen at an address; the line that lets it into the server.

    Raises InputError if a message could not have this sender.
    """
    from episodes.redis_letterbox import guest_rules

    read_envelope({"id": "1", "sender": name, "event": {}})
    if name == HOUSE:
        raise InputError("guest", f"{HOUSE!r} is the name of whoever runs the kitchen")
    box = redis_letterbox(address)
    try:
        await box.admit(name)
    finally:
        await box.leave()
    return guest_rules(parted(address)[1], name, secrets.token_urlsafe(24))


@asynccontextmanager
async def linked(address: str) -> AsyncIterator[tuple[RedisLink, str]]:
    """Yield a connection to the server of an address, and the name of the kitchen there."""
    need_redis()
    from episodes.redis_link import RedisLink

    url, kitchen = parted(address)
    link = RedisLink(url)
    try:
        yield link, kitchen
    finally:
        await link.close()


async def with_texts(address: str, work: Callable[[RedisTexts], Awaitable[T]]) -> T:
    """Do something with the recipes of the kitchen at an address."""
    async with linked(address) as (link, kitchen):
        from episodes.redis_texts import RedisTexts

        return await work(RedisTexts(link, kitchen))


async def empty_seats(address: str, workers: Iterable[str]) -> dict[str, str]:
    """Return those of the remote workers for which no process stands in, each with the reason."""
    async with linked(address) as (link, kitchen):
        from workers.redis_channel import is_seated

        return {
            worker: f"no process stands in for {worker}"
            for worker in workers
            if not await is_seated(link, kitchen, worker)
        }


async def write_menu(store: RedisTexts, folder: Path) -> int:
    """Write the menu of a kitchen into a folder; returns how many recipes it has.

    Raises MissingError if it has no menu, InputError if a recipe's name could be no file's.
    """
    texts, menu = await store.all(), await store.menu()
    if menu is None:
        raise MissingError("there is no menu in Redis; 'cookmas recipes push' puts one there")
    for item in texts:
        if item.startswith(".") or not item.isprintable() or "/" in item or "\\" in item:
            raise InputError(f"recipe {item[:60]!r}", "could be no file's name")
    (folder / "recipes").mkdir(parents=True, exist_ok=True)
    for old in (folder / "recipes").glob("*.txt"):
        old.unlink()
    (folder / "menu.yaml").write_text(menu, encoding="utf-8")
    for item, text in texts.items():
        (folder / "recipes" / f"{item}.txt").write_text(text, encoding="utf-8")
    return len(texts)
