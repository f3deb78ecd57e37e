"""Keys of endpoints: they come only from environment variables, and every output hides them."""

from __future__ import annotations

import json
import os
import re
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

from cookmas.episodes.secrets import Secrets, name_secret, secret
from cookmas.files.errors import InputError, MissingError

VARIABLES = ("COOKMAS_API_KEY", "OPENAI_API_KEY")
"""Environment variables that may hold the key; the first one that is set counts."""

PLACEHOLDER = "no-key-needed"
"""The key that CookMAS sends to an endpoint other than OpenAI if the user has set no key."""

AZURE = "api-version"
"""The parameter of Azure's addresses of deployments."""

HIDDEN = "[key]"

PASSING = "a planner of your own gets a key only by --pass-env NAME"


def api_key(base_url: str | None, variable: str | None = None) -> str:
    """Return the key for the endpoint at `base_url`; if that is None, the endpoint is OpenAI's.

    The key comes from the environment variable `variable` if it is given, else from the first of
    VARIABLES that is set, without quotes and the word `Bearer` around it. Raise MissingError if
    `variable` is not set or there is no key for OpenAI, InputError if the key has unusable
    characters.
    """
    if variable:
        name_secret(variable)
    for each in (variable,) if variable else VARIABLES:
        if key := _clean(os.environ.get(each, "")):
            if not (key.isascii() and key.isprintable()) or " " in key:
                raise InputError(each, "expected a key of plain characters, without blanks")
            return key
    if variable:
        raise MissingError(f"--key-from: the environment variable {variable} is not set; {PASSING}")
    if base_url is None:
        raise MissingError(
            f"there is no key for OpenAI: set {' or '.join(VARIABLES)}, or name "
            f"another endpoint with --base-url; {PASSING}"
        )
    return PLACEHOLDER


def _clean(key: str) -> str:
    """Return a key without what is copied with it: blanks, quotes, and the word `Bearer`."""
    key = key.strip().strip("\"'`").strip()
    return re.sub(r"^bearer\s+", "", key, flags=re.IGNORECASE).strip("\"'` ")


def check_variable(name: str) -> str:
    """Return the name of an environment variable unchanged. Raise InputError for any other text.

    The error does not repeat the text, which may be a key.
    """
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,63}", name):
        raise InputError("--key-from", "expected the name of an environment variable, in capitals")
    return name


def read_url(base_url: str) -> tuple[str, dict[str, str]]:
    """Return an endpoint's base URL, and the parameters that each request to it has.

    The path of chat completions at its end is left out. The only parameter is Azure's api-version.
    Traces and messages show the URL. Raise InputError if the text is no URL, or the URL has a user,
    a password, another query or a fragment.
    """
    try:
        parts = urlsplit(base_url)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    except ValueError:
        sound, query = False, {}
    if not sound or not base_url.isprintable() or " " in base_url:
        raise InputError("base URL", "expected one such as http://localhost:8000/v1")
    if parts.username or parts.password or query.keys() - {AZURE} or parts.fragment:
        raise InputError(
            "base URL",
            f"expected one without user, key or query; the key is taken from {VARIABLES[0]}. For "
            f"Azure write https://NAME.openai.azure.com/openai/v1",
        )
    path = parts.path.rstrip("/").removesuffix("/chat/completions").rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, path, "", "")), query


def secrets_of(key: str) -> Secrets:
    """Return the forms of a key, mapped to the text that hides it; nothing for the placeholder.

    An endpoint may repeat the key as in a URL or in JSON.
    """
    if not secret(key) or key == PLACEHOLDER:
        return {}
    forms = (key, quote(key, safe=""), key.replace("/", "\\/"), json.dumps(key)[1:-1])
    return dict.fromkeys(sorted(forms, key=len, reverse=True), HIDDEN)
