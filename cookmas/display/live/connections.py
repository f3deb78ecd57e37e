"""Connections with bounds: how many there may be, and how long each may take to ask."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 512
"""Connections that may be open, idle ones among them."""

SECONDS = 10.0
"""Seconds in which a request, header and body, must be there."""


class BoundedProtocol(H11Protocol):
    """HTTP for guests who may mean harm: who asks for nothing, or too slowly, is sent away."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, if there is room for another connection."""
        super().connection_made(transport)
        if len(self.connections) > MOST:
            self._send_away("503 Service Unavailable", "too many connections: come back later")
        else:
            self._time()

    def handle_events(self) -> None:
        """Handle what has come, and wait for the rest of the request."""
        super().handle_events()
        self._time()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._untime()
        super().connection_lost(exc)

    def _time(self) -> None:
        """Have a time limit for as long as a request is not there as a whole."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._untime()
        elif self._limit is None and not self.transport.is_closing():
            self._limit = self.loop.call_later(SECONDS, self._end_connection)

    def _untime(self) -> None:
        if self._limit:
            self._limit.cancel()
        self._limit = None

    def _end_connection(self) -> None:
        self._limit = None
        self._send_away("408 Request Timeout", f"no whole request within {SECONDS:g} seconds")

    def _send_away(self, status: str, why: str) -> None:
        """Say why in one line, unless an answer is under way, and close the connection."""
        if self.cycle is None or self.cycle.response_complete:
            head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
            self.transport.write(f"{head}{why}\n".encode())
        self.transport.close()
