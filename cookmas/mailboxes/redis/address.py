"""The address of an episode in Redis. Only `connect` needs the package redis."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from cookmas.files.errors import InputError, MissingError

if TYPE_CHECKING:
    from cookmas.mailboxes.redis.link import RedisLink

SCHEMES = ("redis://", "rediss://", "unix://")

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")
"""The beginning of an address; a path shortens the two slashes to one."""

REMEMBERED = 10_000
"""Number of answers that an episode keeps for each sender, to recognise repeated messages."""

MAIN = "main"
"""Name of the episode if the address gives none."""


def is_address(where: object) -> bool:
    """Return whether a value is the address of an episode in Redis, rather than a folder."""
    return isinstance(where, str) and where.startswith(SCHEMES)


def is_address_of_any(where: object) -> bool:
    """Return whether a value is an address with a scheme, of whatever server, not a folder."""
    return _SCHEME.match(str(where)) is not None


def split_address(address: str) -> tuple[str, str]:
    """Return the server URL and the episode name in an address.

    An example of an address is `redis://localhost:6379/0#corner`. Raise InputError if `address` is
    malformed.
    """
    if not is_address(address):
        scheme, found, _ = address.partition("://")
        shown = f", not {scheme[:20]}://" if found else ""
        raise InputError("Redis", f"expected redis://HOST:PORT/0#NAME{shown}")
    url, _, episode = address.partition("#")
    try:
        urlsplit(url).port  # noqa: B018
    except ValueError as error:
        raise InputError("Redis", f"expected redis://HOST:PORT/0#NAME: {error}") from None
    return url, episode or MAIN


def user_of(where: object) -> str | None:
    """Return the name of the sender in a Redis address; None if there is none.

    The name is quoted twice: as the name of a user in Redis, which has no blanks and accents, and
    as a part of a URL.
    """
    if not is_address(where):
        return None
    return unquote(unquote(urlsplit(str(where)).username or "")) or None


def without_secrets(url: str) -> str:
    """Return the URL of a server without user and password."""
    parts = urlsplit(url)
    query = [pair for pair in parse_qsl(parts.query) if pair[0] not in ("username", "password")]
    rest = f"?{urlencode(query, safe='/')}" if query else ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}{rest}"


def is_exposed(url: str) -> bool:
    """Return whether a URL has no password although its server is not on this machine."""
    parts = urlsplit(url)
    secret = parts.password or dict(parse_qsl(parts.query)).get("password")
    return parts.scheme != "unix" and not secret and not _on_loopback(parts.hostname or "")


def _on_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in ("", "localhost")


def need_redis() -> None:
    """Raise MissingError if the package redis is not installed."""
    if find_spec("redis") is None:
        raise MissingError("Redis needs the package redis: pip install 'cookmas[redis]'")


@asynccontextmanager
async def connect(address: str) -> AsyncIterator[tuple[RedisLink, str]]:
    """Yield a connection to the server of an address, and the name of the episode there."""
    need_redis()
    from cookmas.mailboxes.redis.link import RedisLink

    url, episode = split_address(address)
    link = RedisLink(url)
    try:
        yield link, episode
    finally:
        await link.close()
