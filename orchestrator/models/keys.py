"""Keys: taken from the environment alone, and kept out of everything that is written."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from episodes.errors import InputError, MissingError

VARIABLES = ("COOKMAS_API_KEY", "OPENAI_API_KEY")
"""Environment variables with the key, the first that is set."""

PLACEHOLDER = "no-key-needed"
"""Sent to an endpoint of one's own where no key is set."""

HIDDEN = "[key]"

SHORTEST_SECRET = 8
"""Shorter keys are placeholders, such as `EMPTY`: they are no secret and stand in other words."""


def api_key(base_url: str | None) -> str:
    """The key for an endpoint; None is OpenAI's own. Raises MissingError if that has none."""
    for variable in VARIABLES:
        if key := os.environ.get(variable, "").strip():
            if not (key.isascii() and key.isprintable()):
                raise InputError(variable, "expected a key of plain characters")
            return key
    if base_url is None:
        raise MissingError(
            f"there is no key for OpenAI: set {' or '.join(VARIABLES)}, or name "
            "another endpoint with --base-url"
        )
    return PLACEHOLDER


def checked_url(base_url: str) -> str:
    """An endpoint's URL, which goes into traces and messages. Raises InputError."""
    try:
        parts = urlsplit(base_url)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        sound = False
    if not sound or not base_url.isprintable() or " " in base_url:
        raise InputError("base URL", "expected one such as http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(
            "base URL",
            f"expected one without user, key or query; the key is taken from {VARIABLES[0]}",
        )
    return base_url.rstrip("/")


def hide(text: str, key: str) -> str:
    """A text from outside without the key."""
    secret = len(key) >= SHORTEST_SECRET and key != PLACEHOLDER
    return text.replace(key, HIDDEN) if secret else text


def harmless(data: Any, key: str) -> Any:
    """Data from outside with no key in its texts, and none that cannot be written.

    Half a character (a lone surrogate) becomes a question mark.
    """
    match data:
        case str():
            return hide(data.encode("utf-8", "replace").decode(), key)
        case list():
            return [harmless(each, key) for each in data]
        case dict():
            return {harmless(name, key): harmless(each, key) for name, each in data.items()}
    return data
