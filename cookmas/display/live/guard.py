"""Access control: a request needs the server's own name, its own page as origin, and the token;
and how much they may bring.

A malicious page in the same browser can send requests to the loopback too, also under a name that
resolves to it. Its `Origin` and the requested `Host` reveal it.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Collection

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from files.errors import InputError

COOKIE = "cookmas_"
"""How the name of the cookie begins; pages at other ports of this machine have others."""

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


HARMLESS = ("/health",)
"""Paths that are answered without the token: whether the episode is alive, and nothing else."""


class Guard:
    """Lets through what is addressed to one of `names` and comes from there.

    With a `token` it must be known, but for HARMLESS paths: in the address once, which leaves it in
    a cookie, or as a bearer. Without names any IP address will do, as behind an address that stands
    for all.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], token: str | None = None) -> None:
        self._app = app
        self._names = names
        self._token = token
        self._cookie = COOKIE + hashlib.sha256((token or "").encode()).hexdigest()[:12]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
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
            return PlainTextResponse("this is not the host that was asked for\n", 421)
        origin = request.headers.get("origin")
        changes = request.method not in ("GET", "HEAD")
        if (origin or changes) and origin != f"{request.url.scheme}://{host}":
            return PlainTextResponse("a page from elsewhere may not ask this\n", 403)
        if self._token is None or request.url.path in HARMLESS or self._knows(request):
            return None
        if request.url.path == "/" and self._matches(request.query_params.get("token")):
            entered = RedirectResponse("/", 303)
            entered.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
            return entered
        return PlainTextResponse("the token is missing: open the address that was printed\n", 401)

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
        return self._matches(bearer) or self._matches(request.cookies.get(self._cookie))

    def _matches(self, said: str | None) -> bool:
        return said is not None and hmac.compare_digest(said.encode(), (self._token or "").encode())


async def body_of(request: Request, longest: int) -> bytes:
    """Return the body of a request. Raise InputError if it is too long or incomplete."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > longest:
                raise InputError("what is sent", f"is longer than {longest} bytes")
    except ClientDisconnect:
        raise InputError("what is sent", "breaks off") from None
    return bytes(body)
