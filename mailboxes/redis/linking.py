"""A link to the server of an address; nothing here needs the package before it is asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from mailboxes.redis.address import need_redis, split_address

if TYPE_CHECKING:
    from mailboxes.redis.link import RedisLink


@asynccontextmanager
async def connect(address: str) -> AsyncIterator[tuple[RedisLink, str]]:
    """Yield a connection to the server of an address, and the name of the kitchen there."""
    need_redis()
    from mailboxes.redis.link import RedisLink

    url, kitchen = split_address(address)
    link = RedisLink(url)
    try:
        yield link, kitchen
    finally:
        await link.close()
