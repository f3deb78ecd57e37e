"""A link to a Redis server that retries scripts and commands for a limited time.

A command may run twice, because after a broken connection it is unknown whether the command was
executed. Therefore every write is a script that changes nothing when it is repeated.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    ClusterDownError,
    NoPermissionError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as NoConnectionError
from redis.exceptions import TimeoutError as NoAnswerInTimeError

from cookmas.files.errors import (
    InfrastructureError,
    InputError,
    LeaseLostError,
    NoOpenEpisodeError,
    NotAllowedError,
)
from cookmas.files.lines import repair_utf8
from cookmas.files.retrying import Patience
from cookmas.mailboxes.protocol import LOST, SENDER_PATIENCE

BLOCK = 2.0
"""Maximum duration of a blocking read, in seconds; after that the read is repeated."""

Entry = tuple[str, dict[str, str]]
"""An entry of a stream: its id and its fields."""

_ANSWERS = 3.0
"""Time limit for one answer of the server, in seconds."""

_UNTRUSTED = ("CERTIFICATE_VERIFY_FAILED", "WRONG_VERSION_NUMBER")
"""Reasons of TLS failures for which a retry is useless."""

_QUOTED = re.compile(r"\[SSL: (\w+)\] (.+?)(?: \(_ssl|$)")

_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
"""Parameters of an address that name files."""

_PASSING = re.compile(
    r"(?<![A-Z])(READONLY|BUSY|MISCONF|MASTERDOWN|NOREPLICAS|TRYAGAIN|CLUSTERDOWN|LOADING)\b"
)
"""Error replies of a server that may soon answer: during a failover, a script, or a full disk.

