"""The library: the texts that the orchestrator has looked up in an episode."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping

Fetch = Callable[[str], Awaitable[str]]
"""A function that looks up one text by its key, such as the name of a menu item."""


class Library:
    """A cache of texts, each of which is looked up once and kept for the planner."""

    def __init__(self, fetch: Fetch, known: Mapping[str, str] | None = None) -> None:
        self._fetch = fetch
        self._texts = dict(known or {})

    @property
    def texts(self) -> Mapping[str, str]:
        """All texts that were looked up, by key."""
        return dict(self._texts)

    def forget(self, keys: Iterable[str]) -> None:
        """Drop the texts of these keys, which may have changed; they are looked up again when
        needed.
        """
        for key in keys:
            self._texts.pop(key, None)

    async def look_up(self, keys: Iterable[str]) -> dict[str, str]:
        """Look up the unknown ones among these keys; return their texts, in order."""
        new: dict[str, str] = {}
        for key in keys:
            if key not in self._texts:
                self._texts[key] = new[key] = await self._fetch(key)
        return new
