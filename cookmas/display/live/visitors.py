"""Visitors: as whom a request speaks to the episode, and how much a visitor may ask for at once.

A visitor is a browser. It keeps a random secret in a cookie, which no script can read and no other
site can send. The secret is the visitor's token, and a digest of it names the sender.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import Counter
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "cookmas_visitor"

AT_ONCE = 256
"""Requests of all visitors that may be under way, event streams among them."""

EACH = 16
"""Requests of one visitor that may be under way."""

_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorSender:
    """A visitor as a sender of messages."""

    name: str
    """Name of the sender."""
    token: str
    """The token that proves the name."""


def sender_of(request: Request) -> VisitorSender:
    """Return as whom a request speaks to the episode: each visitor for themselves."""
    secret: str = request.state.visitor
    return VisitorSender(
        name=f"page-{hashlib.sha256(secret.encode()).hexdigest()[:16]}", token=secret
    )


class Visitors:
    """Gives each visitor a cookie, and limits the number of open requests. Requests without the
    cookie are counted by their address.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 503 in one line, or pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        secret = request.cookies.get(COOKIE, "")
        new = not _SECRET.fullmatch(secret)
        request.state.visitor = secrets.token_urlsafe(32) if new else secret
        who = f"at {request.client.host if request.client else ''}" if new else secret

        async def send_welcome(message: Message) -> None:
            if new and message["type"] == "http.response.start":
                welcome = Response()
                welcome.set_cookie(COOKIE, request.state.visitor, httponly=True, samesite="strict")
                MutableHeaders(scope=message).append("set-cookie", welcome.headers["set-cookie"])
            await send(message)

        if self._under_way[who] >= EACH or self._under_way.total() >= AT_ONCE:
            await _reply_busy(scope, receive, send)
            return
        self._under_way[who] += 1
        try:
            await self._app(scope, receive, send_welcome)
        finally:
            self._under_way[who] -= 1
            if not self._under_way[who]:
                del self._under_way[who]


async def _reply_busy(scope: Scope, receive: Receive, send: Send) -> None:
    why = "too many requests at once: close other pages of this episode, or come back later\n"
    await PlainTextResponse(why, 503, {"Retry-After": "5"})(scope, receive, send)
