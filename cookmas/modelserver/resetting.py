"""A connection that the application can reset, as a failing network does."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

RESET = "cookmas.reset"
"""Key in a request's scope; its value is the function that resets the connection."""


class Resettable(H11Protocol):
    """The protocol of one HTTP/1.1 connection, which the application can reset.

    If an answer is cancelled, the protocol raises no error.
    """

    def connection_made(self, transport: Any) -> None:
        """Put a function that resets the connection into the scope of each request."""
        super().connection_made(transport)
        app = self.app

        async def with_reset(scope: Any, receive: Any, send: Any) -> None:
            scope[RESET] = lambda: _reset(transport)
            with suppress(asyncio.CancelledError):
                await app(scope, receive, send)

        self.app = with_reset


def _reset(transport: asyncio.Transport) -> None:
    """Close the connection with a reset, and discard data that are not sent yet."""
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
