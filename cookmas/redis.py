"""Kitchens, recipes and workers over a Redis server, by their address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from episodes.redis_address import need_redis, parted

if TYPE_CHECKING:
    from episodes.redis_letterbox import RedisLetterbox


def redis_letterbox(address: str) -> RedisLetterbox:
    """The letterbox of the kitchen at an address."""
    need_redis()
    from episodes.redis_letterbox import RedisLetterbox
    from episodes.redis_link import RedisLink

    url, kitchen = parted(address)
    return RedisLetterbox(RedisLink(url), kitchen)
