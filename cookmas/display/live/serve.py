"""The server of a run's page, alone or beside an episode that is played."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.routing import BaseRoute
from uvicorn.protocols.http.h11_impl import H11Protocol

from cookmas.display.live.app import NOTHING, ShownRun, live_app
from cookmas.display.live.guard import is_loopback
from cookmas.modelserver.listening import PromptServer, listen
from cookmas.orchestrator.options import ORCHESTRATOR

MOST_CONNECTIONS = 512
"""Maximum number of open connections, idle ones included."""

REQUEST_SECONDS = 10.0
"""Seconds within which a whole request, header and body, must arrive."""

LAST_WORDS = 30
"""Seconds that open pages have to receive the end of the run, before the server stops."""

LAST_MOMENT = 0.2
"""Seconds that open responses have to notice that their connection is closed."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve(run: ShownRun, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve a run until interrupted; call `ready` with the address of the page.

    Requests need the token in that address. On the loopback the page speaks for the episode's
    owner. Raises InputError if the address is not available.
    """
    token = secrets.token_urlsafe(24)
    app = live_app(run, _names(host), token, house=is_loopback(host))
    with listen(host, port) as listener:
        ready(_address(host, listener, token))
        PageServer(app).run(sockets=[listener])


class PageServer(PromptServer):
    """A web server with limits on connections, which stops at once and closes event streams too.

    It logs only its own errors, so that no text of a guest reaches the terminal.
    """

    def __init__(self, app: Starlette) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=BoundedProtocol,
                ws="none",
                log_config=None,
                log_level="error",
                proxy_headers=False,
                access_log=False,
                timeout_graceful_shutdown=LAST_WORDS,
            )
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close every connection, and shut down when the open responses have noticed that."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        if under_way := list(self.server_state.tasks):
            await asyncio.wait(under_way, timeout=LAST_MOMENT)
        await super().shutdown(sockets)


class Beside(PageServer):
    """A server beside another task of the same process. It leaves the signals to that task.

    It shuts down at once if `prompt`; otherwise it first lets open responses tell the pages how
    the run ended.
    """

    prompt = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down, at once if `prompt`, otherwise when every open response has ended."""
        if self.prompt:
            await super().shutdown(sockets)
        else:
            await uvicorn.Server.shutdown(self, sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture no signals."""
        yield


@contextlib.asynccontextmanager
async def serve_beside(
    run: ShownRun,
    host: str,
    port: int,
    routes: Sequence[BaseRoute] = (),
    offers: Mapping[str, Any] = NOTHING,
    worker: str | None = None,
    *,
    suggestions: bool = True,
) -> AsyncIterator[str]:
    """Serve a run while other tasks run in this event loop; yield the address.

    `routes`, `offers`, `worker` and `suggestions` are as in `live_app`. The page of one worker
    never speaks for the episode's owner. Raises the same errors as `serve`.
    """
    token = secrets.token_urlsafe(24)
    house = is_loopback(host) and worker in (None, ORCHESTRATOR)
    app = live_app(
        run, _names(host), token, routes, offers, worker, house=house, suggestions=suggestions
    )
    server = Beside(app)
    with listen(host, port) as listener:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield _address(host, listener, token)
            server.prompt = False
        finally:
            server.should_exit = True
            await serving


def _address(host: str, listener: socket.socket, token: str) -> str:
    shown = host if host not in ("0.0.0.0", "::") else socket.gethostbyname(socket.gethostname())
    named = f"[{shown}]" if ":" in shown else shown
    port = listener.getsockname()[1]
    return f"http://{named}:{port}/?token={token}"


def _names(host: str) -> tuple[str, ...]:
    """Return the host names that requests to an address may use; empty if any will do."""
    if is_loopback(host):
        return LOOPBACK
    return () if host in ("0.0.0.0", "::") else (host.lower(),)


class BoundedProtocol(H11Protocol):
    """An HTTP connection with limits, against malicious guests.

    A connection whose request does not arrive in time is closed. If too many are open, the one that
    has been silent for longest is closed, so that a program that asks is answered.
    """

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit of the request; close a connection if too many are open."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            waiting = [
                (connection._limit.when(), opened, connection)
                for opened, connection in enumerate(self.connections)
                if isinstance(connection, BoundedProtocol) and connection._limit
            ]
            silent = min(waiting)[2] if waiting else self
            silent._untime()
            silent._send_away("503 Service Unavailable", "too many connections: come back later")
        self._time()

    def handle_events(self) -> None:
        """Handle the received data, then start or cancel the time limit."""
        super().handle_events()
        self._time()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the time limit."""
        self._untime()
        super().connection_lost(exc)

    def _time(self) -> None:
        """Start the time limit while a request is awaited or incomplete; cancel it otherwise."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._untime()
        elif self._limit is None and not self.transport.is_closing():
            self._limit = self.loop.call_later(REQUEST_SECONDS, self._end_connection)

    def _untime(self) -> None:
        if self._limit:
            self._limit.cancel()
        self._limit = None

    def _end_connection(self) -> None:
        self._limit = None
        self._send_away(
            "408 Request Timeout", f"no whole request within {REQUEST_SECONDS:g} seconds"
        )

    def _send_away(self, status: str, why: str) -> None:
        """Close the connection. Send the reason first, unless a response has begun."""
        if self.cycle is None or self.cycle.response_complete:
            head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
            self.transport.write(f"{head}{why}\n".encode())
        self.transport.close()
