"""Access control: a request needs the server's name as host, the server's page as origin, and the
token. The requests of one visitor and the length of a body are limited, and an answer in JSON has
no secret.

A malicious page in the same browser can send requests to the loopback too, even under a name that
resolves to the loopback. The headers `Origin` and `Host` of such requests reveal the page.

A visitor is a tab of a browser. It keeps a random secret, which only the pages of this server can
read, and sends it with its requests: in a header, or in the address of an event stream. The secret
is the visitor's token, and a digest of it names the sender.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import re
import secrets
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cookmas.episodes.secrets import harmless, secrets_of
from cookmas.files.errors import InputError

HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server at an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


HEALTH = "/health"
"""The path that needs no token: it only tells whether the episode is alive."""

METRICS = "/metrics"
"""The path that programs of this machine read without a token: it has numbers, and no texts."""

ENTER = Path(__file__).with_name("enter.html").read_text(encoding="utf-8")
"""The page without a token. If its tab has the token, it opens the page with it."""

FORWARDING = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers that a proxy adds; a request that has one does not come from its connection."""


class Guard:
    """Lets a request through if its host is one of `names`, and its origin is the same host.

    A request that only reads may come without an origin, as from a program.

    The request must have the `token`, except for HEALTH and METRICS: as a bearer token, or, if it
    only reads, in its address. No cookie has it, since a browser sends a cookie to every port of a
    host, and so to the servers of other users. If `names` is empty, any IP address will do as host:
    the server listens at all addresses.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], token: str) -> None:
        self._app = app
        self._names = names
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        refused = self._refusal(request)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await (refused or self._app)(scope, receive, send_guarded)

    def _refusal(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if not self._is_own_host(host):
            return PlainTextResponse("this server does not have the requested host name\n", 421)
        origin = request.headers.get("origin")
        changes = request.method not in ("GET", "HEAD")
        if (origin or changes) and origin != f"{request.url.scheme}://{host}":
            return PlainTextResponse("pages of other sites may not send this request\n", 403)
        if self._is_harmless(request) or self._knows(request):
            return None
        if "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(ENTER, 401)
        return PlainTextResponse("the token is missing: open the address that was printed\n", 401)

    def _is_harmless(self, request: Request) -> bool:
        if request.url.path == METRICS and request.client is not None:
            return is_loopback(request.client.host) and not is_forwarded(request)
        return request.url.path == HEALTH

    def _is_own_host(self, host: str) -> bool:
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        name = name.strip("[]").lower()
        if self._names:
            return name in self._names
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _knows(self, request: Request) -> bool:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        return self._matches(bearer) or (
            request.method == "GET" and self._matches(request.query_params.get("token"))
        )

    def _matches(self, said: str | None) -> bool:
        return said is not None and hmac.compare_digest(said.encode(), self._token.encode())


def is_forwarded(request: Request) -> bool:
    """Return whether a proxy has passed a request on."""
    return any(name in request.headers for name in FORWARDING)


class HarmlessResponse(JSONResponse):
    """An answer to a page, without the secrets of this process."""

    def render(self, content: Any) -> bytes:
        """Return plain data as JSON."""
        return super().render(harmless(content, secrets_of(os.environ)))


async def body_of(request: Request, longest: int) -> bytes:
    """Return the body of a request. Raise InputError if the body is too long or incomplete."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > longest:
                raise InputError("what is sent", f"is longer than {longest} bytes")
    except ClientDisconnect:
        raise InputError("what is sent", "breaks off") from None
    return bytes(body)


HEADER = "cookmas-visitor"

IN_ADDRESS = "visitor"
"""The parameter of an address that has the secret in place of the header."""

AT_ONCE = 256
"""Maximum number of open requests of all visitors, event streams included."""

EACH = 16
"""Maximum number of open requests of one visitor."""

_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")


class Visitors:
    """Tells visitors apart, and limits the number of their open requests.

    Requests without a secret are counted by their IP address. Those of programs that watch the
    episode are not limited, so that no visitor can hide its state from them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in (HEALTH, METRICS):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        secret = request.headers.get(HEADER) or request.query_params.get(IN_ADDRESS, "")
        new = not _SECRET.fullmatch(secret)
        request.state.visitor = secrets.token_urlsafe(32) if new else secret
        who = f"at {request.client.host if request.client else ''}" if new else secret

        if self._under_way[who] >= EACH or self._under_way.total() >= AT_ONCE:
            await _reply_busy(scope, receive, send)
            return
        self._under_way[who] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._under_way[who] -= 1
            if not self._under_way[who]:
                del self._under_way[who]


async def _reply_busy(scope: Scope, receive: Receive, send: Send) -> None:
    why = "too many requests at once: close other pages of this episode, or come back later\n"
    await PlainTextResponse(why, 503, {"Retry-After": "5"})(scope, receive, send)
