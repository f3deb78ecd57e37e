"""A link to a Redis server: scripts and commands that are tried again for a bounded time.

Whatever goes through a link may be carried out twice, since a connection that breaks in the middle
of a command does not say whether it was: everything that is written is a script that changes
nothing when it is done again.
"""

from __future__ import annotations

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
    NoPermissionError,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as NoConnectionError
from redis.exceptions import TimeoutError as NoAnswerInTimeError
from tenacity import AsyncRetrying, retry_if_exception, stop_after_delay, wait_exponential

from files.errors import (
    InfrastructureError,
    InputError,
    LeaseLostError,
    NoOpenEpisodeError,
    NotAllowedError,
)
from files.lines import repaired
from mailboxes.protocol import LOST

BLOCK = 2.0
"""Seconds after which a blocking read comes back empty-handed, and is made again."""

SENDER_PATIENCE = 10.0
"""Seconds for which a sender tries to reach a server that does not answer."""

EPISODE_PATIENCE = 60.0
"""Seconds for which an episode does; a server is restarted within them, and nobody notices."""

Entry = tuple[str, dict[str, str]]
"""An entry of a stream: its id and its fields."""

_ANSWERS = 3.0
"""Seconds that a server has for one answer."""

_UNTRUSTED = ("CERTIFICATE_VERIFY_FAILED", "WRONG_VERSION_NUMBER")
"""Why a TLS connection fails however often it is tried."""

_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
"""Parameters of an address that name files."""

_FULL = "command not allowed when used memory"

T = TypeVar("T")


class RedisLink:
    """A server by its URL: `redis://user:password@host:port/0`, `rediss://...`, `unix://...`.

    Raises InfrastructureError, in one line, if it does not answer for `patience` seconds, is full,
    or lets nobody in; LeaseLostError and MissingError as the episode's scripts say. `tell` is told,
    in one line, each time that it begins to wait for an answer.
    """

    def __init__(
        self, url: str, patience: float = SENDER_PATIENCE, tell: Callable[[str], None] | None = None
    ) -> None:
        self.where = _named(url)
        self._patience = patience
        self._tell = tell
        self._told = False
        for name, file in parse_qsl(urlsplit(url).query):
            if name in _FILES and not Path(file).is_file():
                raise InputError(f"Redis at {self.where}, {name}", f"there is no file {file[:80]}")
        try:
            self._client = _client(url, _ANSWERS)
            self._waiting = _client(url, BLOCK + _ANSWERS)
        except (TypeError, ValueError) as error:
            raise InputError(f"Redis at {self.where}", str(error)) from None

    async def script(self, name: str, keys: Sequence[str], *arguments: str | int) -> Any:
        """Run one of the scripts in `lua/`."""
        return await self.evaluate(source(name), keys, *arguments)

    async def evaluate(self, text: str, keys: Sequence[str], *arguments: str | int) -> Any:
        """Run a script in Lua."""
        script = self._client.register_script(text)
        return await self.run(lambda _: script(keys=list(keys), args=list(arguments)))

    async def run(self, command: Callable[[Redis], Awaitable[T]]) -> T:
        """Run a command that may be carried out twice."""
        return await self._tried(command, self._client)

    async def wait(self, stream: str, seen: str, seconds: float = BLOCK) -> list[Entry]:
        """What comes to a stream after the entry `seen`; empty after at most BLOCK seconds."""
        entries = _pairs(await self._blocked({stream: seen}, seconds))
        found = entries[0][1] if entries else []
        return [(entry, {n: repaired(v) for n, v in fields.items()}) for entry, fields in found]

    async def wait_for_any(self, seen: Mapping[str, str]) -> None:
        """Return once any of these streams goes on after the entry seen, or BLOCK seconds later."""
        await self._blocked(seen, BLOCK, count=1)

    async def _blocked(
        self, seen: Mapping[str, str], seconds: float, count: int | None = None
    ) -> Any:
        """Read streams on a connection of its own, so that nothing else waits for it."""
        streams: Any = dict(seen)
        block = max(1, int(1000 * min(seconds, BLOCK)))
        return await self._tried(
            lambda client: client.xread(streams, count=count, block=block), self._waiting
        )

    async def newest(self, stream: str) -> str:
        """The newest entry of a stream."""
        found = await self.run(lambda client: client.xrevrange(stream, count=1))
        return str(found[0][0]) if found else "0"

    async def close(self) -> None:
        """Close the connections."""
        for client in (self._client, self._waiting):
            await client.aclose()

    async def _tried(self, command: Callable[[Redis], Awaitable[T]], client: Redis) -> T:
        attempts = AsyncRetrying(
            stop=stop_after_delay(self._patience),
            wait=wait_exponential(multiplier=0.05, max=1),
            retry=retry_if_exception(_may_pass),
            reraise=True,
            before_sleep=self._waits,
        )
        try:
            async for attempt in attempts:
                with attempt:
                    answer = await command(client)
                    self._told = False
                    return answer
        except (RedisError, OSError) as error:
            raise self._translated(error) from None
        raise AssertionError("the last attempt raises")

    def _waits(self, _: object) -> None:
        if self._tell and not self._told:
            self._tell(f"Redis at {self.where} does not answer; waiting until it does")
        self._told = True

    def _translated(self, error: Exception) -> Exception:
        said = str(error)
        if said.startswith("FENCED"):
            return LeaseLostError(LOST)
        if said.startswith(("ABSENT", "WRONGTYPE")):
            return NoOpenEpisodeError(f"Redis at {self.where}: there is no such open episode")
        if why := _untrusted(error):
            return InfrastructureError(f"Redis at {self.where} is not trusted: {why}")
        if _FULL in said:
            return InfrastructureError(f"Redis at {self.where} is full and keeps nothing more")
        if isinstance(error, NoPermissionError):
            return NotAllowedError(f"Redis at {self.where} does not let this user do it: {said}")
        if _locked_out(error):
            return InfrastructureError(f"Redis at {self.where} does not let this user in: {said}")
        if isinstance(error, ResponseError):
            return InfrastructureError(f"Redis at {self.where} refuses: {said}")
        return InfrastructureError(f"Redis at {self.where} does not answer: {said}")