A reply to a command within a script has other words around the code.
"""

_PASSING_TYPES = (ReadOnlyError, ClusterDownError, TryAgainError)
"""The errors of such replies from which the client removes the code."""

_FULL = "command not allowed when used memory"

T = TypeVar("T")


class RedisLink:
    """A connection to a Redis server: `redis://user:password@host:port/0`, `rediss://`, `unix://`.

    Methods raise InfrastructureError, in one line, if the server does not answer within `patience`
    seconds, is full, or refuses access. They raise LeaseLostError if a script finds a higher
    fencing number, MissingError if a script finds no episode. `tell` is called with one line each
    time the link begins to wait for an answer.
    """

    def __init__(
        self, url: str, patience: float = SENDER_PATIENCE, tell: Callable[[str], None] | None = None
    ) -> None:
        self.where = _address_of(url)
        waits = f"Redis at {self.where} does not answer; waiting until it does"
        self._patience = Patience(
            patience, _may_pass, tell and (lambda _: tell(waits)), first=0.05, most=1
        )
        for name, file in parse_qsl(urlsplit(url).query):
            if name in _FILES and not Path(file).is_file():
                raise InputError(f"Redis at {self.where}, {name}", f"there is no file {file[:80]}")
        try:
            self._client = _client(url, _ANSWERS)
            self._waiting = _client(url, BLOCK + _ANSWERS)
        except (TypeError, ValueError) as error:
            raise InputError(f"Redis at {self.where}", str(error)) from None

    async def script(self, name: str, keys: Sequence[str], *arguments: str | int) -> Any:
        """Run one of the scripts in `lua/` and return its answer."""
        return await self.evaluate(source(name), keys, *arguments)

    async def evaluate(self, text: str, keys: Sequence[str], *arguments: str | int) -> Any:
        """Run a Lua script and return its answer."""
        script = self._client.register_script(text)
        return await self.run(lambda _: script(keys=list(keys), args=list(arguments)))

    async def run(self, command: Callable[[Redis], Awaitable[T]]) -> T:
        """Run a command, and return its answer; the command must be harmless if it runs twice."""
        return await self._try(command, self._client)

    async def wait(self, stream: str, seen: str, seconds: float = BLOCK) -> list[Entry]:
        """Wait for entries of a stream after the entry with the id `seen`, and return them.

        Return an empty list if none has come within `seconds`, at most BLOCK.
        """
        entries = _pairs(await self._read_blocking({stream: seen}, seconds))
        found = entries[0][1] if entries else []
        return [(entry, {n: repair_utf8(v) for n, v in fields.items()}) for entry, fields in found]

    async def wait_for_any(self, seen: Mapping[str, str]) -> None:
        """Return when any stream has an entry after the id in `seen`, or after BLOCK seconds.

        `seen` has an entry id for each stream.
        """
        await self._read_blocking(seen, BLOCK, count=1)

    async def _read_blocking(
        self, seen: Mapping[str, str], seconds: float, count: int | None = None
    ) -> Any:
        """Read streams on a separate connection, so that other commands do not have to wait."""
        streams: Any = dict(seen)
        block = max(1, int(1000 * min(seconds, BLOCK)))
        return await self._try(
            lambda client: client.xread(streams, count=count, block=block), self._waiting
        )

    async def newest(self, stream: str) -> str:
        """Return the id of the newest entry of a stream; "0" if the stream is empty."""
        found = await self.run(lambda client: client.xrevrange(stream, count=1))
        return str(found[0][0]) if found else "0"

    async def close(self) -> None:
        for client in (self._client, self._waiting):
            await client.aclose()

    async def _try(self, command: Callable[[Redis], Awaitable[T]], client: Redis) -> T:
        try:
            return await self._patience.attempt(lambda: _cancellable(command(client)))
        except (RedisError, OSError) as error:
            raise self._translate(error) from None

    def _translate(self, error: Exception) -> Exception:
        said = str(error)
        if said.startswith("FENCED"):
            return LeaseLostError(LOST)
        if said.startswith(("ABSENT", "WRONGTYPE")):
            return NoOpenEpisodeError(f"Redis at {self.where}: there is no such open episode")
        if why := _describe_untrusted(error):
            return InfrastructureError(f"Redis at {self.where} is not trusted: {why}")
        if _FULL in said:
            return InfrastructureError(f"Redis at {self.where} is full and keeps nothing more")
        if isinstance(error, NoPermissionError):
            return NotAllowedError(f"Redis at {self.where} does not let this user do it: {said}")
        if _is_locked_out(error):
            return InfrastructureError(f"Redis at {self.where} does not let this user in: {said}")
        if isinstance(error, ResponseError):
            return InfrastructureError(f"Redis at {self.where} refuses: {said}")
        return InfrastructureError(f"Redis at {self.where} does not answer: {said}")


async def _cancellable(answering: Awaitable[T]) -> T:
    """Return the answer to a command; raise CancelledError if the task was cancelled meanwhile.

    The client loses a cancellation that comes while it opens a connection.
    """
    task = asyncio.current_task()
    assert task
    before = task.cancelling()
    try:
        return await answering
    finally:
        if task.cancelling() > before:
            raise asyncio.CancelledError


def _client(url: str, timeout: float) -> Redis:
    """Return a client of the server. Raise TypeError or ValueError if a URL is invalid."""
    client = Redis.from_url(
        url,
        decode_responses=True,
        encoding_errors="surrogateescape",
        socket_timeout=timeout,
        socket_connect_timeout=_ANSWERS,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
    )
    pool: Any = client.connection_pool
    pool.make_connection()
    return client


def _is_locked_out(error: BaseException) -> bool:
    kinds = AuthenticationError | AuthorizationError | NoPermissionError
    return isinstance(error, kinds) or "username-password pair" in str(error)


def _describe_untrusted(error: BaseException | None) -> str | None:
    """Return the problem with a TLS certificate, of the server or of this user; None if none.

    An error that the client has raised again may have lost its context; it still quotes the reason.
    """
    quoted = _QUOTED.search(str(error))
    while error is not None:
        if isinstance(error, ssl.SSLError) and error.reason in _UNTRUSTED:
            return getattr(error, "verify_message", "") or error.reason.replace("_", " ").lower()
        error = error.__cause__ or error.__context__
    return quoted[2] if quoted and quoted[1] in _UNTRUSTED else None


def _may_pass(error: BaseException) -> bool:
    if _is_locked_out(error) or _describe_untrusted(error):
        return False
    if isinstance(error, ResponseError):
        return isinstance(error, _PASSING_TYPES) or _PASSING.search(str(error)) is not None
    return isinstance(error, NoConnectionError | NoAnswerInTimeError | OSError)


def _pairs(found: Any) -> list[tuple[str, list[Any]]]:
    return list(found.items()) if isinstance(found, dict) else list(found or ())


def _address_of(url: str) -> str:
    """Return the server's address without user and password."""
    parts = urlsplit(url)
    return f"{(parts.netloc.rpartition('@')[2])}{parts.path}" or url[:80]


@cache
def source(name: str) -> str:
    """Return the text of a script in `lua/`.

    The check of the fencing number is put before a script that takes one, and a function that
    several scripts call before each of them.
    """
    folder = Path(__file__).parent / "lua"
    text = (folder / f"{name}.lua").read_text(encoding="utf-8")
    before = {"entries": "read_entries(", "remake": "remake_answers(", "fence": "ARGV fence"}
    for part, mark in before.items():
        if mark in text:
            text = (folder / f"{part}.lua").read_text(encoding="utf-8") + text
    return text
