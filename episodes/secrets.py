"""Secrets: which values of the environment are secret, and how text is written without them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

SHORTEST = 8
"""Characters of a secret at least. Shorter values stand in ordinary words, such as `EMPTY`."""

Secrets = Mapping[str, str]
"""What stands in the place of each secret."""

_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?(_|$)", re.I)
_FIELD = re.compile(r"[a-z_]+")
_URL_PASSWORD = re.compile(r"://[^/@\s:]*:([^/@\s]+)@")


def secrets_of(environment: Mapping[str, str]) -> Secrets:
    """Return the secrets of an environment; `[NAME]` stands in the place of each.

    A variable is secret if its name says so (`OPENAI_API_KEY`), line by line. In any other one the
    password of a URL is secret.
    """
    found: dict[str, str] = {}
    for name, value in environment.items():
        parts = value.splitlines() if _NAME.search(name) else _URL_PASSWORD.findall(value)
        found |= {part.strip(): f"[{name}]" for part in parts}
    return {part: found[part] for part in sorted(found, key=len, reverse=True) if secret(part)}


def secret(value: str) -> bool:
    """Return whether a value is long enough to be a secret."""
    return len(value) >= SHORTEST


def hide(text: str, secrets: Secrets) -> str:
    """Return a text without secrets."""
    for each, shown in secrets.items():
        text = text.replace(each, shown)
    return text


def harmless(data: Any, secrets: Secrets) -> Any:
    """Return plain data without secrets in its texts, and without text that cannot be written.

    Half a character (a lone surrogate) becomes a question mark. The names of fields stay.
    """
    match data:
        case str():
            return hide(data.encode("utf-8", "replace").decode(), secrets)
        case list():
            return [harmless(each, secrets) for each in data]
        case dict():
            return {
                name if _FIELD.fullmatch(name) else harmless(name, secrets): harmless(each, secrets)
                for name, each in data.items()
            }
    return data
