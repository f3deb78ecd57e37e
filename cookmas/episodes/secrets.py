"""Detection of secrets in the environment, and their removal from text."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any
from urllib.parse import quote

from cookmas.files.lines import replace_lone_surrogates

SHORTEST = 8
"""Minimum length of a secret in characters; shorter values, such as `EMPTY`, are common words."""

Secrets = Mapping[str, str]
"""The replacement of each secret, by the secret."""

_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?(_|$)", re.I)
_PASSWORD = re.compile(r"(?<=://)\S+@|(?<=[^\s:/]:)(?!//)\S+@")
"""The user and password in an address, or a password in one without slashes."""

_named: set[str] = set()
"""The variables that hold a secret, although their names do not say so."""

_FIELD = re.compile(r"[a-z_]+")
_URL_PASSWORD = re.compile(r"://[^/@\s:]*:([^/@\s]+)@")


def name_secret(variable: str) -> None:
    """Count the value of an environment variable among the secrets from now on."""
    _named.add(variable)


def secrets_of(environment: Mapping[str, str]) -> Secrets:
    """Return the secrets of an environment with their replacements, `[NAME]`.

    If the name of a variable has a word such as KEY or TOKEN (`OPENAI_API_KEY`), or was given to
    `name_secret`, each line of its value is a secret. In every other variable only the passwords of
    URLs are secrets. A secret is hidden as it is, and as a URL or JSON repeats it.
    """
    hidden: dict[str, str] = {}
    for name, value in environment.items():
        whole = name in _named or _NAME.search(name)
        for part in value.splitlines() if whole else _URL_PASSWORD.findall(value):
            if secret(plain := part.strip()):
                hidden |= dict.fromkeys(_forms(plain), f"[{name}]")
    return {form: hidden[form] for form in sorted(hidden, key=len, reverse=True)}


def _forms(plain: str) -> tuple[str, ...]:
    quoted = quote(plain, safe="", errors="surrogateescape")
    return (plain, quoted, plain.replace("/", "\\/"), json.dumps(plain)[1:-1])


def hide_known(text: str) -> str:
    """Return a text without the secrets of this process's environment, and without passwords.

    Whatever looks like the user and password of an address is replaced, also if it is short or the
    address is mistyped.
    """
    return hide(_PASSWORD.sub("[password]@", text), secrets_of(os.environ))


def secret(value: str) -> bool:
    """Return whether a value is long enough to be a secret."""
    return len(value) >= SHORTEST


def hide(text: str, secrets: Secrets) -> str:
    """Return a text with each secret replaced, also where only its beginning or its end stands."""
    for secret, shown in secrets.items():
        text = text.replace(secret, shown)
    for secret, shown in secrets.items():
        if len(secret) > SHORTEST:
            text = _hide_end(_hide_beginning(text, secret, shown), secret, shown)
    return text


def _hide_beginning(text: str, secret: str, shown: str) -> str:
    """Replace the longest beginnings of a secret that have at least SHORTEST characters."""
    beginning = secret[:SHORTEST]
    at = text.find(beginning)
    while at >= 0:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(secret, text[at:], strict=False))
        end = at + sum(1 for _ in same)
        text = text[:at] + shown + text[end:]
        at = text.find(beginning, at + len(shown))
    return text


def _hide_end(text: str, secret: str, shown: str) -> str:
    """Replace the longest ends of a secret that have at least SHORTEST characters."""
    if secret[-SHORTEST:] not in text:
        return text
    return _hide_beginning(text[::-1], secret[::-1], shown[::-1])[::-1]


def harmless(data: Any, secrets: Secrets) -> Any:
    """Return plain data with each secret replaced, and a question mark for each lone surrogate.

    Field names that consist of lower-case letters and underscores do not change.
    """
    match data:
        case str():
            return hide(replace_lone_surrogates(data), secrets)
        case list():
            return [harmless(part, secrets) for part in data]
        case dict():
            return {
                name if _FIELD.fullmatch(name) else harmless(name, secrets): harmless(part, secrets)
                for name, part in data.items()
            }
    return data
