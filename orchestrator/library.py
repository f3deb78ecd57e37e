"""The library: the texts that the orchestrator has looked up in an episode."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping

from cookmas.files.lines import one_line, replace_lone_surrogates, shorten

_log = logging.getLogger(__name__)

MOST_TEXT = 100_000
"""Maximum length of a text, in characters; the middle of a longer one is left out."""

Fetch = Callable[[str], Awaitable[str]]
"""A function that looks up one text by its key, such as the name of a task."""


class Library:
    """The texts of an episode, which looks up each text once and stores it for the planner.

    `fetch` looks up one text; `known` are texts that have been looked up already, by key.
    """

    def __init__(self, fetch: Fetch, known: Mapping[str, str] | None = None) -> None:
        self._fetch = fetch
        self._texts = dict(known or {})

    @property
    def texts(self) -> Mapping[str, str]:
        """All texts that have been looked up, by key."""
        return dict(self._texts)

    def forget(self, keys: Iterable[str]) -> None:
        """Forget the texts of these keys, because they may have changed.

        The next `look_up` fetches them again.
        """
        for key in keys:
            self._texts.pop(key, None)

    async def look_up(self, keys: Iterable[str]) -> dict[str, str]:
        """Look up the keys that are not known yet, and return only their texts, in order.

        A question mark replaces each lone surrogate, which no trace can hold. The middle of a text
        that is too long is left out, and the log has a warning.
        """
        new: dict[str, str] = {}
        for key in keys:
            if key not in self._texts:
                text = replace_lone_surrogates(await self._fetch(key))
                if len(text) > MOST_TEXT:
                    _log.warning(
                        "the middle of the text %s is left out: it has %d characters, more than %d",
                        *(one_line(key), len(text), MOST_TEXT),
                    )
                self._texts[key] = new[key] = shorten(text, MOST_TEXT)
        return new
