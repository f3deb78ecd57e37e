"""The texts of an episode in Redis, and their list (the menu); they can be edited at any time.

`cookmas:NAME:recipes` is a hash of texts by their keys, `cookmas:NAME:menu` the menu as text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from episodes.lines import repaired
from episodes.redis_keys import keys_of
from episodes.redis_link import RedisLink


class RedisTexts:
    """The texts of one episode."""

    def __init__(self, link: RedisLink, episode: str) -> None:
        self._link = link
        self._texts, self._menu = keys_of(episode, "recipes", "menu")

    async def push(self, texts: Mapping[str, str], menu: str | None = None) -> None:
        """Put all texts and the menu in place of those there; without a menu, add to them."""
        turns = [word for pair in texts.items() for word in pair]
        only = "1" if menu is None else "0"
        await self._link.script("push", [self._texts, self._menu], only, menu or "", *turns)

    async def all(self) -> dict[str, str]:
        """All texts, by key, in order."""
        found = await self._link.run(lambda redis: redis.hgetall(self._texts))
        return {repaired(str(key)): repaired(str(text)) for key, text in sorted(found.items())}

    async def menu(self) -> str | None:
        """The menu, if there is one."""
        text = await self._link.run(lambda redis: redis.get(self._menu))
        return None if text is None else repaired(str(text))

    def over(self, otherwise: Callable[[str], Awaitable[str]]) -> Callable[[str], Awaitable[str]]:
        """Look up a text here, and where there is none of its key, `otherwise`."""

        async def look_up(key: str) -> str:
            text = await self._link.run(lambda redis: redis.hget(self._texts, key))
            return repaired(str(text)) if text is not None else await otherwise(key)

        return look_up
