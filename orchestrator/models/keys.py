"""Keys: they come from the environment alone, and everything that is written hides them."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from episodes.secrets import Secrets, secret
from files.errors import InputError, MissingError

VARIABLES = ("COOKMAS_API_KEY", "OPENAI_API_KEY")
"""Environment variables that may have the key; the first that is set counts."""

PLACEHOLDER = "no-key-needed"
"""The key that is sent to a user's own endpoint if none is set."""

HIDDEN = "[key]"

PASSING = "a planner of your own gets a key only by --pass-env NAME"


def api_key(base_url: str | None, variable: str | None = None) -> str:
    """Return the key for an endpoint; the base URL None means OpenAI.

    The key is in the environment variable `variable`, if one is named. Raise MissingError if the
    named variable is not set or OpenAI has no key, InputError if the key has unusable characters.
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


def check_variable(name: str) -> str:
    """Return the name of a variable. Raises InputError for what may be a key, without saying it."""
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,63}", name):
        raise InputError("--key-from", "expected the name of an environment variable, in capitals")
    return name


def check_url(base_url: str) -> str:
    """Return an endpoint's URL after checking it: it appears in traces and messages.

    Raise InputError if it is no URL or has a user, a key or a query.
    """
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


def secrets_of(key: str) -> Secrets:
    """Return the key as a secret to hide; a placeholder is no secret."""
    return {key: HIDDEN} if secret(key) and key != PLACEHOLDER else {}
