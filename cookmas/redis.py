"""Kitchens, recipes and workers over a Redis server, by their address."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from files.errors import InputError
from mailboxes.envelope import HOUSE, read_envelope
from mailboxes.redis.address import need_redis, split_address

if TYPE_CHECKING:
    from mailboxes.redis.letterbox import RedisLetterbox
    from mailboxes.redis.link import RedisLink
    from scenarios.redis_recipes import RedisRecipes

T = TypeVar("T")


def redis_letterbox(address: str) -> RedisLetterbox:
    """The letterbox of the kitchen at an address."""
    need_redis()
    from mailboxes.redis.letterbox import RedisLetterbox
    from mailboxes.redis.link import RedisLink

    url, kitchen = split_address(address)
    return RedisLetterbox(RedisLink(url), kitchen)


async def add_guest(address: str, name: str) -> str:
    """Register a guest of the kitchen at an address; the line that lets it into the server.

    Raises InputError if a message could not have this sender.
    """
    from mailboxes.redis.letterbox import guest_rules

    read_envelope({"id": "1", "sender": name, "event": {}})
    if name == HOUSE:
        raise InputError("guest", f"{HOUSE!r} is the name of whoever runs the kitchen")
    box = redis_letterbox(address)
    try:
        await box.admit(name)
    finally:
        await box.leave()
    return guest_rules(split_address(address)[1], name, secrets.token_urlsafe(24))


@asynccontextmanager
async def linked(address: str) -> AsyncIterator[tuple[RedisLink, str]]:
    """Yield a connection to the server of an address, and the name of the kitchen there."""
    need_redis()
    from mailboxes.redis.link import RedisLink

    url, kitchen = split_address(address)
    link = RedisLink(url)
    try:
        yield link, kitchen
    finally:
        await link.close()


async def with_recipes(address: str, work: Callable[[RedisRecipes], Awaitable[T]]) -> T:
    """Do something with the recipes of the kitchen at an address."""
    async with linked(address) as (link, kitchen):
        from scenarios.redis_recipes import RedisRecipes

        return await work(RedisRecipes(link, kitchen))


async def empty_seats(address: str, workers: Iterable[str]) -> dict[str, str]:
    """Return those of the remote workers for which no process stands in, each with the reason."""
    async with linked(address) as (link, kitchen):
        from workers.redis_channel import is_seated

        return {
            worker: f"no process stands in for {worker}"
            for worker in workers
            if not await is_seated(link, kitchen, worker)
        }
