"""Limits on connections: how many may be open, and how long a request may take to arrive."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 512
"""Maximum number of open connections, idle ones included."""

SECONDS = 10.0
"""Seconds within which a whole request, header and body, must arrive."""


class BoundedProtocol(H11Protocol):
    """An HTTP connection with limits, against malicious guests.

    The connection is closed if too many are open, or if a request does not arrive in time.
    """

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit of the request, or answer 503 if too many connections are open."""
        super().connection_made(transport)
        if len(self.connections) > MOST:
            self._send_away("503 Service Unavailable", "too many connections: come back later")
        else:
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
            self._limit = self.loop.call_later(SECONDS, self._end_connection)

    def _untime(self) -> None:
        if self._limit:
            self._limit.cancel()
        self._limit = None

    def _end_connection(self) -> None:
        self._limit = None
        self._send_away("408 Request Timeout", f"no whole request within {SECONDS:g} seconds")

    def _send_away(self, status: str, why: str) -> None:
        """Close the connection. Send the reason first, unless a response has begun."""
        if self.cycle is None or self.cycle.response_complete:
            head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
            self.transport.write(f"{head}{why}\n".encode())
        self.transport.close()
