"""Kitchens, recipes and workers on a Redis server, by their address."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from files.errors import InputError
from mailboxes.envelope import HOUSE, read_envelope
from mailboxes.redis.address import need_redis, parted

if TYPE_CHECKING:
    from mailboxes.redis.letterbox import RedisLetterbox
    from mailboxes.redis.link import RedisLink
    from scenarios.redis_recipes import RedisRecipes

T = TypeVar("T")


def redis_letterbox(address: str) -> RedisLetterbox:
    """Return the letterbox of the kitchen at an address."""
    need_redis()
    from mailboxes.redis.letterbox import RedisLetterbox
    from mailboxes.redis.link import RedisLink

    url, kitchen = parted(address)
    return RedisLetterbox(RedisLink(url), kitchen)


async def add_guest(address: str, name: str) -> str:
    """Register a guest of the kitchen at an address; return the guest's line for the access list
    (ACL).

    Raises InputError if the name is not a valid sender.
    """
    from mailboxes.redis.letterbox import guest_rules

    read_envelope({"id": "1", "sender": name, "event": {}})
    if name == HOUSE:
        raise InputError("guest", f"{HOUSE!r} is reserved for the owner of the kitchen")
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
    from mailboxes.redis.link import RedisLink

    url, kitchen = parted(address)
    link = RedisLink(url)
    try:
        yield link, kitchen
    finally:
        await link.close()


async def with_recipes(address: str, work: Callable[[RedisRecipes], Awaitable[T]]) -> T:
    """Call `work` with the recipes of the kitchen at an address, and return its result."""
    async with linked(address) as (link, kitchen):
        from scenarios.redis_recipes import RedisRecipes

        return await work(RedisRecipes(link, kitchen))


async def empty_seats(address: str, workers: Iterable[str]) -> dict[str, str]:
    """Return the remote workers that no process plays, each with the reason."""
    async with linked(address) as (link, kitchen):
        from workers.redis_channel import is_seated

        return {
            worker: f"no process stands in for {worker}"
            for worker in workers
            if not await is_seated(link, kitchen, worker)
        }
