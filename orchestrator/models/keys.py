"""Keys: taken from the environment alone, and kept out of everything that is written."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from episodes.errors import InputError, MissingError

VARIABLES = ("COOKMAS_API_KEY", "OPENAI_API_KEY")
"""Environment variables with the key, the first that is set."""

PLACEHOLDER = "no-key-needed"
"""Sent to an endpoint of one's own where no key is set."""

HIDDEN = "[key]"


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
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError("base URL", "expected one such as http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(
            "base URL",
            f"expected one without user, key or query; the key is taken from {VARIABLES[0]}",
        )
    return base_url.rstrip("/")


def hide(text: str, key: str) -> str:
    """A text from outside without the key."""
    return text if key in ("", PLACEHOLDER) else text.replace(key, HIDDEN)
