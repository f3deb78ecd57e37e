"""Access control for the server of LangGraph Studio, which itself lets pages of any site in.

`langgraph.json` names `app`, whose middleware is applied to every route of that server, and lets
only Studio read the answers. A page of another site could still send requests that need no
permission of the server to be sent, and so import a module or play a scenario.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from cookmas.display.live.guard import is_loopback

STUDIO = re.compile(r"https://([a-z0-9-]+\.)*smith\.langchain\.com")
"""Matches the origins of Studio."""


class StudioGuard:
    """Refuses requests of pages that are neither Studio's nor of this machine.

    A server on the loopback also refuses other host names than the loopback's: a page's own name
    may resolve to the loopback.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on to the application."""
        why = _refusal(Request(scope)) if scope["type"] == "http" else None
        if why is None:
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse(f"{why}\n", 403)(scope, receive, send)


def _refusal(request: Request) -> str | None:
    origin = request.headers.get("origin")
    if origin is not None and STUDIO.fullmatch(origin):
        return None
    if origin is not None and not is_loopback(urlsplit(origin).hostname or ""):
        return "pages of other sites than Studio may not use this server"
    server, _ = request.scope.get("server") or ("", 0)
    if is_loopback(server) and not is_loopback(request.url.hostname or ""):
        return "this server does not have the requested host name"
    return None


app = Starlette(middleware=[Middleware(StudioGuard)])
