"""The library: what the orchestrator has looked up in an episode."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping

Fetch = Callable[[str], Awaitable[str]]
"""Looks one text up by its key, by what it is about."""


class Library:
    """Looks texts up, each once, and keeps them for the planner."""

    def __init__(self, fetch: Fetch, known: Mapping[str, str] | None = None) -> None:
        self._fetch = fetch
        self._texts = dict(known or {})

    @property
    def texts(self) -> Mapping[str, str]:
        """All that has been looked up, by key."""
        return dict(self._texts)

    def forget(self, keys: Iterable[str]) -> None:
        """Look these up again when they are needed, since they may have changed."""
        for key in keys:
            self._texts.pop(key, None)

    async def look_up(self, keys: Iterable[str]) -> dict[str, str]:
        """Look up those keys that are not known yet; returns what is new, in order."""
        new: dict[str, str] = {}
        for key in keys:
            if key not in self._texts:
                self._texts[key] = new[key] = await self._fetch(key)
        return new
