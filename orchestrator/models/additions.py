"""Additions to the requests of a model: fields and headers that only its endpoint knows.

    --extra 'chat_template_kwargs={"enable_thinking": false}' --header X-Tenant=TENANT_TOKEN

The value of a header comes from an environment variable, whose name alone is recorded.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from cookmas.files.errors import InputError, MissingError

SENT = ("messages", "model", "response_format", "stream", "stream_options", "tools")
"""Fields of a request that CookMAS writes itself."""

OPTIONS = {
    "max_completion_tokens": "--max-tokens",
    "max_tokens": "--max-tokens",
    "seed": "--model-seed",
    "temperature": "--temperature",
}
"""Fields of a request that have an option, with this option."""

HEADERS = {
    "api-key": "--key-from",
    "authorization": "--key-from",
    "content-length": "no option",
    "content-type": "no option",
    "host": "--base-url",
}
"""Headers that CookMAS writes itself, in lower case, with the option that sets them."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")


def spell_fields(given: Any) -> Any:
    """Return fields that are given as an object in the form `KEY=JSON`; anything else unchanged."""
    if isinstance(given, Mapping):
        return tuple(f"{name}={json.dumps(value)}" for name, value in given.items())
    return given


def spell_headers(given: Any) -> Any:
    """Return headers that are given as an object in the form `NAME=VARIABLE`."""
    if isinstance(given, Mapping):
        return tuple(f"{name}={variable}" for name, variable in given.items())
    return given


def list_added(extra: Iterable[str], headers: Iterable[str]) -> tuple[str, ...]:
    """Return the additions to a request as a cassette and a trace record them."""
    return (*sorted(extra), *sorted(headers))


def read_fields(given: Iterable[str]) -> dict[str, Any]:
    """Return the fields of the texts `KEY=VALUE`; a value is JSON, or else a text.

    Raise InputError for a field without a value, and for one that CookMAS writes itself.
    """
    fields: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not _NAME.fullmatch(name):
            raise InputError("--extra", "expected KEY=VALUE, such as top_k=20")
        if name in SENT:
            raise InputError("--extra", f"CookMAS writes the field {name!r} itself")
        if name in OPTIONS:
            raise InputError("--extra", f"the field {name!r} has an option, {OPTIONS[name]}")
        if name in fields:
            raise InputError("--extra", f"the field {name!r} has two values")
        try:
            fields[name] = json.loads(value)
        except (ValueError, RecursionError):
            fields[name] = value
    return fields


def read_headers(given: Iterable[str]) -> dict[str, str]:
    """Return the variables of the headers of the texts `NAME=VARIABLE`.

    Raise InputError for a text of another form, which the error does not repeat, since it may be a
    secret, and for a header that CookMAS writes itself.
    """
    headers: dict[str, str] = {}
    for text in given:
        name, _, variable = text.partition("=")
        if not (_NAME.fullmatch(name) and _VARIABLE.fullmatch(variable)):
            wished = "expected NAME=VARIABLE, a header and the environment variable with its value"
            raise InputError("--header", wished)
        if name.lower() in HEADERS:
            option = HEADERS[name.lower()]
            raise InputError("--header", f"CookMAS writes {name} itself; it is set by {option}")
        if name.lower() in (known.lower() for known in headers):
            raise InputError("--header", f"{name} has two values")
        headers[name] = variable
    return headers


def header_values(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the values of headers, which the environment variables have.

    Raise MissingError for a variable that is not set, InputError for a value that cannot be sent.
    """
    values: dict[str, str] = {}
    for name, variable in headers.items():
        value = os.environ.get(variable, "").strip()
        if not value:
            raise MissingError(f"--header {name}: the environment variable {variable} is not set")
        if not (value.isascii() and value.isprintable()):
            raise InputError(variable, f"expected plain characters for the header {name}")
        values[name] = value
    return values
