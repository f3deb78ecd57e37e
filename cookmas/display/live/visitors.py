"""Visitors: the name under which a visitor sends messages, and limits on open requests.

A visitor is a tab of a browser. It keeps a random secret, which only the pages of this server can
read, and sends it with its requests: in a header, or in the address of an event stream. The secret
is the visitor's token, and a digest of it names the sender.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import Counter
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from cookmas.display.live.guard import HEALTH, METRICS

HEADER = "cookmas-visitor"
"""The header with a visitor's secret."""

IN_ADDRESS = "visitor"
"""The parameter of an address that has the secret in place of the header."""

AT_ONCE = 256
"""Maximum number of open requests of all visitors, event streams included."""

EACH = 16
"""Maximum number of open requests of one visitor."""

_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorSender:
    """A visitor as a sender of messages."""

    name: str
    """Name of the sender."""
    token: str
    """The token that proves the name."""


def sender_of(request: Request) -> VisitorSender:
    """Return the visitor who made a request, as a sender of messages."""
    secret: str = request.state.visitor
    return VisitorSender(
        name=f"page-{hashlib.sha256(secret.encode()).hexdigest()[:16]}", token=secret
    )


class Visitors:
    """Tells visitors apart, and limits the number of their open requests.

    Requests without a secret are counted by their IP address. Those of programs that watch the
    episode are not limited, so that no visitor can hide its state from them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 503 if too many are open."""
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
