"""Connections with limits: on their number, and on the time in which a request must arrive."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 512
"""Maximum number of open connections, idle ones included."""

SECONDS = 10.0
"""Seconds within which a whole request, header and body, must arrive."""


class BoundedProtocol(H11Protocol):
    """HTTP for untrusted guests: a connection without a request, or with a slow one, is closed."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request, or close the connection if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MOST:
            self._send_away("503 Service Unavailable", "too many connections: come back later")
        else:
            self._time()

    def handle_events(self) -> None:
        """Handle the received data, and wait for the rest of the request."""
        super().handle_events()
        self._time()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer of the connection."""
        self._untime()
        super().connection_lost(exc)

    def _time(self) -> None:
        """Run the timer as long as the request is incomplete; otherwise stop it."""
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
        """Close the connection; send the reason first, unless an answer is being sent."""
        if self.cycle is None or self.cycle.response_complete:
            head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
            self.transport.write(f"{head}{why}\n".encode())
        self.transport.close()
