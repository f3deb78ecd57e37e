"""The address of a kitchen in Redis; nothing here needs the package."""

from __future__ import annotations

from importlib.util import find_spec
from urllib.parse import unquote, urlsplit

from episodes.errors import InputError, MissingError

SCHEMES = ("redis://", "rediss://", "unix://")

MAIN = "main"
"""The name of a kitchen whose address does not say any."""


def is_address(where: object) -> bool:
    """Whether this is the address of a kitchen in Redis, rather than a run's folder."""
    return isinstance(where, str) and where.startswith(SCHEMES)


def parted(address: str) -> tuple[str, str]:
    """The server's URL and the kitchen's name in an address: `redis://localhost:6379/0#corner`."""
    if not is_address(address):
        raise InputError("Redis", f"expected redis://HOST:PORT/0#KITCHEN, not {address[:80]!r}")
    url, _, kitchen = address.partition("#")
    return url, kitchen or MAIN


def user_of(where: object) -> str | None:
    """Return the user of a server that is named in an address; None where none is."""
    return unquote(urlsplit(str(where)).username or "") or None if is_address(where) else None


def need_redis() -> None:
    """Raises MissingError, in words a person can use, if the package is not there."""
    if find_spec("redis") is None:
        raise MissingError("Redis needs the package redis: pip install 'cookmas[redis]'")