def _client(url: str, timeout: float) -> Redis:
    """A client of the server. Raises TypeError or ValueError if the URL has a wrong parameter."""
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


def _locked_out(error: BaseException) -> bool:
    kinds = AuthenticationError | AuthorizationError | NoPermissionError
    return isinstance(error, kinds) or "username-password pair" in str(error)


def _untrusted(error: BaseException | None) -> str | None:
    """What is wrong with the certificates of a server or of this user, where anything is."""
    while error is not None:
        if isinstance(error, ssl.SSLError) and error.reason in _UNTRUSTED:
            return getattr(error, "verify_message", "") or error.reason.replace("_", " ").lower()
        error = error.__cause__ or error.__context__
    return None


def _may_pass(error: BaseException) -> bool:
    if _locked_out(error) or _untrusted(error):
        return False
    return isinstance(error, NoConnectionError | NoAnswerInTimeError | OSError)


def _pairs(found: Any) -> list[tuple[str, list[Any]]]:
    return list(found.items()) if isinstance(found, dict) else list(found or ())


def _named(url: str) -> str:
    """The server as it may be shown: without user and password."""
    parts = urlsplit(url)
    return f"{(parts.netloc.rpartition('@')[2])}{parts.path}" or url[:80]


@cache
def source(name: str) -> str:
    """A script in `lua/`; those of whoever plays the episode with the check of the fence."""
    folder = Path(__file__).parent / "lua"
    text = (folder / f"{name}.lua").read_text(encoding="utf-8")
    fenced = "ARGV fence" in text
    return (folder / "fence.lua").read_text(encoding="utf-8") + text if fenced else text
