"""Keys: taken from the environment alone, and kept out of everything that is written."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from episodes.secrets import Secrets, secret
from files.errors import InputError, MissingError

VARIABLES = ("COOKMAS_API_KEY", "OPENAI_API_KEY")
"""Environment variables with the key, the first that is set."""

PLACEHOLDER = "no-key-needed"
"""Sent to an endpoint of one's own where no key is set."""

HIDDEN = "[key]"

PASSING = "a planner of your own gets a key only by --pass-env NAME"


def api_key(base_url: str | None, variable: str | None = None) -> str:
    """The key for an endpoint, in a `variable` where one is named; None is OpenAI's own.

    Raises MissingError if OpenAI's own has none, or if the variable that is named is not set.
    """
    for each in (variable,) if variable else VARIABLES:
        if key := os.environ.get(each, "").strip():
            if not (key.isascii() and key.isprintable()):
                raise InputError(each, "expected a key of plain characters")
            return key
    if variable:
        raise MissingError(f"--key-from: the environment variable {variable} is not set; {PASSING}")
    if base_url is None:
        raise MissingError(
            f"there is no key for OpenAI: set {' or '.join(VARIABLES)}, or name "
            f"another endpoint with --base-url; {PASSING}"
        )
    return PLACEHOLDER


def checked_variable(name: str) -> str:
    """Return the name of a variable. Raises InputError for what may be a key, without saying it."""
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,63}", name):
        raise InputError("--key-from", "expected the name of an environment variable, in capitals")
    return name


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


def hidden(key: str) -> Secrets:
    """Return the key as a secret; a placeholder is none."""
    return {key: HIDDEN} if secret(key) and key != PLACEHOLDER else {}
